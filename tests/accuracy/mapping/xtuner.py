"""XTuner's speed table: full fine-tuning at 8 thousand to a million tokens on 8 to 64 A100, sequences
split over GPUs between attention's heads (Ulysses)."""
from mapping import base

SOURCE = "internlm_xtuner"


def map_row(row):
    return base.Case(
        base.scenario(
            base.MODELS[row["model"]],
            base.gpu_id(row["gpu"]),
            training=base.training(
                row,
                kind="full",
                precision="fp16-mixed",
                stack="xtuner",
                recompute="full",
                fused_loss=False,
            ),
            count=row.int("gpus"),
            layout=base.layout(row, zero=3),
        ),
        base.measured(row),
        ["ZeRO-3", "full recompute", "attention over the whole packed sequence"],
    )
