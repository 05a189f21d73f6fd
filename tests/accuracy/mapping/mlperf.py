"""MLPerf Training v3.0 to v5.1: GPT-3 175B, Llama-2-70B LoRA, Llama-3.1 8B and 405B. Only rows whose
parallel layout the submission's config file states; recompute is not stated."""
from mapping import base

SOURCE = "mlperf_training"


def precision(row):
    facts = row.facts
    if facts.get("nvfp4") == "yes":
        return "nvfp4"
    return "fp8"


def map_row(row):
    facts = row.facts
    if "layout_unresolved" in facts or not row.get("tp"):
        return base.Skip("parallel layout not in the submission's resolved config")
    if not (row.get("step_s") or row.get("tokens_s_gpu")):
        return base.Skip("no step time in the log, only time to target with evaluations")
    gpu = base.gpu_id(row["gpu"])
    if row["gpu"] == "B300/GB300":
        gpu = "gb300-nvl72" if "GB300" in row["cite"] or row.int("gpus") % 8 == 4 else "b300-sxm-288gb"
    if gpu is None:
        return base.Skip("accelerator not in the catalogue")
    row = base.Row(row)
    assumed = ["no recompute"]
    if row["precision"] == "":
        assumed.append(precision(row))
    tp, pp, cp = row.int("tp"), row.int("pp", 1), row.int("cp", 1)
    if row.int("gpus") % (tp * pp * cp):
        return base.Skip("resolved layout does not divide the GPU count")
    dp = row.int("gpus") // (tp * pp * cp)
    row["dp"] = str(dp)
    micro = row.int("micro_batch")
    if not micro:
        micro = 1
        assumed.append("micro-batch 1")
    if row.int("batch") % (micro * dp):
        return base.Skip("logged batch is not a multiple of micro-batch and data ranks")
    name = row["model"]
    lora = "LoRA" in name
    if name.startswith("GPT-3"):
        model = base.gpt(row, positions=2048, tied=True)
    elif lora:
        model = "llama-2-70b"
    elif "405B" in name:
        model = "llama-3.1-405b"
    else:
        model = "llama-3.1-8b"
    amd = "AMD" in row["cite"] or gpu.startswith("mi3")
    training = base.training(
        row,
        kind="lora" if lora else "pretrain",
        precision=precision(row),
        stack="nemo",
        recompute="none",
        fused_loss=True,
        micro_batch=micro,
    )
    if lora:
        # Frozen weights are kept in fp8 (fp4 on the newest), rank 16 on the attention projections.
        training["lora"] = {"rank": 16, "targets": ["q_proj", "k_proj", "v_proj", "o_proj"]}
        if amd:
            assumed.append("AMD's Megatron fork habits as NeMo's")
    return base.Case(
        base.scenario(
            model,
            gpu,
            training=training,
            count=row.int("gpus"),
            layout=base.layout(row, zero=1, sequence_parallel=tp > 1),
        ),
        base.measured(row, "allocated"),
        assumed,
    )
