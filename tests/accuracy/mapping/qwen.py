"""Qwen's README profile: LoRA, QLoRA (GPTQ int4) and full fine-tuning on A100-80GB, sequences of 256
to 8192, 8 accumulated micro-batches of one. The printed G is taken as 1000 of nvidia-smi's MiB: a pair
of cards at 162.0G would be past their 81,920 MiB each if it were GiB."""
from mapping import base

SOURCE = "qwen_readme_finetune"


def map_row(row):
    facts, method = row.facts, row["method"]
    row = base.Row(row)
    if "trains_embeddings" in facts:
        return base.Skip("adapters beside fully trained embeddings and head")
    row["memory_gib"] = str(row.float("memory_gib") * 1000 / 1024)
    count = row.int("gpus")
    label = str(facts.get("label", ""))
    sharding = row["sharding"]
    zero = 3 if "ZeRO-3" in sharding else 2 if "ZeRO-2" in sharding or "ZeRO (" in sharding else 0
    if method == "qlora" and count == 1:
        zero = 2  # finetune_qlora_single_gpu.sh runs DeepSpeed, on one rank
    assumed = ["full recompute, rank and targets as in the repository's scripts", "G is 1000 MiB"]
    training = base.training(
        row,
        kind=method,
        precision="fp16-mixed" if method == "qlora" else "bf16-autocast" if method == "full" and count == 1 else "bf16-mixed",
        stack="qwen-deepspeed" if method == "qlora" else "deepspeed" if zero else "qwen",
        recompute="full",
        micro_batch=1,
        global_batch=8 * count,
    )
    if method != "full":
        training["lora"] = {"rank": 64, "targets": ["all-linear"]}
    if method == "qlora":
        training["lora"]["quantization"] = "gptq"
    return base.Case(
        base.scenario(
            base.MODELS[row["model"]],
            "a100-sxm-80gb",
            training=training,
            count=count,
            layout=base.data_parallel(count, zero),
            per_node=2 if "multinode" in label else None,
        ),
        base.measured(row, "device"),
        assumed,
        {"time": "two servers, network not stated"} if "multinode" in label else {},
    )
