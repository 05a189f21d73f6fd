"""What the mapping modules share: rows, names, and how a case is put together."""
import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

SOURCES = Path(__file__).resolve().parent.parent / "sources"


class Row(dict):
    """One measured row: strings as in the file, the file's constants filled in."""

    def int(self, name, default=None):
        value = self.get(name, "")
        return int(float(value)) if value else default

    def float(self, name, default=None):
        value = self.get(name, "")
        return float(value) if value else default

    @property
    def facts(self):
        """The `facts` column as a dictionary; a bare fact is True."""
        out = {}
        for part in self.get("facts", "").split(";"):
            if part:
                name, _, value = part.partition("=")
                out[name] = value or True
        return out

    def need(self, *names):
        """The first named column that is empty, or None."""
        return next((n for n in names if not self.get(n)), None)


def read(source):
    """Rows of sources/<source>.csv, or of every file of sources/<source>/. Lines "# key: value"
    describe the file, "#= column: value" is a column that is the same in every row."""
    folder = SOURCES / source
    if folder.is_dir():
        return [row for path in sorted(folder.glob("*.csv")) for row in read(f"{source}/{path.stem}")]
    constants, lines = {}, []
    with open(SOURCES / f"{source}.csv", encoding="utf-8", newline="") as handle:
        for line in handle:
            if line.startswith("#= "):
                name, _, value = line[3:].rstrip("\n").partition(": ")
                constants[name] = value
            elif line.startswith("# cite_prefix: "):
                constants["cite_prefix"] = line[len("# cite_prefix: "):].rstrip("\n")
            elif not line.startswith("#"):
                lines.append(line)
    rows = []
    for record in csv.DictReader(lines):
        row = Row(constants)
        row.update(record)
        row["cite"] = constants.get("cite_prefix", "") + row.get("cite", "")
        rows.append(row)
    return rows


@dataclass
class Skip:
    """A row that cannot be mapped, and why."""

    reason: str


@dataclass
class Case:
    """A scenario beside what was measured.

    measured: step_s or tokens_s_gpu; memory {allocated, reserved, device: GiB}; verdict fits or
    oom; last_stage where only the last pipeline stage was measured.
    assumed: what the source does not state and the mapping supplies; empty for a complete row.
    assumed_for_time: likewise what memory does not depend on.
    incomparable: why the time or the memory of this row says nothing about a tuned run of it.
    """

    scenario: dict
    measured: dict
    assumed: list = field(default_factory=list)
    incomparable: dict = field(default_factory=dict)
    assumed_for_time: list = field(default_factory=list)


GPUS = (
    (r"A100.*PCI.*80", "a100-pcie-80gb"),
    (r"A100.*PCI", "a100-pcie-40gb"),
    (r"A100.*40 ?GB", "a100-sxm-40gb"),
    (r"A100", "a100-sxm-80gb"),
    (r"A800", "a800-sxm-80gb"),
    (r"GB300", "gb300-nvl72"),
    (r"GB200", "gb200-nvl72"),
    (r"B300", "b300-sxm-288gb"),
    (r"B200", "b200-sxm-180gb"),
    (r"H200-NVL", "h200-nvl-141gb"),
    (r"H200", "h200-sxm-141gb"),
    (r"H20", "h20-96gb"),
    (r"H800", "h800-sxm-80gb"),
    (r"H100.*NVL", "h100-nvl-94gb"),
    (r"H100.*PCI", "h100-pcie-80gb"),
    (r"H100", "h100-sxm-80gb"),
    (r"V100.*16", "v100-sxm2-16gb"),
    (r"V100", "v100-sxm2-32gb"),
    (r"A10G", "a10g"),
    (r"RTX A5000", "rtx-a5000"),
    (r"A6000 ?48|RTX A6000|A6000-48", "rtx-a6000"),
    (r"6000 Ada", "rtx-6000-ada"),
    (r"3090", "rtx-3090"),
    (r"4090", "rtx-4090"),
    (r"4070 Ti SUPER", "rtx-4070-ti-super"),
    (r"2080", "rtx-2080-ti"),
    (r"L40S", "l40s"),
    (r"T4", "t4"),
    (r"MI300X", "mi300x"),
    (r"MI325X", "mi325x"),
    (r"MI350X", "mi350x"),
    (r"MI355X", "mi355x"),
    (r"910B|Atlas 800T A2|Atlas 900 A2", "ascend-910b1"),
)


def gpu_id(name):
    """The catalogue's id of a GPU as a source names it, or None."""
    return next((gid for pattern, gid in GPUS if re.search(pattern, name)), None)


# Models that the catalogue has, by the names that the sources use.
MODELS = {
    "Llama-2-7B": "llama-2-7b",
    "Llama-2-13B": "llama-2-13b",
    "Llama-2-70B": "llama-2-70b",
    "Llama-3-8B": "llama-3-8b",
    "Llama-3-70B": "llama-3-70b",
    "Llama-3.1-8B": "llama-3.1-8b",
    "Llama-3.1-70B": "llama-3.1-70b",
    "Llama-3.1-405B": "llama-3.1-405b",
    "Llama-3.2-1B": "llama-3.2-1b",
    "Llama-3.2-3B": "llama-3.2-3b",
    "LLaMA-7B": "llama-7b",
    "LLaMA-1-7B": "llama-7b",
    "LLaMA-13B": "llama-13b",
    "LLaMA-1-13B": "llama-13b",
    "LLaMA-1-33B": "llama-33b",
    "LLaMA-65B": "llama-65b",
    "LLaMA-1-65B": "llama-65b",
    "CodeLlama-34B": "codellama-34b",
    "LLaMA2-34B": "codellama-34b",
    "Mistral-7B": "mistral-7b-v0.1",
    "Mixtral-8x7B": "mixtral-8x7b",
    "Mixtral-8x22B": "mixtral-8x22b",
    "Yi-34B": "yi-34b",
    "Qwen-1.8B": "qwen1.5-1.8b",
    "Qwen-7B": "qwen1.5-7b",
    "Qwen-14B": "qwen1.5-14b",
    "Qwen-72B": "qwen1.5-72b",
    "Qwen1.5-0.5B": "qwen1.5-0.5b",
    "Qwen1.5-1.8B": "qwen1.5-1.8b",
    "Qwen1.5-4B": "qwen1.5-4b",
    "Qwen1.5-7B": "qwen1.5-7b",
    "Qwen1.5-14B": "qwen1.5-14b",
    "Qwen1.5-32B": "qwen1.5-32b",
    "Qwen1.5-72B": "qwen1.5-72b",
    "Qwen1.5-110B": "qwen1.5-110b",
    "Qwen1.5-MoE-A2.7B": "qwen1.5-moe-a2.7b",
    "Qwen/Qwen1.5-MoE-A2.7B": "qwen1.5-moe-a2.7b",
    "Qwen2-0.5B": "qwen2-0.5b",
    "Qwen2-1.5B": "qwen2-1.5b",
    "Qwen2-7B": "qwen2-7b",
    "Qwen2-72B": "qwen2-72b",
    "Qwen2.5-3B": "qwen2.5-3b",
    "Qwen/Qwen2.5-3B": "qwen2.5-3b",
    "Qwen/Qwen2.5-3B-Instruct": "qwen2.5-3b",
    "Qwen2.5-7B": "qwen2.5-7b",
    "Qwen/Qwen2.5-7B-Instruct-AWQ": "qwen2.5-7b",
    "Qwen2.5-14B": "qwen2.5-14b",
    "Qwen2.5-72B": "qwen2.5-72b",
    "Qwen3-14B": "qwen3-14b",
    "Qwen3-30B-A3B": "qwen3-30b-a3b",
    "Qwen3-235B-A22B": "qwen3-235b-a22b",
    "DeepSeek-V3": "deepseek-v3",
    "Kimi-K2": "kimi-k2",
    "gpt-oss-120b": "gpt-oss-120b",
    "gpt-oss-20b": "gpt-oss-20b",
    "openai-mirror/gpt-oss-20b": "gpt-oss-20b",
    "moonshotai/Moonlight-16B-A3B-Instruct": "moonlight-16b-a3b",
    "ZhipuAI/GLM-4.5-Air": "glm-4.5-air",
    "ChatGLM3-6B": "chatglm3-6b",
    "GLM4-9B": "glm-4-9b",
    "Baichuan2-7B": "baichuan2-7b",
    "Baichuan2-13B": "baichuan2-13b",
    "Gemma-2B": "gemma-2b",
    "Gemma-7B": "gemma-7b",
    "Gemma-2-2B": "gemma-2-2b",
    "Gemma-2-9B": "gemma-2-9b",
    "Gemma2-27B": "gemma-2-27b",
    "Falcon-7B": "falcon-7b",
    "Falcon-40B": "falcon-40b",
    "phi-2": "phi-2",
    "Phi-3-mini-4k": "phi-3-mini",
    "TinyLlama-1.1B": "tinyllama-1.1b",
    "MiniCPM-2B": "minicpm-2b",
    "DeepSeek-V2-Lite (16B, \"14B\" in source)": "deepseek-v2-lite",
    "Bloom-176B": "bloom-176b",
    "Bloom-7B1": "bloom-7b1",
    "Grok-1-314B": "grok-1",
    "Nemotron-4-340B": "nemotron-4-340b",
}


def shape(row, *, gated, norm, tied, bias=False, learned_positions=0, **more):
    """An explicit architecture from the row's own columns; `bias` sets all but the head's."""
    hidden, heads = row.int("hidden"), row.int("heads")
    model = {
        "layers": row.int("layers"),
        "hidden": hidden,
        "heads": heads,
        "kv_heads": row.int("kv_heads", heads),
        "head_dim": hidden // heads,
        "ffn_hidden": row.int("ffn", 4 * hidden),
        "gated": gated,
        "vocab": row.int("vocab"),
        "tied_embeddings": tied,
        "norm": norm,
        "learned_positions": learned_positions,
        "bias_qkv": bias,
        "bias_attention_out": bias,
        "bias_mlp": bias,
    }
    model.update(more)
    return model


def gpt(row, positions, **more):
    """A GPT-2 style decoder: LayerNorm, plain MLP, biases, tied embeddings, learned positions."""
    defaults = dict(gated=False, norm="layernorm", tied=True, bias=True, learned_positions=positions)
    defaults.update(more)
    return shape(row, **defaults)


def llama(row, **more):
    """A Llama style decoder: RMSNorm, SwiGLU, no biases, untied embeddings."""
    defaults = dict(gated=True, norm="rmsnorm", tied=False)
    defaults.update(more)
    return shape(row, **defaults)


def nemotron(row):
    """A Nemotron-4: LayerNorm, squared ReLU, no biases, untied embeddings (arXiv 2402.16819)."""
    return shape(row, gated=False, norm="layernorm", tied=False)


def training(row, *, stack, kind="pretrain", precision="bf16-mixed", recompute="none", **more):
    """What is trained and how; lengths and batches are the row's unless the mapping says otherwise."""
    out = {
        "kind": kind,
        "precision": precision,
        "optimizer": "adamw",
        "stack": stack,
        "recompute": recompute,
        "flash_attention": True,
        "sequence_length": row.int("seq"),
        "micro_batch": row.int("micro_batch"),
        "global_batch": row.int("batch"),
    }
    out.update(more)
    return out


def scenario(model, gpu, *, training, count, layout, **cluster):
    return {
        "version": 1,
        "model": model,
        "training": training,
        "cluster": {"gpu": gpu, "count": count, **{k: v for k, v in cluster.items() if v is not None}},
        "layout": layout,
    }


def nemo_lora():
    """Adapters as NeMo's and Megatron-Bridge's recipes have them: on the fused product of attention."""
    return {"rank": 16, "targets": ["q_proj", "k_proj", "v_proj"]}


def data_parallel(count, zero=0):
    return {"tp": 1, "pp": 1, "cp": 1, "dp": count, "zero": zero}


def virtual_stages(row, layers):
    """The row's virtual stages, at most one layer each: recipes that count the embedding and the head
    as layers may print one more."""
    return min(row.int("vpp", 1), layers // row.int("pp", 1))


def layout(row, *, zero=0, **more):
    """tp, pp, cp, ep, dp and virtual stages of the row; dp follows from the GPU count if absent.
    Sequence parallelism is off unless the mapping says otherwise."""
    tp, pp, cp = row.int("tp", 1), row.int("pp", 1), row.int("cp", 1)
    dp = row.int("dp") or row.int("gpus") // (tp * pp * cp)
    out = {"tp": tp, "pp": pp, "cp": cp, "dp": dp, "zero": zero, "sequence_parallel": False}
    if row.int("ep", 1) > 1:
        out["ep"] = row.int("ep")
    if row.int("vpp", 1) > 1:
        out["virtual_stages"] = row.int("vpp")
    out.update({k: v for k, v in more.items() if v is not None})
    return out


def measured(row, memory_kind=None, time=True, memory=True):
    """The row's figures. Time as seconds of a step where the source has it, else tokens/s/GPU."""
    out = {}
    if time and row.float("step_s"):
        out["step_s"] = row.float("step_s")
    if time and row.float("tokens_s_gpu"):
        out["tokens_s_gpu"] = row.float("tokens_s_gpu")
    if memory and memory_kind and row.float("memory_gib"):
        out["memory"] = {memory_kind: row.float("memory_gib")}
    return out
