"""MosaicML's llm-foundry table: MPT 125M to 70B under FSDP, sequences of 512 to 65k."""
from mapping import base

SOURCE = "mosaicml_llm_foundry"


def map_row(row):
    facts = row.facts
    node_gbps = facts.get("node_gbps")
    return base.Case(
        base.scenario(
            base.gpt(row, positions=row.int("seq")),
            base.gpu_id(row["gpu"]),
            training=base.training(
                row,
                kind="pretrain",
                precision="fp8" if row["precision"] == "amp_fp8" else "bf16-mixed",
                stack="llm-foundry-pure" if facts["mode"] == "PURE" else "llm-foundry",
                recompute=row["recompute"],
                fused_loss=True,
            ),
            count=row.int("gpus"),
            layout=base.layout(row, zero=2 if "GRAD_OP" in row["sharding"] else 3),
            internode_gb_s_per_gpu=int(node_gbps) / 8 / 8 if node_gbps else None,
        ),
        base.measured(row),
    )
