"""Turns the measured rows of sources/*.csv into scenarios, one small module per source.

Every module has SOURCE (the CSV's name) and map_row(row), which returns a Case, or a Skip with the
reason why the row says too little.
"""
import importlib

MODULES = (
    "vtrain",
    "llm_foundry",
    "megatron_ci",
    "megatron_bridge",
    "dgxc",
    "megatron_readme",
    "bloom",
    "mlperf",
    "internevo",
    "flagperf",
    "ascend",
    "torchao",
    "litgpt",
    "ms_swift",
    "qwen",
    "fsdp_qlora",
    "peft",
    "unsloth",
    "rocm",
    "misc",
    "gpu_hours",
    "contributed",
)

# Reported only: an untouched check of how far the rest carries. Neither the fit, nor the spreads of
# intervals, nor a target ever sees these; calibrate.py takes what cases.to_fit() gives.
REPORTED_ONLY = (
    "nanotron",
    "torchtune",
    "xtuner",
    "nemo_2412",
    "automodel",
)


def modules():
    return [importlib.import_module(f"mapping.{name}") for name in MODULES + REPORTED_ONLY]


def is_fitted(module):
    return module.__name__.rpartition(".")[2] not in REPORTED_ONLY
