"""AMD's ROCm blogs: Llama-2-7B on MI300X and MI250; lengths are not stated."""
from mapping import base

SOURCE = "rocm_blogs_amd"


def map_row(row):
    return base.Skip("sequence lengths not stated (unpacked chat samples)")
