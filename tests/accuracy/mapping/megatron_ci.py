"""Megatron-LM's functional tests: allocated peak of the last rank, and step time, for tiny GPTs with
every switch, and a few release-scale runs. Architecture details come from each test's
model_config.yaml, which the row cites."""
import re

from mapping import base

SOURCE = "nvidia_megatron_ci_memory"

# --vocab-size where the tokenizer is not GPT-2's; Llama2Tokenizer has 32,000.
LLAMA2_VOCAB = 32000

# --q-lora-rank, --kv-lora-rank, --qk-head-dim, --qk-pos-emb-head-dim, --v-head-dim
MLA_DEFAULTS = {"q_lora_rank": 0, "kv_lora_rank": 32}
MLA_DEEPSEEK = {"q_lora_rank": 1536, "kv_lora_rank": 512}
MLA_FSDP_PROXY = {"q_lora_rank": 256, "kv_lora_rank": 128}


def model(row, test):
    facts = row.facts
    release = "release" in facts
    rope = facts.get("position") == "rope"
    tied = "tied" in facts and "untied" not in facts
    plain_bias = not (release or "mla" in facts or "disable_bias" in test)
    shape = base.shape(
        row,
        gated="swiglu" in facts,
        norm="rmsnorm" if "mla" in facts or "mixtral" in test else "layernorm",
        tied=tied,
        bias=plain_bias,
        learned_positions=0 if rope else row.int("seq"),
    )
    if "7b_tp" in test:
        shape["vocab"] = row.int("vocab")
    if "qk_layernorm" in test:
        shape["qk_norm"] = True
    if "mla" in facts:
        ranks = MLA_DEEPSEEK
        if "tp2_pp2_mla" in test:
            ranks = MLA_DEFAULTS
        elif "deepseek_proxy_fsdp" in test:
            ranks = MLA_FSDP_PROXY
        shape["mla"] = {
            **ranks,
            "qk_nope_head_dim": 128,
            "qk_rope_head_dim": 64,
            "v_head_dim": 128,
        }
        shape["head_dim"] = 192
        shape["kv_heads"] = shape["heads"]
    if row.int("experts"):
        width = row.int("moe_ffn", row.int("ffn"))
        dense = {"deepseekv3_proxy": 3, "deepseek_proxy_fsdp": 3, "tp2_pp2_ep4_etp1": 1}
        first = next((n for key, n in dense.items() if key in test), 0)
        first = min(first, shape["layers"] - 1)
        shared = width if "mla" in facts else 0
        shape["moe"] = {
            "experts": row.int("experts"),
            "experts_per_token": row.int("topk"),
            "ffn_hidden": width,
            "shared_ffn_hidden": shared,
            "layers": shape["layers"] - first,
            "first_dense_layers": first,
        }
    return shape


def virtual_stages(row, test):
    """Megatron's tests give layers per virtual stage; the _vppN_ names give the stages."""
    value = row.int("vpp")
    if not value:
        return None
    if "memory_speed" in test and "ep4" in test or "attn_cudagraph" in test or "vp2" in test:
        return value
    per_rank = row.int("layers") // row.int("pp", 1)
    return max(1, per_rank // value)


def map_row(row):
    facts = row.facts
    test = re.search(r"test_cases/\w+/([^/]+)/", row["cite"]).group(1)
    if "nemotron3" in test:
        return base.Skip("hybrid Mamba layers are not described by a transformer's shape")
    if "account_for_embedding" in test:
        return base.Skip("stages count the embedding and the head as layers")
    if "offloading" in test:
        return base.Skip("fine-grained activation offload: how much is moved is not stated")
    row = base.Row(row)
    if not row.get("vocab"):
        row["vocab"] = str(LLAMA2_VOCAB)
    assumed = []
    if row.get("dp") and row.int("batch", 0) % (row.int("micro_batch") * row.int("dp")):
        return base.Skip("printed batch is not a multiple of micro-batch and data ranks")
    if not row.get("gpus"):
        tp, pp = row.int("tp"), row.int("pp", 1)
        ep = row.int("ep", 1)
        count = max(tp * pp * 8, tp * pp * ep, 64)
        row["gpus"] = str(count)
        assumed.append(f"{count} GPUs")
        if not row.get("batch"):
            row["batch"] = "1152"
    if "mtp" in facts:
        assumed.append("multi-token prediction left out")
    if "fsdp" in row["sharding"].lower():
        zero = 3
    else:
        zero = 1 if "ZeRO-1" in row["sharding"] else 0
    recompute = row["recompute"]
    selective = recompute.startswith("selective")
    precision = row["precision"]
    dropout_off = "release" in facts or "mla" in facts and "tp2_pp2_mla" not in test
    fp8 = "fp8" in precision
    unfused = facts.get("attention") == "unfused" or row.get("flash") == "no"
    fused_loss = "deepseekv3_proxy" in test or "cross_entropy_loss_fusion" in test or "memory_speed" in test and "ep4" in test
    seq_parallel = "sequence_parallel" in facts
    incomparable = {}
    if "ci_settings" in facts:
        incomparable["time"] = "deterministic CI settings, not tuned"
    if "gpus_unknown" in facts:
        incomparable["time"] = "GPU count not published: the share of the batch is unknown"
    if "uneven_pipeline" in test:
        incomparable["memory"] = "uneven stages"
    plan = base.layout(
        row,
        zero=zero,
        etp=int(facts["etp"]) if facts.get("etp") and row.int("experts") else None,
        sequence_parallel=seq_parallel,
    )
    stages = virtual_stages(row, test)
    plan.pop("virtual_stages", None)
    if stages and stages > 1 and plan["pp"] > 1:
        plan["virtual_stages"] = stages
    gpu = base.gpu_id(row["gpu"])
    case = base.Case(
        base.scenario(
            model(row, test),
            gpu,
            training=base.training(
                row,
                kind="pretrain",
                precision="fp8" if fp8 else ("fp16-mixed" if precision == "fp16" else "bf16-mixed"),
                optimizer="muon" if row["optimizer"] == "muon" else "adamw",
                stack="megatron" if dropout_off else "megatron-dropout",
                recompute="selective" if selective else ("full" if recompute.startswith("full") else "none"),
                flash_attention=not unfused,
                fused_loss=fused_loss,
            ),
            count=row.int("gpus"),
            layout=plan,
        ),
        base.measured(row, "allocated"),
        assumed,
        incomparable,
    )
    case.measured["last_stage"] = True
    return case
