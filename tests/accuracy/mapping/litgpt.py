"""LitGPT's tables: LoRA, QLoRA and full fine-tuning in pure bf16; peak allocated memory. Alpaca samples
are much shorter than the longest, which alone sets the peak, so times are not comparable."""
from mapping import base

SOURCE = "litgpt"

TARGETS = {"query": "q_proj", "key": "k_proj", "value": "v_proj", "projection": "o_proj"}


def targets(text):
    out = []
    for part in text.split("+"):
        if part in TARGETS:
            out.append(TARGETS[part])
        elif part == "mlp":
            out += ["gate_proj", "up_proj", "down_proj"]
    return out or ["q_proj", "v_proj"]


def stablelm(row):
    # stablelm-base-alpha-3b: GPT-NeoX blocks, untied, biases, LayerNorm.
    return base.shape(row, gated=False, norm="layernorm", tied=False, bias=True)


def map_row(row):
    facts, method = row.facts, row["method"]
    if method.startswith("adapter"):
        return base.Skip("LLaMA-Adapter prompts are not one of the methods")
    if method in ("lora", "qlora") and not row.get("rank"):
        return base.Skip("LoRA rank not stated")
    row = base.Row(row)
    name = row["model"]
    assumed = []
    if name.startswith("StableLM"):
        model = stablelm(row)
    elif name == "phi-1.5":
        # phi-1.5: one shared LayerNorm per block, biases everywhere, untied.
        model = base.shape(row, gated=False, norm="layernorm", tied=False, bias=True)
        model["bias_head"] = True
    else:
        model = base.MODELS[name]
    # litgpt-051 repeats the one-GPU row's memory and time: one device ran.
    count = 1 if "one_device" in facts or row["id"] == "litgpt-051" else row.int("gpus")
    quantize = str(facts.get("quantize", ""))
    if method == "qlora" and "nf4" not in quantize:
        return base.Skip("quantisation not stated")
    fsdp = count > 1 and "DDP" not in row["sharding"]
    recompute = "full" if row["recompute"].startswith("full") and count > 1 else "none"
    if count > 1 and not row["sharding"]:
        assumed.append("FSDP")
    micro = row.int("micro_batch")
    accumulation = row.int("grad_accum") or 1
    pretrain = method == "pretrain"
    batch = micro * count * (1 if pretrain else accumulation)
    training = base.training(
        row,
        kind=method,
        precision="bf16-pure",
        stack="litgpt-2023" if row["date"].startswith("2023") else "litgpt",
        recompute=recompute,
        compile="thunder" in row["compile"],
        micro_batch=micro,
        global_batch=batch,
    )
    if method in ("lora", "qlora"):
        training["lora"] = {"rank": row.int("rank"), "targets": targets(str(facts.get("targets", "")))}
    if method == "qlora":
        training["lora"]["quantization"] = "nf4-double" if quantize.endswith("dq") else "nf4"
        if "Paged" in row["optimizer"]:
            training["optimizer"] = "adamw-paged"
    incomparable = {}
    if not pretrain:
        incomparable["time"] = "samples are shorter than the longest, which sets the memory"
    else:
        incomparable["time"] = "time of a micro-batch, the optimizer's share unknown"
    if fsdp and not pretrain:
        incomparable["memory"] = "the peak is at loading: whole weights beside the shard"
    if method == "full" and count == 1 and row.int("params", 0) * 8 / 2**30 > row.float("memory_gib", 1e9):
        incomparable["memory"] = "below weights, gradients and two moments in bf16: another optimizer ran"
    case = base.Case(
        base.scenario(
            model,
            base.gpu_id(row["gpu"]),
            training=training,
            count=count,
            layout=base.data_parallel(count, 3 if fsdp else 0),
        ),
        base.measured(row, "allocated"),
        assumed,
        incomparable,
    )
    if row.get("outcome") == "OOM":
        if "memory" in incomparable:
            return base.Skip("out of memory while loading whole weights beside the shard")
        case.measured["verdict"] = "oom"
    return case
