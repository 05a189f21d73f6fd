"""NVIDIA Megatron-Bridge performance pages. Recompute is not in the tables; it is taken from the
performance recipes of the same models (scripts/performance/configs: dense Llama and Qwen3 none,
DeepSeek-V3 and Kimi-K2 and gpt-oss selected modules)."""
from mapping import base

SOURCE = "nvidia_megatron_bridge"

PRECISIONS = {
    "MXFP8": "mxfp8",
    "FP8": "fp8",
    "FP8-MX": "mxfp8",
    "FP8-CS": "fp8",
    "FP8 subchannel (MX / blockwise)": "mxfp8",
    "FP8 current scaling": "fp8",
    "BF16": "bf16-mixed",
    "NVFP4": "nvfp4",
}


def map_row(row):
    name = row["model"]
    if name.startswith("Nemotron") or name.startswith("DeepSeekV4"):
        return base.Skip("architecture not published as a plain transformer's shape")
    facts = row.facts
    recompute = "selective" if name in ("DeepSeek-V3", "Kimi-K2", "gpt-oss-120b") else "none"
    method = row["method"]
    training = base.training(
        row,
        kind=method,
        precision=PRECISIONS[row["precision"]],
        optimizer="muon" if row["optimizer"] == "Muon" else "adamw",
        stack="megatron-bridge",
        recompute=recompute,
        fused_loss=True,
    )
    if method == "lora":
        training["lora"] = base.nemo_lora()
    assumed = ["recompute as in the performance recipes"]
    if facts.get("tokendrop"):
        assumed.append("balanced experts")
    fsdp = "FSDP" in row["sharding"]
    row = base.Row(row)
    if row.int("vpp"):
        stages = base.virtual_stages(row, row.int("layers"))
        if stages != row.int("vpp"):
            assumed.append(f"{stages} virtual stages (uneven)")
        row["vpp"] = str(stages)
    if row.int("ep", 1) > row.int("gpus") // row.int("pp", 1):
        return base.Skip("more expert ranks than GPUs of a stage")
    return base.Case(
        base.scenario(
            base.MODELS[name],
            base.gpu_id(row["gpu"]),
            training=training,
            count=row.int("gpus"),
            layout=base.layout(row, zero=3 if fsdp else 1, sequence_parallel=row.int("tp", 1) > 1),
        ),
        base.measured(row),
        assumed,
    )
