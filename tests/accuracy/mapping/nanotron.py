"""Nanotron's benchmark logs (2024): a 1.1B Llama on 8 to 64 H100 over layouts and micro-batches."""
from mapping import base

SOURCE = "huggingface_nanotron"


def map_row(row):
    facts, pp = row.facts, row.int("pp")
    if row.int("layers") % pp:
        return base.Skip("24 layers do not divide into the stages")
    assumed, incomparable = ["H100 SXM, eight a node"], {}
    if row.int("gpus") > 8:
        assumed.append("EFA at 50 GB/s a GPU")
    if pp > 1:
        # Blocks are dealt by cost, the head among them: the first stage, whose memory is logged, holds
        # one or two layers more than its even share.
        assumed.append("even stages")
        incomparable["memory"] = "the first stage holds more layers than its even share"
    if "one_step_of" in facts:
        incomparable["time"] = f"one step of {facts['one_step_of']} ms among steps three times as long"
    if "slow" in facts:
        incomparable["time"] = "3.5 times the time of its neighbour with a smaller micro-batch"
    case = base.Case(
        base.scenario(
            base.llama(row, tied=True),
            "h100-sxm-80gb",
            training=base.training(
                row,
                kind="pretrain",
                precision="bf16-mixed",
                stack="nanotron",
                recompute="none",
                fused_loss=False,
            ),
            count=row.int("gpus"),
            layout=base.layout(row, zero=1, sequence_parallel=row.int("tp") > 1),
            internode_gb_s_per_gpu=50 if row.int("gpus") > 8 else None,
        ),
        base.measured(row),
        assumed,
        incomparable,
    )
    case.measured["memory"] = {"allocated": row.float("allocated_gib"), "reserved": row.float("reserved_gib")}
    return case
