"""PEFT's method comparison: Llama-3.2-3B on one L40S, batches of 4 up to 768 tokens, peak reserved."""
from mapping import base

SOURCE = "huggingface_peft"



def map_row(row):
    facts, method = row.facts, row["method"]
    if "batch_seq_unstated" in facts:
        return base.Skip("batch and sequence length not stated")
    if method not in ("lora", "full"):
        return base.Skip("adapter kind is not LoRA")
    variant = str(facts.get("variant", ""))
    if any(x in variant for x in ("dora", "lorafa", "mica", "bdlora")):
        return base.Skip("LoRA variant with its own memory (DoRA, LoRA-FA, MiCA, BD-LoRA)")
    training = base.training(
        row,
        kind=method,
        precision="bf16-pure",
        stack="peft",
        recompute="none",
        micro_batch=4,
        global_batch=4,
    )
    if method == "lora":
        named = [t.strip(" '") for t in str(facts["targets"]).split(",")]
        training["lora"] = {"rank": row.int("rank"), "targets": named}
    return base.Case(
        base.scenario(
            "llama-3.2-3b",
            "l40s",
            training=training,
            count=1,
            layout=base.data_parallel(1, 0),
        ),
        base.measured(row, "reserved"),
        [],
        {"time": "real batches are shorter than the longest, which sets the memory"},
    )
