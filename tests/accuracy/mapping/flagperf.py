"""FlagPerf: FlagScale, Megatron-LM, DeepSpeed, PaddleNLP and Hugging Face runs on A100, A800, H800, H100."""
from mapping import base

SOURCE = "flagperf"


def stack(row):
    facts, sharding = row.facts, row["sharding"]
    if "paddlenlp" in facts:
        return "paddlenlp"
    if "flagscale" in row["cite"]:
        return "flagscale"
    if sharding.startswith("DeepSpeed"):
        return "deepspeed"
    return "megatron"


def map_row(row):
    facts, sharding = row.facts, row["sharding"]
    row = base.Row(row)
    if "seq_unknown" in facts or not row["seq"]:
        return base.Skip("sequence length not stated")
    name = row["model"]
    assumed = []
    if name == "Aquila2-7B":
        row["ffn"] = row["ffn"] or "11008"
        model = base.llama(row)
    elif name.startswith("GPT-3"):
        model = base.gpt(row, positions=row.int("seq"))
    else:
        model = base.MODELS[name]
    tp, pp = row.int("tp", 1), row.int("pp", 1)
    dp = row.int("gpus") // (tp * pp)
    row["dp"] = str(dp)
    micro = row.int("micro_batch")
    accumulation = row.int("grad_accum") or (int(facts["accumulate"]) if "accumulate" in facts else 0)
    batch = row.int("batch")
    if not batch:
        if not accumulation:
            accumulation = 9  # config_A100x1x8.py's default
            assumed.append("accumulation 9 (the config's default)")
        batch = micro * dp * accumulation
    if batch % (micro * dp):
        return base.Skip("stated batch is not a multiple of micro-batch and data ranks")
    recompute = row["recompute"]
    if not recompute:
        recompute = "none"
        assumed.append("no recompute")
    recompute = next(k for k in ("none", "selective", "full") if recompute.startswith(k))
    if "batch_assumed" in facts:
        assumed.append("batch of the 8B script")
    if "stage2" in sharding or "ZeRO-2" in sharding:
        zero = 2
    elif "ZeRO-3" in sharding:
        zero = 3
    else:
        zero = 1
    precision = row["precision"]
    incomparable = {}
    if precision.startswith("fp32"):
        incomparable["time"] = "printed as fp32 against TF32's peak"
    kind = stack(row)
    case = base.Case(
        base.scenario(
            model,
            base.gpu_id(row["gpu"]),
            training=base.training(
                row,
                kind="full" if row["method"] == "full" else "pretrain",
                precision="fp32"
                if precision.startswith("fp32")
                else "fp8"
                if "fp8" in precision
                else "fp16-mixed"
                if precision.startswith("fp16")
                else "bf16-mixed",
                stack=kind,
                recompute=recompute,
                flash_attention=row["flash"] != "no",
                micro_batch=micro,
                global_batch=batch,
            ),
            count=row.int("gpus"),
            layout=base.layout(row, zero=zero, sequence_parallel="sequence parallel" in sharding and tp > 1),
        ),
        base.measured(row, "device"),
        assumed,
        incomparable,
    )
    if row.get("outcome") == "OOM":
        case.measured["verdict"] = "oom"
    return case
