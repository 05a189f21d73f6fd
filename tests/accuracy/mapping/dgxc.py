"""NVIDIA DGX Cloud benchmarking recipes (NeMo; MaxText for Llama-2-70B). Recompute is not stated:
none is assumed, as the recipes of that time set none for these layouts."""
import re

from mapping import base

SOURCE = "nvidia_dgxc_benchmarking"


def model(row):
    name = row["model"]
    if name.startswith("Nemotron-4"):
        return base.nemotron(row)
    if name == "GPT-3-175B":
        row = base.Row(row)
        row["vocab"] = row["vocab"] or "51200"
        return base.gpt(row, positions=2048)
    if name.startswith("Grok"):
        shape = base.llama(row)
        shape["head_dim"] = 128
        shape["moe"] = {
            "experts": 8,
            "experts_per_token": 2,
            "ffn_hidden": row.int("moe_ffn"),
            "layers": row.int("layers"),
            "first_dense_layers": 0,
        }
        shape["ffn_hidden"] = row.int("moe_ffn")
        return shape
    if name == "DeepSeek-V3":
        return "deepseek-v3"
    return base.llama(row)


def map_row(row):
    facts = row.facts
    if "hybrid_mamba" in facts:
        return base.Skip("hybrid Mamba layers are not described by a transformer's shape")
    assumed = ["no recompute"]
    if "micro_batch_assumed" in facts:
        assumed.append("micro-batch 1")
    if row["model"] == "GPT-3-175B":
        assumed.append("vocabulary 51200")
    row = base.Row(row)
    tp, pp, cp = row.int("tp"), row.int("pp", 1), row.int("cp", 1)
    dp = row.int("gpus") // (tp * pp * cp)
    row["dp"] = str(dp)
    if row["model"] == "Nemotron-4-340B" and not row.get("vpp"):
        row["vpp"] = "12"
        assumed.append("12 virtual stages, as the same recipe's next release prints")
    if row.int("vpp"):
        row["vpp"] = str(base.virtual_stages(row, row.int("layers")))
    group = None
    fsdp = "FSDP" in row["sharding"]
    if fsdp:
        # One FSDP group of 64, 128 or 256 GPUs in the recipe's table of scales.
        group = min(dp, 128)
        assumed.append(f"FSDP group of {group}")
    training = base.training(
        row,
        kind=row["method"],
        precision="fp8" if row["precision"] == "FP8" else "bf16-mixed",
        stack="maxtext" if "maxtext" in facts else "nemo",
        recompute="none",
        fused_loss=False,
        compile="maxtext" in facts,
    )
    if row["method"] == "lora":
        training["lora"] = base.nemo_lora()
        assumed.append("rank 16 on q, k, v")
    incomparable = {}
    if fsdp:
        # Without recompute two 4096-token sequences of a 70B do not fit beside the states.
        training["recompute"] = "full"
        assumed[0] = "full recompute"
    if row.int("batch") % (row.int("micro_batch") * dp):
        return base.Skip("printed batch is not a multiple of micro-batch and data ranks")
    return base.Case(
        base.scenario(
            model(row),
            base.gpu_id(row["gpu"]),
            training=training,
            count=row.int("gpus"),
            layout=base.layout(
                row, zero=3 if fsdp else 1, shard_group=group, sequence_parallel=tp > 1
            ),
        ),
        base.measured(row),
        assumed,
        incomparable,
    )
