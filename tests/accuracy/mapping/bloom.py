"""BLOOM's layout search: GPTs of 20B to 200B on A100-80GB, Megatron-DeepSpeed, 4 x 100 Gb/s a node."""
from mapping import base

SOURCE = "bigscience_bloom_prequel"


def layers(row):
    """Stated, or the depth that the printed TFLOPs and step time imply by Megatron's formula
    96*B*s*L*h^2*(1 + s/6h + V/16Lh) (full recompute), rounded to a multiple of the stages."""
    if row.int("layers"):
        return row.int("layers"), False
    step, tflops = row.float("step_s"), row.float("tflops")
    if not step or not tflops:
        return None, False
    s, h, v = row.int("seq"), row.int("hidden"), row.int("vocab")
    total = tflops * 1e12 * step * row.int("gpus")
    depth = (total / (96 * row.int("batch") * s * h * h) - v / (16 * h)) / (1 + s / (6 * h))
    pp = row.int("pp")
    rounded = max(1, round(depth / pp)) * pp
    # The formula of the time under-reported by about 3% until 2022-02-21.
    return (rounded, True) if abs(rounded / depth - 1) < 0.06 else (None, False)


def map_row(row):
    facts = row.facts
    depth, derived = layers(row)
    if depth is None:
        return base.Skip("layers not stated and not derivable from the printed TFLOPs")
    assumed = ["layers from the printed TFLOPs"] if derived else []
    row = base.Row(row)
    row["layers"] = str(depth)
    if not row["heads"]:
        row["heads"] = "64"
        assumed.append("64 heads")
    sharding = row["sharding"]
    bf16 = "BF16" in sharding or row["precision"] == "bf16"
    zero = 0 if sharding == "ZeRO-0" else 1
    if "two tables" in row["precision"]:
        assumed.append("fp16, ZeRO-0" if zero == 0 else "fp16")
    if row.int("batch") % (row.int("micro_batch") * (row.int("dp") or 1)):
        row["batch"] = str(
            row.int("batch") // (row.int("micro_batch") * row.int("dp")) * row.int("micro_batch") * row.int("dp")
        )
    model = base.gpt(row, positions=0, embedding_norm=True)
    model["head_dim"] = row.int("hidden") // row.int("heads")
    if row.int("hidden") % row.int("heads"):
        return base.Skip("hidden size not a multiple of the stated heads")
    incomparable = {}
    if facts.get("memory_typo"):
        incomparable["memory"] = "printed memory above a larger micro-batch's: a typo"
    case = base.Case(
        base.scenario(
            model,
            "a100-sxm-80gb",
            training=base.training(
                row,
                kind="pretrain",
                precision="bf16-mixed" if bf16 else "fp16-mixed",
                stack="megatron-deepspeed",
                recompute="full",
                flash_attention=False,
            ),
            count=row.int("gpus"),
            layout=base.layout(row, zero=zero),
            internode_gb_s_per_gpu=6.25,
            rdma=False,  # Omni-Path: the hosts' cores move the data
        ),
        base.measured(row, "device"),
        assumed,
        incomparable,
    )
    if row.get("outcome") == "OOM":
        case.measured["verdict"] = "oom"
    return case
