"""ms-swift: its benchmark page (Qwen 1.8B to 72B on A100, fine-tuning, longest sample sets the
peak) and memory notes of its example scripts. Memory is torch's peak reserved (swift's log)."""
from mapping import base

SOURCE = "ms_swift"


def map_row(row):
    facts, method, sharding = row.facts, row["method"], row["sharding"]
    if method == "lora" and "Megatron" in sharding and not row.get("rank"):
        method = "full"  # Megatron-SWIFT's tuner_type is "full" where a script gives none
        if row["cite"].endswith("fp8/benchmark.sh"):
            return base.Skip("16-bit moments beside fp32 master weights are not one of the precisions")
    if method not in ("lora", "qlora", "full"):
        return base.Skip("method is not one of full, LoRA, QLoRA")
    if sharding.startswith("naive model parallel"):
        return base.Skip("layers spread over GPUs by device_map")
    name = row["model"]
    if name not in base.MODELS:
        return base.Skip("hybrid linear attention layers" if "Next" in name else "architecture not stated")
    if not row.get("micro_batch"):
        return base.Skip("micro-batch not stated")
    row = base.Row(row)
    benchmark = "fudan_3234" in facts
    quantised = method == "qlora"
    if quantised and ("gptq" in row["precision"] or "AWQ" in name):
        quantization = "int8" if "int8" in row["precision"] else "gptq"
    elif quantised:
        quantization = "nf4"
    megatron = "Megatron" in sharding
    count = row.int("gpus")
    tp, pp, cp = row.int("tp", 1), row.int("pp", 1), row.int("cp", 1)
    if "ulysses" in facts:
        cp = int(facts["ulysses"])
    dp = count // (tp * pp * cp)
    assumed = []
    if not benchmark:
        assumed.append("80 GB A100 (GPU not named)" if "not named" in row["gpu"] else "script values")
    micro = row.int("micro_batch")
    batch = row.int("batch") or micro * dp * row.int("grad_accum", 1)
    if batch % (micro * dp):
        return base.Skip("stated batch is not a multiple of micro-batch and data ranks")
    recompute = row["recompute"]
    recompute = next((k for k in ("none", "selective", "full") if recompute.startswith(k)), "full")
    if "zero3" in sharding:
        zero = 3
    elif "zero2" in sharding:
        zero = 2
    else:
        zero = 1 if megatron else 0
    if zero == 0 and count > 1 and not megatron:
        zero = 0
        assumed.append("DDP")
    targets = str(facts.get("targets", ""))
    if benchmark:
        lora_targets = ["all-linear"] if facts.get("targets") == "ALL" else ["q_proj", "k_proj", "v_proj"]
    elif "linear_qkv" in targets:
        lora_targets = ["q_proj", "k_proj", "v_proj", "o_proj"]
    else:
        lora_targets = ["all-linear"]
    pure = method == "full" and (benchmark or not megatron) and zero == 0
    training = base.training(
        row,
        kind=method,
        precision="bf16-pure" if pure else "bf16-mixed",
        optimizer="muon" if row["optimizer"] == "muon" else "adamw",
        stack="ms-swift-megatron" if megatron else "ms-swift-2024" if benchmark else "ms-swift",
        recompute=recompute,
        flash_attention=row["flash"] != "no",
        # Every script of Megatron-SWIFT has cross_entropy_loss_fusion.
        fused_loss=megatron
        or (facts.get("liger") == "true" and "Not using" not in row["printed_memory"]),
        micro_batch=micro,
        global_batch=batch,
    )
    if method != "full":
        rank = row.int("rank")
        if not rank:
            rank = 8
            assumed.append("rank 8")
        training["lora"] = {"rank": rank, "targets": lora_targets}
        if quantised:
            training["lora"]["quantization"] = quantization
    incomparable = {}
    unpacked = benchmark or "unpacked" in facts
    if unpacked:
        incomparable["time"] = "samples are shorter than the maximum length"
    if not benchmark and "unpacked" in facts:
        incomparable["memory"] = "samples are shorter than the maximum length, rounded"
    if "not named" in row["gpu"]:
        # Any card of 80 GB has as much memory; how quick it is isn't known.
        incomparable["time"] = "GPU not named"
    if "offload" in sharding:
        return base.Skip("share of the optimizer offloaded not stated")
    if row["precision"].startswith("fp8"):
        training["precision"] = "fp8"
    return base.Case(
        base.scenario(
            base.MODELS[name],
            base.gpu_id(row["gpu"]),
            training=training,
            count=count,
            layout=base.layout(
                base.Row(row, cp=str(cp), dp=str(dp)), zero=zero, sequence_parallel=tp > 1
            ),
        ),
        base.measured(row, "reserved"),
        assumed,
        incomparable,
    )
