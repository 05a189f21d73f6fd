"""MindSpeed-LLM's tables: Ascend 910B-class throughput. Layout and batch come from the scripts of the
same release; rows without a resolved script, and the unnamed reference GPU's, cannot be mapped."""
from mapping import base

SOURCE = "ascend_mindspeed_llm"


def map_row(row):
    if row["gpu"].startswith("reference GPU"):
        return base.Skip("the reference GPU is not named")
    if "unreleased" in row["gpu"]:
        return base.Skip("unreleased hardware")
    if not row.get("tp"):
        return base.Skip("layout and batch not resolved from a script")
    name = row["model"]
    row = base.Row(row)
    facts = row.facts
    assumed = ["the script of the release is the one measured"]
    if name in base.MODELS:
        model = base.MODELS[name]
    elif name in ("Aquila-7B", "Aquila2-7B", "Baichuan-7B", "InternLM-7B", "Aquila2-34B", "InternLM2-20B", "Baichuan-13B"):
        vocab = {"Aquila": "100008", "Aquila2": "100008", "Baichuan": "64000", "InternLM2": "92544"}
        row["vocab"] = row["vocab"] or vocab[name.split("-")[0]]
        model = base.llama(row)
    elif name.startswith("GPT3"):
        row["vocab"] = "50304"
        model = base.gpt(row, positions=2048)
        assumed.append("vocabulary 50304")
    else:
        return base.Skip("architecture not stated")
    tp, pp, cp = row.int("tp"), row.int("pp", 1), row.int("cp", 1)
    count = row.int("gpus")
    if count % (tp * pp * cp):
        return base.Skip("the script's layout does not divide the GPU count")
    dp = count // (tp * pp * cp)
    row["dp"] = str(dp)
    if row.int("batch") % (row.int("micro_batch") * dp):
        return base.Skip("the script's batch is not a multiple of micro-batch and data ranks")
    if row.int("layers") and row.int("layers") % pp:
        return base.Skip("layers do not divide into the stages")
    return base.Case(
        base.scenario(
            model,
            "ascend-910b1",
            training=base.training(
                row,
                kind="pretrain",
                precision="fp16-mixed" if row["precision"] == "fp16" else "bf16-mixed",
                stack="mindspeed",
                recompute="full" if row["recompute"].startswith("full") else "none",
                flash_attention=row["flash"] == "yes",
            ),
            count=count,
            layout=base.layout(
                row, zero=1 if "ZeRO-1" in row["sharding"] else 0, sequence_parallel=tp > 1
            ),
        ),
        base.measured(row),
        assumed,
    )
