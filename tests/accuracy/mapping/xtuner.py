"""XTuner's speed table: full fine-tuning at 8 thousand to a million tokens on 8 to 64 A100, sequences
split over GPUs between attention's heads (Ulysses)."""
from mapping import base

SOURCE = "internlm_xtuner"


def map_row(row):
    return base.Case(
        base.scenario(
            base.MODELS[row["model"]],
            base.gpu_id(row["gpu"]),
            training={
                "kind": "full",
                "precision": "fp16-mixed",
                "optimizer": "adamw",
                "stack": "xtuner",
                "recompute": "full",
                "flash_attention": True,
                "fused_loss": False,
                "sequence_length": row.int("seq"),
                "micro_batch": row.int("micro_batch"),
                "global_batch": row.int("batch"),
            },
            count=row.int("gpus"),
            layout=base.layout(row, zero=3),
        ),
        base.measured(row),
        ["ZeRO-3", "full recompute", "attention over the whole packed sequence"],
    )
