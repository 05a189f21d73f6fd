"""Rows that contributors measured with measure/measure.py, in sources/contributed/*.csv: all three
kinds of memory, and the time of a step, of one GPU."""
from mapping import base

SOURCE = "contributed"


def map_row(row):
    row = base.Row(row)
    if row["outcome"] == "error":
        return base.Skip("the run failed for another reason than memory")
    model = {
        "layers": row.int("layers"),
        "hidden": row.int("hidden"),
        "heads": row.int("heads"),
        "kv_heads": row.int("kv_heads"),
        "head_dim": row.int("hidden") // row.int("heads"),
        "ffn_hidden": row.int("ffn"),
        "gated": True,
        "vocab": row.int("vocab"),
        "tied_embeddings": False,
        "norm": "rmsnorm",
    }
    training = base.training(
        row,
        kind=row["method"],
        precision=row["precision"],
        optimizer=row["optimizer"],
        stack="hf",
        recompute=row["recompute"],
        flash_attention=row["attention"] != "eager",
        fused_loss=row["loss"] == "fused",
        global_batch=row.int("micro_batch"),
    )
    if row["method"] in ("lora", "qlora"):
        training["lora"] = {"rank": row.int("rank"), "targets": ["all-linear"]}
    if row["method"] == "qlora":
        training["lora"]["quantization"] = "nf4-double"
    gpu = base.gpu_id(row["gpu"])
    if gpu is None:
        return base.Skip(f"{row['gpu']} has no entry in the mapping's GPU names")
    if row.get("power_limit_w"):
        gpu = {"base": gpu, "power_limit_w": row.float("power_limit_w")}
    case = base.Case(
        base.scenario(
            model, gpu, training=training, count=1,
            layout=base.data_parallel(1, 0),
        ),
        {},
    )
    if row["outcome"] == "oom":
        case.measured["verdict"] = "oom"
        return case
    case.measured["step_s"] = row.float("step_s")
    case.measured["memory"] = {
        kind: row.float(f"{kind}_gib") for kind in ("allocated", "reserved", "device") if row.get(f"{kind}_gib")
    }
    return case
