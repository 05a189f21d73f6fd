"""unsloth's early README tables. Only the LLaMA-Factory comparison states batch and length."""
from mapping import base

SOURCE = "unsloth_readme"


def map_row(row):
    facts = row.facts
    if not row.get("seq"):
        return base.Skip("sequence length not stated")
    impl = str(facts.get("impl", ""))
    qlora = row["method"] == "qlora"
    unsloth = impl.startswith("Unsloth")
    training = base.training(
        row,
        kind=row["method"],
        precision="bf16-mixed",
        stack="unsloth" if unsloth else "hf",
        recompute="full",
        flash_attention=row["flash"] == "yes",
        lora={"rank": row.int("rank"), "targets": ["all-linear"]},
    )
    if qlora:
        training["lora"]["quantization"] = "nf4-double"
    return base.Case(
        base.scenario(
            "llama-2-7b",
            "a100-sxm-80gb",
            training=training,
            count=1,
            layout=base.data_parallel(1, 0),
        ),
        base.measured(row, "device"),
        ["full recompute", "all linear targets", "A100-80GB"],
        {
            "time": "samples are shorter than the maximum length",
            "memory": "samples are shorter than the maximum length, whole gigabytes",
        },
    )
