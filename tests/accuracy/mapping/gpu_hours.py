"""Total tokens and GPU hours of published models: layouts are not stated and hours include restarts,
so they bound utilisation and calibrate nothing."""
from mapping import base

SOURCE = "model_gpu_hours"


def map_row(row):
    return base.Skip("layout, batch and recompute not stated; hours include restarts")
