"""Answer.AI's fsdp_qlora: 7B to 70B on pairs and quads of 24 to 80 GB cards, and what fits them."""
from mapping import base

SOURCE = "answerdotai_fsdp_qlora"


def map_row(row):
    facts, sharding = row.facts, row["sharding"]
    row = base.Row(row)
    count = row.int("gpus")
    qlora = row["method"] == "qlora"
    zero = 0 if sharding == "DDP" else 3
    offload = "CPU offload" in sharding
    gpu = base.gpu_id(row["gpu"])
    slow_board = "slow PCIe board" in row["gpu"] and zero == 3
    if gpu == "rtx-3090":
        gpu = {"base": gpu, "power_limit_w": 280}
        if slow_board:
            # Not said how slow: a second slot behind the chipset commonly has four lanes of PCIe 4.0.
            gpu["pcie_gb_s"] = 7.9
    outcome = row.get("outcome", "")
    if outcome.startswith("ambiguous"):
        return base.Skip("outcome ambiguous")
    if "1 fwd-bwd step" in outcome:
        return base.Skip("largest batch of one forward and backward pass, before the optimizer has states")
    assumed = ["full recompute"] if "recompute_assumed" in facts else []
    incomparable = {}
    if row["flag"] and "source_inconsistent" in row["flag"]:
        incomparable["time"] = "table and text disagree by a factor of two"
    if "activations_offloaded" in facts:
        incomparable["time"] = "activations offloaded too"
    training = base.training(
        row,
        kind=row["method"],
        precision="bf16-pure",
        stack="fsdp-qlora",
        recompute="full" if row["recompute"].startswith("full") else "none",
        global_batch=row.int("micro_batch") * count,
        lora={"rank": 64, "targets": ["q_proj", "k_proj", "v_proj", "gate_proj", "up_proj", "down_proj"]},
    )
    if qlora:
        training["lora"]["quantization"] = "nf4"
    case = base.Case(
        base.scenario(
            base.MODELS[row["model"]],
            gpu,
            training=training,
            count=count,
            layout={
                "tp": 1,
                "pp": 1,
                "cp": 1,
                "dp": count,
                "zero": zero,
                "offload": "parameters" if offload else "none",
            },
            per_node=count,
        ),
        base.measured(row, "reserved"),
        assumed,
        incomparable,
        ["four lanes of PCIe 4.0"] if slow_board else [],
    )
    if outcome.startswith("fits"):
        case.measured["verdict"] = "fits"
    elif outcome.startswith("OOM") or outcome.startswith("not possible"):
        case.measured["verdict"] = "oom"
    elif outcome.startswith("fails"):
        return base.Skip("host memory ran out, not the GPU's")
    return case
