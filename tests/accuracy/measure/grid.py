"""What the kit measures: model shapes, methods, lengths, and the order in which they are worth most."""
import hashlib
import json

# Llama-style shapes: (layers, hidden, heads, kv_heads, ffn, vocab). Small ones for small cards, and
# one whose vocabulary outweighs its layers.
SHAPES = {
    "160m": (12, 768, 12, 12, 2048, 32000),
    "0.5b-wide-vocabulary": (24, 896, 14, 2, 4864, 151936),
    "1b": (16, 2048, 32, 8, 8192, 128256),
    "1.1b": (22, 2048, 32, 4, 5632, 32000),
    "3b": (28, 3072, 24, 8, 8192, 128256),
    "7b": (32, 4096, 32, 32, 11008, 32000),
    "8b": (32, 4096, 32, 8, 14336, 128256),
}

METHODS = ("full", "lora", "qlora")
COLUMNS = (
    "id", "date", "model", "layers", "hidden", "heads", "kv_heads", "ffn", "vocab", "seq", "gpu",
    "gpu_memory_gib", "power_limit_w", "method", "rank", "precision", "optimizer", "recompute",
    "attention", "loss", "micro_batch", "outcome", "allocated_gib", "reserved_gib", "device_gib",
    "context_gib", "step_s", "steps_timed", "trust", "torch", "cuda", "transformers", "peft",
    "bitsandbytes", "driver",
)


def point(shape, method, *, seq=1024, micro_batch=1, recompute="full", optimizer="adamw", attention="sdpa",
          loss="plain", precision=None, rank=16):
    layers, hidden, heads, kv_heads, ffn, vocab = SHAPES[shape]
    if precision is None:
        precision = "bf16-pure" if method == "full" else "bf16-mixed"
    out = {
        "model": shape,
        "layers": layers,
        "hidden": hidden,
        "heads": heads,
        "kv_heads": kv_heads,
        "ffn": ffn,
        "vocab": vocab,
        "seq": seq,
        "method": method,
        "rank": rank if method != "full" else "",
        "precision": precision,
        "optimizer": optimizer,
        "recompute": recompute,
        "attention": attention,
        "loss": loss,
        "micro_batch": micro_batch,
    }
    out["id"] = identity(out)
    return out


def identity(settings):
    """Stable over runs, so that a file can be continued."""
    text = json.dumps({k: v for k, v in sorted(settings.items()) if k != "id"})
    return "m-" + hashlib.sha256(text.encode()).hexdigest()[:12]


def parameters(p):
    """Parameters of a point's model (untied, no biases)."""
    h, d = p["hidden"], p["hidden"] // p["heads"]
    attention = 2 * h * h + 2 * h * p["kv_heads"] * d
    return p["layers"] * (attention + 3 * h * p["ffn"] + 2 * h) + 2 * p["vocab"] * h + h


def grid():
    """Every point once, the most telling first: a run cut short still covers methods and shapes."""
    points = []
    # One middling point of every shape and method.
    for shape in SHAPES:
        for method in METHODS:
            points.append(point(shape, method))
    # Length and micro-batch, with and without recompute.
    for shape in ("1.1b", "8b", "0.5b-wide-vocabulary"):
        for method in METHODS:
            for seq, micro in ((512, 1), (512, 8), (2048, 2), (4096, 1), (8192, 1)):
                for recompute in ("full", "none"):
                    points.append(point(shape, method, seq=seq, micro_batch=micro, recompute=recompute))
    # What the software does: attention, loss, optimizer, precision.
    for shape in ("1b", "3b"):
        for attention in ("eager", "flash"):
            points.append(point(shape, "full", seq=2048, recompute="none", attention=attention))
        points.append(point(shape, "full", seq=4096, loss="fused"))
        points.append(point(shape, "lora", seq=4096, loss="fused"))
        for optimizer in ("adamw-8bit", "sgd"):
            points.append(point(shape, "full", optimizer=optimizer))
        points.append(point(shape, "full", precision="bf16-autocast"))
        points.append(point(shape, "full", precision="fp32"))
    for rank in (8, 64, 256):
        points.append(point("3b", "lora", rank=rank, seq=2048))
    seen, out = set(), []
    for p in points:
        if p["id"] not in seen:
            seen.add(p["id"])
            out.append(p)
    return out
