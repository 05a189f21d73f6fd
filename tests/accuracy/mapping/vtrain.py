"""vTrain's ground truth: small GPTs on one node, Megatron-DeepSpeed, every tp, pp, dp mix."""
from mapping import base

SOURCE = "vtrain_a100"


def map_row(row):
    return base.Case(
        base.scenario(
            base.gpt(row, positions=1024),
            "a100-sxm-80gb",  # memory size not stated; only time was measured
            training=base.training(
                row,
                kind="pretrain",
                precision="fp16-mixed",
                stack="megatron-deepspeed",
                recompute="full",
                flash_attention=False,
            ),
            count=row.int("gpus"),
            layout=base.layout(row, zero=0),
        ),
        base.measured(row),
    )
