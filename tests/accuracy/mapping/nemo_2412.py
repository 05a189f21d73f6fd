"""NeMo 24.12's performance page: pre-training and fine-tuning in fp8 on H100."""
from mapping import base

SOURCE = "nvidia_nemo_2412"


def model(row):
    name = row["model"]
    if name.startswith("GPT3"):
        return base.gpt(row, positions=2048)
    return base.nemotron(row) if row.get("layers") else base.MODELS[name]


def map_row(row):
    method, tp = row["method"], row.int("tp")
    assumed = ["DGX H100", "no recompute"]
    training = base.training(
        row,
        kind=method,
        precision="fp8",
        stack="nemo",
        recompute="none",
        fused_loss=False,
    )
    if method == "lora":
        training["lora"] = base.nemo_lora()
        assumed.append("rank 16 on q, k, v")
    return base.Case(
        base.scenario(
            model(row),
            base.gpu_id(row["gpu"]),
            training=training,
            count=row.int("gpus"),
            layout=base.layout(row, zero=0 if method == "lora" else 1, sequence_parallel=tp > 1),
        ),
        base.measured(row),
        assumed,
    )
