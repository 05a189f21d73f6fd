"""NeMo 24.12's performance page: pre-training and fine-tuning in fp8 on H100."""
from mapping import base

SOURCE = "nvidia_nemo_2412"


def model(row):
    name = row["model"]
    if name.startswith("GPT3"):
        return base.gpt(row, positions=2048)
    if row.get("layers"):  # Nemotron: squared ReLU, LayerNorm, no biases (arXiv 2402.16819)
        return base.shape(row, gated=False, norm="layernorm", tied=False)
    return {"Nemotron-4-340B": "nemotron-4-340b"}.get(name) or base.MODELS[name]


def map_row(row):
    method, tp = row["method"], row.int("tp")
    assumed = ["DGX H100", "no recompute"]
    training = {
        "kind": method,
        "precision": "fp8",
        "optimizer": "adamw",
        "stack": "nemo",
        "recompute": "none",
        "flash_attention": True,
        "fused_loss": False,
        "sequence_length": row.int("seq"),
        "micro_batch": row.int("micro_batch"),
        "global_batch": row.int("batch"),
    }
    if method == "lora":
        training["lora"] = {"rank": 16, "targets": ["q_proj", "k_proj", "v_proj"]}
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
