"""Software stacks that the sources ran, each with the family whose habits it has by default."""

FAMILIES = ("megatron", "fsdp", "deepspeed", "hf", "unsloth", "mindspeed")

STACKS = {
    "megatron": "megatron",
    "megatron-dropout": "megatron",  # Megatron-LM with its default dropout of 0.1
    "megatron-deepspeed": "megatron",
    "megatron-2021": "megatron",  # Megatron-LM before flash attention (2020 to 2022)
    "megatron-bridge": "megatron",
    "nemo": "megatron",
    "internevo": "megatron",
    "paddlenlp": "megatron",
    "flagscale": "megatron",
    "ms-swift-megatron": "megatron",
    "mindspeed": "mindspeed",
    "fsdp": "fsdp",
    "llm-foundry": "fsdp",
    "llm-foundry-pure": "fsdp",  # mixed precision PURE: gradients are reduced in bf16
    "torchtitan": "fsdp",
    "torchtune": "fsdp",
    "nanogpt": "fsdp",
    "nanochat": "fsdp",
    "llm.c": "fsdp",
    "flash-attention": "fsdp",
    "maxtext": "fsdp",
    "deepspeed": "deepspeed",
    "hf": "hf",
    "hf-fsdp": "hf",
    "peft": "hf",
    "litgpt": "hf",
    "litgpt-2023": "hf",  # its resource tables of that year
    "ms-swift": "hf",
    "ms-swift-2024": "hf",  # its benchmark page
    "qwen": "hf",
    "qwen-deepspeed": "deepspeed",  # its Q-LoRA script
    "fsdp-qlora": "hf",
    "torchao": "hf",  # torchao's own single-GPU scripts on a plain PyTorch model
    "unsloth": "unsloth",
    "xtuner": "deepspeed",
    "nanotron": "megatron",
    "nemo-automodel": "fsdp",  # FSDP2 with Transformer Engine's kernels and DeepEP
}

# Until the catalogue carries them, these run under the nearest stack that it has; the report says so.
NEAREST = {
    "megatron-dropout": "megatron",
    "megatron-2021": "megatron-deepspeed",
    "llm-foundry-pure": "llm-foundry",
    "torchao": "litgpt",
    "nanotron": "megatron",
    "nemo-automodel": "fsdp",
}
