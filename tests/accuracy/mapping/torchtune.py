"""torchtune's README: methods on single cards and eight A100, and one 3B under one option after another."""
from mapping import base

SOURCE = "pytorch_torchtune"


def map_row(row):
    facts, method, count = row.facts, row["method"], row.int("gpus")
    for fact, reason in (
        ("not_packed", "real sample lengths vary"),
        ("optimizer_in_backward", "gradients freed by an optimizer step inside the backward pass"),
        ("optimizer_unstated", "optimizer and recompute not stated"),
        ("cpu_offload", "what is offloaded is not stated"),
    ):
        if fact in facts:
            return base.Skip(reason)
    assumed = ["A100 of 80 GB, SXM"] if "A100" in row["gpu"] else []
    if "recompute_assumed" in facts:
        assumed.append("no recompute on 48 GB, full elsewhere" if row["model"] == "Llama-3.1-8B" else "full recompute")
    if "total" in facts:
        assumed.append("tokens/s of all GPUs together")
    training = base.training(
        row,
        kind=method,
        precision="bf16-pure",
        stack="torchtune",
        recompute=row["recompute"],
        fused_loss="chunked_loss" in facts,
        compile="compile" in facts,
    )
    if method != "full":
        if row["model"] == "Llama-3.1-405B":
            training["lora"] = {"rank": 16, "targets": ["q_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"]}
            assumed.append("rank and targets of recipes/configs/llama3_1/405B_qlora.yaml@0377ca65a4")
        else:
            training["lora"] = {"rank": 8, "targets": ["q_proj", "v_proj"]}
            assumed.append("rank 8 on q, v")
    if method == "qlora":
        training["lora"]["quantization"] = "nf4"
    incomparable = {"memory": "activations offloaded too"} if "activations_offloaded" in facts else {}
    return base.Case(
        base.scenario(
            base.MODELS[row["model"]],
            base.gpu_id(row["gpu"]),
            training=training,
            count=count,
            layout=base.data_parallel(count, 3 if count > 1 else 0),
        ),
        base.measured(row, "allocated"),
        assumed,
        incomparable,
    )
