"""Megatron-LM's README tables: Megatron-Core on H100, Narayanan et al. 2021 (Table 1), Korthikanti et
al. 2022. Micro-batch sizes are not printed; the papers' are used where known."""
from mapping import base

SOURCE = "nvidia_megatron_lm_readme"

# Heads of Narayanan et al., arXiv 2104.04473, Table 1, by layer count and hidden size.
HEADS_2021 = {
    2304: 24, 3072: 32, 4096: 32, 6144: 48, 8192: 64, 10240: 80, 12288: 96, 16384: 128, 20480: 128,
    25600: 160,
}


def model_flops(row):
    """Model flops of a step by the table's convention: 72*B*s*L*h^2*(1 + s/6h + V/12Lh)."""
    s, h, v, depth = row.int("seq"), row.int("hidden"), row.int("vocab"), row.int("layers")
    return 72 * row.int("batch") * s * depth * h * h * (1 + s / (6 * h) + v / (12 * depth * h))


def map_row(row):
    row = base.Row(row)
    kind = row["id"]
    number = int(kind.split("-")[1])
    assumed, out = [], base.measured(row)
    flash, recompute, sp, stack = True, "none", True, "megatron"
    micro, vpp = 1, None
    if number <= 9:
        # Heads of the H100 table are printed; the batch keeps 4 sequences a data rank.
        row["heads"] = row["heads"] or str(row.int("hidden") // 128)
        row["ffn"] = row["ffn"] or str(4 * row.int("hidden"))
        assumed = ["micro-batch 1", "no recompute", "sequence parallelism", "FFN of 4 hidden sizes"]
        out["step_s"] = model_flops(row) / (row.float("tflops") * 1e12 * row.int("gpus"))
        precision = "bf16-mixed"
        if row.int("pp", 1) > 1:
            for v in (12, 10, 8, 7, 6, 4, 3, 2):
                if row.int("layers") % (row.int("pp") * v) == 0:
                    vpp = v
                    break
    elif number <= 19:
        row["heads"] = str(HEADS_2021[row.int("hidden")])
        flash, recompute, sp, stack = False, "full", False, "megatron-2021"
        assumed = ["micro-batch 1 (4 for one stage)"]
        micro = 4 if row.int("pp", 1) == 1 else 1
        precision = "fp16-mixed"
    else:
        flash, recompute, stack = False, "selective", "megatron-2021"
        precision = "fp16-mixed"
        micro = {20: 4, 21: 1, 22: 1, 23: 1}[number]
        vpp = {21: 3, 22: 3}.get(number)
        assumed = ["micro-batch and virtual stages from arXiv 2205.05198, Table 3"]
        out["step_s"] = model_flops(row) / (row.float("tflops") * 1e12 * row.int("gpus"))
    if vpp:
        row["vpp"] = str(vpp)
    plan = base.layout(row, zero=1 if number <= 9 else 0, sequence_parallel=sp and row.int("tp") > 1)
    if row.int("layers") % row.int("pp", 1):
        return base.Skip("layers do not divide into the stages")
    return base.Case(
        base.scenario(
            base.gpt(row, positions=row.int("seq")),
            base.gpu_id(row["gpu"]),
            training=base.training(
                row,
                kind="pretrain",
                precision=precision,
                stack=stack,
                recompute=recompute,
                flash_attention=flash,
                micro_batch=micro,
            ),
            count=row.int("gpus"),
            layout=plan,
        ),
        out,
        assumed,
    )
