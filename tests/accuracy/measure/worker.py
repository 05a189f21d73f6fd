"""Measures one point in its own process, so that every point starts on a clean GPU and an
out-of-memory error ends nothing else. Prints one JSON object on its last line."""
import json
import statistics
import subprocess
import sys
import time

GIB = 2**30
WARM_UP, TIMED = 3, 7


def driver_facts():
    """Driver version, memory used before this process touched the GPU (MiB), power limit (W)."""
    query = "driver_version,memory.used,power.limit"
    try:
        text = subprocess.run(
            ["nvidia-smi", "-i", "0", f"--query-gpu={query}", "--format=csv,noheader,nounits"],
            capture_output=True, text=True, timeout=20, check=True,
        ).stdout
        driver, used, power = [part.strip() for part in text.strip().split(",")]
        return driver, float(used), float(power) if power.replace(".", "").isdigit() else ""
    except (OSError, ValueError, subprocess.SubprocessError):
        return "", 0.0, ""


def quantise(module, bnb, torch, dtype):
    """Replaces every linear layer but the head by 4-bit NF4 with double quantisation."""
    for name, child in module.named_children():
        if isinstance(child, torch.nn.Linear) and name != "lm_head":
            four = bnb.nn.Linear4bit(
                child.in_features, child.out_features, bias=child.bias is not None, compute_dtype=dtype,
                compress_statistics=True, quant_type="nf4",
            )
            four.weight = bnb.nn.Params4bit(
                child.weight.data.cpu(), requires_grad=False, compress_statistics=True, quant_type="nf4"
            )
            setattr(module, name, four.to("cuda"))
        else:
            quantise(child, bnb, torch, dtype)


def build(point, torch, transformers):
    """The model with random weights, adapters attached and recompute switched on as asked."""
    dtype = torch.float32 if point["precision"] in ("bf16-autocast", "fp32") else torch.bfloat16
    attention = {"sdpa": "sdpa", "eager": "eager", "flash": "flash_attention_2"}[point["attention"]]
    config = transformers.LlamaConfig(
        num_hidden_layers=point["layers"], hidden_size=point["hidden"], num_attention_heads=point["heads"],
        num_key_value_heads=point["kv_heads"], intermediate_size=point["ffn"], vocab_size=point["vocab"],
        max_position_embeddings=max(2048, point["seq"]), tie_word_embeddings=False, use_cache=False,
    )
    quantised = point["method"] == "qlora"
    default = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        # A quantised model is built on the host: its 16-bit form may not fit the GPU.
        with torch.device("cpu" if quantised else "cuda"):
            model = transformers.AutoModelForCausalLM.from_config(config, attn_implementation=attention)
    finally:
        torch.set_default_dtype(default)
    if quantised:
        import bitsandbytes as bnb

        quantise(model, bnb, torch, dtype)
        model.is_loaded_in_4bit = True
        model.to("cuda")
    if point["method"] != "full":
        import peft

        if quantised:
            model = peft.prepare_model_for_kbit_training(
                model, use_gradient_checkpointing=point["recompute"] == "full"
            )
        elif point["recompute"] == "full":
            model.enable_input_require_grads()
        model = peft.get_peft_model(
            model,
            peft.LoraConfig(r=int(point["rank"]), lora_alpha=32, lora_dropout=0.0, target_modules="all-linear", task_type="CAUSAL_LM"),
        )
    if point["recompute"] == "full":
        model.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    model.train()
    return model


def optimizer_for(point, parameters, torch):
    if point["optimizer"] == "adamw":
        return torch.optim.AdamW(parameters, lr=1e-5, fused=True)
    if point["optimizer"] == "sgd":
        return torch.optim.SGD(parameters, lr=1e-5)
    import bitsandbytes as bnb

    return bnb.optim.AdamW8bit(parameters, lr=1e-5)


def fuse_loss():
    """Liger's fused linear cross entropy, in place of the head and the loss of the Llama class."""
    from liger_kernel.transformers import apply_liger_kernel_to_llama

    apply_liger_kernel_to_llama(
        rope=False, swiglu=False, rms_norm=False, cross_entropy=False, fused_linear_cross_entropy=True
    )


def version(name):
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def measure(point):
    driver, used_before, power = driver_facts()
    import torch
    import transformers

    facts = {
        "gpu": torch.cuda.get_device_name(0),
        "gpu_memory_gib": round(torch.cuda.get_device_properties(0).total_memory / GIB, 4),
        "power_limit_w": power,
        "torch": torch.__version__,
        "cuda": torch.version.cuda or torch.version.hip or "",
        "transformers": transformers.__version__,
        "peft": version("peft"),
        "bitsandbytes": version("bitsandbytes"),
        "driver": driver,
    }
    try:
        if point["loss"] == "fused":
            fuse_loss()
        model = build(point, torch, transformers)
        trained = [p for p in model.parameters() if p.requires_grad]
        optimizer = optimizer_for(point, trained, torch)
        tokens = torch.randint(0, point["vocab"], (point["micro_batch"], point["seq"]), device="cuda")
        autocast = point["precision"] == "bf16-autocast" or point["method"] != "full"
        times, device = [], 0.0
        for step in range(WARM_UP + TIMED):
            if step == WARM_UP:
                torch.cuda.reset_peak_memory_stats()
            torch.cuda.synchronize()
            started = time.perf_counter()
            with torch.autocast("cuda", torch.bfloat16, enabled=autocast):
                loss = model(input_ids=tokens, labels=tokens).loss
            loss.backward()
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            torch.cuda.synchronize()
            if step >= WARM_UP:
                times.append(time.perf_counter() - started)
            free, total = torch.cuda.mem_get_info()
            # The caching allocator returns nothing by itself: what is held after a step is the peak.
            device = max(device, (total - free) / GIB - used_before / 1024)
        reserved = torch.cuda.max_memory_reserved() / GIB
        facts.update(
            outcome="ok",
            allocated_gib=round(torch.cuda.max_memory_allocated() / GIB, 4),
            reserved_gib=round(reserved, 4),
            device_gib=round(device, 4),
            context_gib=round(device - torch.cuda.memory_reserved() / GIB, 4),
            step_s=round(statistics.median(times), 6),
            steps_timed=TIMED,
        )
    except torch.cuda.OutOfMemoryError:
        facts["outcome"] = "oom"
    except ImportError as error:
        facts.update(outcome="skipped", reason=f"{error.name} is not installed")
    return facts


if __name__ == "__main__":
    print(json.dumps(measure(json.loads(sys.argv[1]))))
