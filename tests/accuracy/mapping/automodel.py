"""NeMo AutoModel's performance page: mixtures of experts and a LoRA of a 70B on DGX H100, PyTorch FSDP2."""
from mapping import base

SOURCE = "nvidia_nemo_automodel"

def map_row(row):
    method, pp = row["method"], row.int("pp")
    assumed = ["recompute as in the configurations of the time or after"]
    training = base.training(
        row,
        kind=method,
        precision="bf16-mixed",
        stack="nemo-automodel",
        recompute=row["recompute"],
        fused_loss=False,
    )
    if method == "lora":
        linear = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
        training["lora"] = {"rank": 16, "targets": list(linear)}
    if row.get("local_batch"):
        assumed.append("one pipeline run a step, not one for each local batch")
    row = base.Row(row)
    layers = {"DeepSeek-V3": 61, "Kimi-K2": 61, "Llama-3-70B": 80}.get(row["model"])
    if layers and row.int("vpp", 1) > 1:
        stages = base.virtual_stages(row, layers)
        if stages * pp > layers or layers % (stages * pp):
            assumed.append("uneven stages")
        row["vpp"] = str(stages)
    return base.Case(
        base.scenario(
            base.MODELS[row["model"]],
            base.gpu_id(row["gpu"]),
            training=training,
            count=row.int("gpus"),
            layout=base.layout(row, zero=3 if row.int("gpus") > row.int("tp") * pp else 0, sequence_parallel=False),
        ),
        base.measured(row),
        assumed,
    )
