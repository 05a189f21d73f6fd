"""InternEvo's scaling and memory tables: InternLM-7B and 20B on A100/A800, 8 to 1,024 GPUs."""
import re

from mapping import base

SOURCE = "internevo"


def map_row(row):
    sharding = row["sharding"]
    group = re.search(r"over (\d+) GPUs", sharding)
    facts = row.facts
    assumed = []
    if facts.get("seq_default"):
        assumed.append("sequence length 2048 (the config's default)")
    # InternLM's linear layers in attention have biases.
    data = base.layout(row)["dp"]
    micro, accumulation = row.int("micro_batch"), row.int("grad_accum", 1)
    return base.Case(
        base.scenario(
            base.llama(row, bias_qkv=True, bias_attention_out=True),
            base.gpu_id(row["gpu"]),
            training=base.training(
                row,
                kind="pretrain",
                precision="bf16-mixed",
                stack="internevo",
                recompute=row["recompute"],
                micro_batch=micro,
                global_batch=row.int("batch") or micro * accumulation * data,
            ),
            count=row.int("gpus"),
            layout=base.layout(
                row,
                zero=3 if sharding == "FSDP" else 1,
                shard_group=int(group.group(1)) if group else None,
                sequence_parallel=False,
            ),
            internode_gb_s_per_gpu=6.25,
        ),
        base.measured(row, "reserved"),
        assumed,
    )
