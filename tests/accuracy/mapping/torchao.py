"""torchao's tables: Llama-3-8B under torchtitan (bf16, fp8, mxfp8) and single-GPU scripts."""
from mapping import base

SOURCE = "pytorch_ao"


def map_row(row):
    facts, precision = row.facts, row["precision"]
    name = row["model"]
    if "batch_seq_unstated" in facts:
        return base.Skip("batch and sequence length not stated")
    if "int8" in precision:
        return base.Skip("int8 training is not one of the precisions")
    if name.startswith("Llama-4"):
        return base.Skip("partly layered experts and chunked attention of a truncated Llama-4")
    row = base.Row(row)
    single = row.int("gpus") == 1
    assumed = []
    if single:
        stack, kind, precision_id = "torchao", "pretrain", "bf16-pure"
        model = "tinyllama-1.1b"
        assumed.append("TinyLlama's shape")
    else:
        stack, kind = "torchtitan", "pretrain"
        model = "llama-3-8b"
        precision_id = "mxfp8" if "mxfp8" in precision else "fp8" if "fp8" in precision else "bf16-mixed"
    if "batch_assumed" in facts:
        assumed.append("local batch 1")
    recompute = row["recompute"]
    if not recompute:
        recompute = "full"
        assumed.append("full recompute")
    second = "every 2nd layer" in recompute  # torchtitan's selective_ac_option 2: every second layer whole
    recompute = "full" if second else next(k for k in ("none", "selective", "full") if recompute.startswith(k))
    micro = row.int("micro_batch") or 1
    dp = row.int("gpus")
    incomparable = {}
    if facts.get("micro_batch_unstated"):
        assumed.append("32 sequences in one micro-batch")
    gpu = base.gpu_id(row["gpu"])
    cluster = gpu
    if "power limited" in row["gpu"]:
        cluster = {"base": gpu, "power_limit_w": 750}
        assumed.append("750 W limit")
    elif gpu == "h100-sxm-80gb":
        # torchtitan's documentation names its H100s: 96 GB of HBM2e, 500 W.
        cluster = {"base": gpu, "power_limit_w": 500, "memory_gb": 96, "memory_bandwidth_gb_s": 2400}
        assumed.append("H100 of 96 GB HBM2e at 500 W, as torchtitan's")
    return base.Case(
        base.scenario(
            model,
            cluster,
            training=base.training(
                row,
                kind=kind,
                precision=precision_id,
                stack=stack,
                recompute=recompute,
                **({"recompute_share": 0.5} if second else {}),
                compile=row["compile"] == "yes",
                # torchtitan compiles the loss too since the middle of 2025.
                fused_loss=stack == "torchtitan" and row["compile"] == "yes" and row["date"] >= "2025-08",
                micro_batch=micro,
                global_batch=row.int("batch") or micro * dp,
            ),
            count=dp,
            layout=base.data_parallel(dp, 0 if single else 3),
        ),
        base.measured(row, "allocated" if single else "reserved"),
        assumed,
        incomparable,
    )
