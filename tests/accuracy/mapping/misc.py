"""Single figures from many repositories: papers' tables, training scripts, blog posts."""
import re

from mapping import base

SOURCE = "misc_repos"


def tinyllama(row):
    return base.Case(
        base.scenario(
            "tinyllama-1.1b",
            "a100-sxm-40gb",
            training=base.training(row, stack="fsdp", micro_batch=8, global_batch=1024, fused_loss=True),
            count=16,
            layout=base.data_parallel(16, 3),
        ),
        base.measured(row),
    )


def flash_attention_repo(row):
    """FlashAttention's training scripts: GPT-3 sizes on 8 A100-80GB, fused kernels."""
    row = base.Row(row)
    row["kv_heads"] = row["heads"]
    row["vocab"] = "50304"
    micro = {768: 16, 1024: 8, 1536: 8, 2048: 4, 2560: 4}[row.int("hidden")]
    return base.Case(
        base.scenario(
            base.gpt(row, positions=row.int("seq")),
            "a100-sxm-80gb",
            training=base.training(row, stack="flash-attention", micro_batch=micro, fused_loss=True),
            count=8,
            layout=base.data_parallel(8, 0),
        ),
        base.measured(row),
        [f"micro-batch {micro}"],
    )


def llm_c(row):
    return base.Case(
        base.scenario(
            base.gpt(row, positions=row.int("seq")),
            base.gpu_id(row["gpu"]),
            training=base.training(row, stack="llm.c", fused_loss=True),
            count=8,
            layout=base.data_parallel(8, 1),
        ),
        base.measured(row),
        [],
        {"time": "faster than the GPU's peak allows: a slip in the script's comment"} if row["flag"] else {},
    )


def nanochat(row):
    return base.Skip("value embeddings, ReLU^2 and windowed layers outside a plain shape; batch not printed")


def megatron_2020(row):
    """Megatron-LM's weak scaling of 2020: fp16, checkpointing, DGX-2 and DGX A100 nodes."""
    batch = row.int("batch")
    tp = row.int("tp", 1)
    dp = row.int("gpus") // tp
    if dp > 1:
        micro = batch // dp
    else:
        micro = batch
    return base.Case(
        base.scenario(
            base.gpt(row, positions=1024),
            base.gpu_id(row["gpu"]),
            training=base.training(
                row, stack="megatron-2021", micro_batch=micro, global_batch=batch, precision="fp16-mixed",
                recompute="full", flash_attention=False,
            ),
            count=row.int("gpus"),
            layout=base.layout(row, zero=0),
        ),
        base.measured(row),
        ["whole local batch in one micro-batch"],
    )


def mt_nlg(row):
    return base.Case(
        base.scenario(
            base.gpt(row, positions=2048),
            "a100-sxm-80gb",
            training=base.training(
                row, stack="megatron-deepspeed", micro_batch=1,
                recompute="full", flash_attention=False,
            ),
            count=row.int("gpus"),
            layout=base.layout(row, zero=0),
        ),
        base.measured(row),
    )


def korthikanti(row):
    """Korthikanti et al. 2022, Table 5: full recompute against selective with sequence parallelism."""
    selective = row["recompute"].startswith("selective")
    row = base.Row(row)
    vpp = {12288: "3", 20480: "3"}.get(row.int("hidden"))
    if vpp:
        row["vpp"] = vpp
    return base.Case(
        base.scenario(
            base.gpt(row, positions=2048),
            "a100-sxm-80gb",
            training=base.training(
                row, stack="megatron-2021",
                precision="fp16-mixed", flash_attention=False,
                recompute="selective" if selective else "full",
            ),
            count=row.int("gpus"),
            layout=base.layout(row, zero=0, sequence_parallel=selective),
        ),
        base.measured(row),
    )


def deepspeed_azure(row):
    """DeepSpeed ZeRO-3 on Azure: the best point of each figure, hardware flops with recompute."""
    if not row.get("micro_batch"):
        return base.Skip("micro-batch not stated")
    row = base.Row(row)
    row["vocab"] = "51200"
    s, h, depth = row.int("seq"), row.int("hidden"), row.int("layers")
    batch = row.int("batch")
    work = 96 * batch * s * depth * h * h * (1 + s / (6 * h) + 51200 / (16 * depth * h))
    return base.Case(
        base.scenario(
            base.gpt(row, positions=s),
            "a100-sxm-80gb",
            training=base.training(
                row, stack="deepspeed", global_batch=batch, precision="fp16-mixed",
                recompute="full", flash_attention=False,
            ),
            count=row.int("gpus"),
            layout=base.data_parallel(row.int("gpus"), 3),
            internode_gb_s_per_gpu=25,
        ),
        {"step_s": work / (row.float("tflops") * 1e12 * row.int("gpus"))},
        ["vocabulary 51200"],
    )


def granite(row):
    deepspeed = "DeepSpeed" in row["sharding"]
    tokens = row.float("tokens_s_gpu") * row.float("step_s") * 4
    batch = round(tokens / 4096)
    micro = 8
    return base.Case(
        base.scenario(
            "llama-2-7b",
            "a100-sxm-80gb",
            training=base.training(
                row, stack="deepspeed" if deepspeed else "fsdp", micro_batch=micro, global_batch=max(micro * 4, batch // (micro * 4) * micro * 4),
                kind="full", recompute="full",
            ),
            count=4,
            layout=base.data_parallel(4, 3),
        ),
        base.measured(row),
        ["full recompute"],
    )


def hf_70b(row):
    return base.Case(
        base.scenario(
            "llama-2-70b",
            "a100-sxm-80gb",
            training=base.training(row, stack="fsdp", micro_batch=1, global_batch=16, kind="full", recompute="full"),
            count=16,
            layout=base.data_parallel(16, 3),
            internode_gb_s_per_gpu=6.25,
        ),
        base.measured(row),
        ["EFA at 50 GB/s a node"],
        {"time": "hours of a whole job with evaluation and saving"},
    )


def lomo(row):
    if row["method"] == "qlora":
        return base.Skip("sequence length and batch not stated")
    return base.Skip("LOMO is not one of the optimizers")


def galore(row):
    return base.Skip("GaLore is not one of the optimizers")


RULES = (
    (r"^TinyLlama", lambda row: tinyllama(row) if row["id"] == "misc-001" else base.Skip("projection or rough total")),
    (r"^GPT3-", flash_attention_repo),
    (r"^GPT-2 \d+M$|^GPT-3 125M", lambda row: llm_c(row) if row["sharding"] == "ZeRO-1" else base.Skip("total days only")),
    (r"^nanochat", nanochat),
    (r"^GPT [1248]B$", megatron_2020),
    (r"^MT-NLG-530B", lambda row: mt_nlg(row) if int(row["id"][5:]) < 63 else korthikanti(row)),
    (r"^GPT-22B|^GPT-3-175B|^GPT-1T", korthikanti),
    (r"^GPT (175B|530B|1T|2T)", lambda row: deepspeed_azure(row) if row.get("layers") else base.Skip("architecture not stated")),
    (r"^Granite", granite),
    (r"^Llama-2-70B", lambda row: hf_70b(row) if row["id"] == "misc-084" else base.Skip("layout not stated")),
    (r"^LLaMA-(7B|65B)", lambda row: galore(row) if "GaLore" in row["optimizer"] else lomo(row) if row["recompute"] == "full" else base.Skip("real sample lengths vary or batch not stated")),
)


def map_row(row):
    if row["flag"] and not row["id"] == "misc-013":
        return base.Skip("flagged by its source: inconsistent or doubtful")
    for pattern, rule in RULES:
        if re.match(pattern, row["model"]):
            return rule(row)
    missing = row.need("layers", "seq", "micro_batch", "gpus")
    if missing:
        names = {"layers": "architecture", "seq": "sequence length", "micro_batch": "micro-batch", "gpus": "GPU count"}
        return base.Skip(f"{names[missing]} not stated")
    return base.Skip("layout not stated")
