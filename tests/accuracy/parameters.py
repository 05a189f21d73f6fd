"""The constants that are fitted, as a table: name, level, bounds, start, prior, meaning.

A constant lives at one or more levels: "defaults" (one value), "architectures" (one a GPU
architecture), "gpus", "families" (one a family of stacks), "stacks". Later levels win, as
core/src/calibration.cpp resolves them. `start` is what is expected before any row is seen, `starts`
what is expected of ids of which something else is known: from counting what a layer reads and
writes, from a device's tiles, from published measurements of the operation alone. `prior` is how far,
in log, a value may lie from what is expected of it (at its first level from `start`; below that from
its level above, times the ratio of their starts) at the price of one outlying row: what holds a
constant that few rows decide near its relatives.
"""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Constant:
    name: str
    levels: tuple
    low: float
    high: float
    start: float
    prior: float
    meaning: str
    inherits: float = 1.0  # the prior of the levels after the first is this share of it
    starts: dict = field(default_factory=dict)  # of ids of which something else is expected


ALL = ("defaults",)
ARCHITECTURE = ("defaults", "architectures")
GPU = ("defaults", "architectures", "gpus")
FAMILY = ("defaults", "families")
STACK = ("defaults", "families", "stacks")

# Of the dense peak, long products alone: MAMF in stas00/ml-engineering (A100 0.87, H100 0.80, B200
# 0.78, MI300X 0.51), less what training shapes lose; MI355X: no measurement, between its relatives.
PRODUCTS = {"Ampere": 0.80, "Hopper": 0.75, "Blackwell": 0.73, "Blackwell Ultra": 0.73, "CDNA3": 0.48, "CDNA4": 0.55}
# Cards under 450 W, products of 8,192 and more alone, torch (zzc0721/torch-performance-test-data, issues 78, 43,
# 120, 107, 185, 77, pull request 15), likewise less 7%: GeForce halves its rate with fp32 sums and so holds its clocks
# (RTX 4090 0.96, RTX 5090 over 1, L20 0.93), as do an H20's few units (0.96); one with the whole rate does not hold
# them at 72 to 350 W (L40S 0.72, A40 0.77, L4 0.48; T4 0.6, arXiv 1903.07486, not re-read). The rest by their watts a unit.
PRODUCTS |= {"Ada": 0.89, "RTX Blackwell": 0.8, "rtx-5090": 0.94, "rtx-5090d": 0.94, "rtx-3090": 0.87, "l20": 0.87, "l40s": 0.66, "l40": 0.62, "rtx-6000-ada": 0.61, "a40": 0.72,
             "rtx-a6000": 0.72, "rtx-a5000": 0.72, "l4": 0.45, "a10": 0.55, "t4": 0.5, "h20-96gb": 0.88, "h20-141gb": 0.88}
# SemiAnalysis, MI300X against H100 and H200 (2024-12, not re-read): products in fp8 at 1,280 of 1,979 and at 990 of 2,615 TFLOPS.
FP8 = {"Hopper": 0.62, "CDNA3": 0.37}
# Half a wave of 128 x 128 tiles: what a product's last wave leaves idle on the mean, times the
# multiprocessors (A100 108, H100 132, B200 148, RTX 5090 170, RTX 4090 128, MI300X 304, V100 80, 910B 24 cubes).
HALF_WAVES = {"Ampere": 9e5, "Hopper": 1.08e6, "Blackwell": 1.2e6, "Blackwell Ultra": 1.2e6, "RTX Blackwell": 1.4e6, "Ada": 1.05e6, "CDNA3": 2.5e6, "CDNA4": 2.1e6, "Volta": 6.5e5, "Da Vinci": 5e5}
# Causal, heads of 128: FlashAttention-2 on an A100 (arXiv 2307.08691) 0.65; FlashAttention-3 and cuDNN on
# an H100 (arXiv 2407.08608) 0.65; later ones less, as their arithmetic grew faster than what feeds it.
ATTENTION = {"Ampere": 0.65, "Hopper": 0.62, "Blackwell": 0.5, "Blackwell Ultra": 0.5, "CDNA3": 0.3}
# FlashAttention-2 on an H100 is at 0.38 (the first paper): it issues Ampere's instructions, of whose rate
# Hopper has some 0.62 of the dense peak; Blackwell has no more of them and twice the peak. RTX Blackwell has
# no others (CUDA: compute capability 12 has no wgmma nor tcgen05), so nothing is lost there.
PORTED = {"Hopper": 0.6, "Blackwell": 0.35, "Blackwell Ultra": 0.35, "CDNA3": 0.7, "CDNA4": 0.7}
# The same paper: the first FlashAttention and its Triton form run at about 0.6 of the second's rate.
FIRST_FLASH = {"llm-foundry": 0.6, "llm-foundry-pure": 0.6}
# Reads and writes of a layer's forward, in hidden sizes per token: fused norms and dropout-adds (12),
# plain PyTorch norms and adds (18), fp32 norms written out, rotations and copies besides (24 to 28; so
# PaddleNLP before its fused norms and rotations).
ELEMENTWISE = {"paddlenlp": 24, "megatron": 12, "mindspeed": 14, "fsdp": 18, "deepspeed": 24, "hf": 28, "llm.c": 12, "unsloth": 12}
# Unsloth replaces the Hugging Face models' element-wise work, not their products: as that family's.
PATCHED = {"unsloth": 1.1}
# About 20 kernels a layer where they are fused, 45 where they are not, and hooks around them.
HOST = {"megatron": 5.5e-4, "hf": 9e-4, "deepspeed": 1.0e-3, "llm.c": 1.5e-4, "unsloth": 6e-4}
STARTS_AND_ENDS = {"megatron": 1e-4, "hf": 1.8e-4, "deepspeed": 1.8e-4, "unsloth": 1.2e-4}

TIME = (
    # The GPU.
    Constant("matmul_efficiency", GPU, 0.3, 0.95, 0.75, 0.1, "of the dense peak, large products", 0.6, PRODUCTS),
    Constant("fp8_efficiency", ARCHITECTURE, 0.2, 0.9, 0.6, 0.15, "of the fp8 or fp4 peak", 1.0, FP8),
    Constant("attention_efficiency", ARCHITECTURE, 0.08, 0.8, 0.4, 0.12, "of the dense peak, fused attention forward", 0.8, ATTENTION),
    Constant("ported_attention", ARCHITECTURE, 0.1, 1.0, 1.0, 0.15, "of it left to kernels written for another generation", 1.0, PORTED),
    Constant("bandwidth_efficiency", ALL, 0.5, 0.95, 0.8, 0.06, "of the memory bandwidth"),
    Constant("link_efficiency", ALL, 0.2, 0.95, 0.65, 0.15, "of the scale-up link's nominal rate"),
    Constant("internode_efficiency", ALL, 0.15, 1.0, 0.65, 0.15, "of the network's nominal rate"),
    Constant("without_rdma", ALL, 0.1, 1.0, 0.35, 0.3, "of it left where the hosts copy what it carries: of 12.5 GB/s 4 to 6 by one TCP port, of 50 GB/s 6 by four (NVIDIA/nccl 450, nccl-tests 29)"),
    Constant("pcie_efficiency", ALL, 0.2, 1.0, 0.6, 0.3, "of the host link's nominal rate"),
    Constant("host_bounce", ALL, 0.2, 1.0, 0.5, 0.3, "of it left without peer-to-peer"),
    Constant("matmul_half_depth", ALL, 5, 800, 80, 0.5, "inner dimension at half speed"),
    Constant("matmul_half_area", ARCHITECTURE, 1e4, 5e6, 9e5, 0.1, "output values at half speed", 0.7, HALF_WAVES),
    Constant("attention_half_sequence", ALL, 10, 3000, 200, 0.5, "sequence at which the core runs at half speed"),
    Constant("attention_backward", ALL, 0.4, 1.3, 0.75, 0.15, "the backward core's efficiency over the forward's"),
    Constant("misaligned_attention", ALL, 0.03, 1.0, 0.0625, 0.3, "of it left where heads are no multiple of 8 wide: 19.5 of 312 TFLOPS without tensor cores (A100 datasheet)"),
    Constant("link_latency", ALL, 1e-6, 1e-4, 1e-5, 0.25, "seconds of one step of a collective"),
    Constant("internode_latency", ALL, 2e-6, 1.5e-3, 2e-5, 0.6, "likewise across nodes"),
    # The stack.
    Constant("product_scale", ("families", "stacks"), 0.5, 1.3, 1.0, 0.1, "the stack's products over the architecture's efficiency", 1.0, PATCHED),
    Constant("attention_scale", ("families", "stacks"), 0.3, 2.5, 1.0, 0.15, "likewise its fused attention", 1.0, FIRST_FLASH),
    Constant("elementwise_hidden", STACK, 4, 90, 18, 0.25, "values of hidden size moved per token, layer forward", 0.6, ELEMENTWISE),
    Constant("elementwise_mlp", ALL, 0.5, 20, 2.7, 0.2, "values of the MLP's width, likewise"),
    Constant("elementwise_backward", ALL, 1, 3.5, 2, 0.15, "backward over forward"),
    Constant("compiled_elementwise", ALL, 0.2, 1, 0.55, 0.2, "what compiling leaves of element-wise traffic"),
    Constant("compiled_launch", ALL, 0.1, 1, 0.5, 0.3, "what compiling leaves of launch time"),
    Constant("narrow_elementwise", ALL, 1, 4, 1.3, 0.2, "element-wise traffic of fp8 or fp4 over 16-bit"),
    Constant("plain_score_traffic", ALL, 2, 60, 8, 0.15, "bytes per score of unfused attention, forward: products and a fused softmax read and write 16 bits each"),
    Constant("loss_traffic", ALL, 4, 120, 52, 0.15, "bytes per logit, forward and backward, plain loss: about thirteen passes over fp32 logits"),
    Constant("fused_loss_traffic", ALL, 2, 40, 12, 0.2, "likewise fused"),
    Constant("launch_floor", STACK, 2e-5, 5e-3, 7e-4, 0.3, "host time of a layer's forward", 0.6, HOST),
    Constant("launch_added", FAMILY, 1e-6, 1e-3, 1.2e-4, 0.2, "starts and ends of kernels that nothing hides, per layer forward", 0.25, STARTS_AND_ENDS),
    Constant("launch_tensor", ALL, 1e-6, 2e-3, 3e-5, 0.4, "more host time of a layer for each further tensor-parallel rank"),
    Constant("launch_backward", ALL, 0.6, 3, 1.9, 0.15, "backward over forward"),
    Constant("launch_mixture", ALL, 1, 8, 2.5, 0.3, "host time of a mixture layer over a dense one's"),
    Constant("launch_step", ALL, 2e-4, 0.2, 6e-3, 0.4, "per optimizer step"),
    Constant("overlap", FAMILY, 0.02, 1, 0.6, 0.3, "of the smaller of compute and traffic, hidden"),
    Constant("tensor_overlap", ALL, 0.005, 0.9, 0.25, 0.4, "likewise for tensor-parallel traffic"),
    Constant("expert_overlap", ALL, 0.01, 0.9, 0.3, 0.4, "likewise for the experts' exchange"),
    Constant("optimizer_traffic", ALL, 0.8, 6, 1.1, 0.15, "over the textbook's bytes"),
    Constant("pipeline_slack", ALL, 0.01, 5, 0.4, 0.5, "of a boundary transfer that nothing hides"),
    Constant("moe_imbalance", ALL, 1, 2, 1.15, 0.1, "fullest expert rank over the mean"),
    Constant("dequantize_traffic", ALL, 0.5, 60, 12, 0.3, "bytes moved per quantised parameter and pass"),
    Constant("adapter_traffic", ALL, 0.1, 12, 1.5, 0.3, "over the textbook's bytes of low-rank products"),
    Constant("host_update_bandwidth", ALL, 2e9, 2e11, 2e10, 0.6, "bytes/s per GPU of the optimizer on the host"),
)

# What is counted (states, activations, logits, gathered layers) has no factor: it is right or the
# count is wrong. What an allocator reserves and a driver keeps for itself can't be counted; what the
# stacks of a family share of it belongs to the family, or a new stack would inherit nothing.
MEMORY = (
    Constant("reserve_factor", ("defaults", "families", "stacks"), 0.1, 6.0, 1.0, 1.5, "over what the stack reserves beyond what is allocated", 0.35),
    Constant("context_factor", ("defaults", "families", "stacks"), 0.3, 3.0, 1.0, 0.4, "over the stack's context and collective memory", 0.35),
)

TABLES = {"time": TIME, "memory": MEMORY}

# Rows that an id at a level needs before it gets a value of its own.
ENOUGH = {"defaults": 1, "architectures": 4, "gpus": 12, "families": 1, "stacks": 6}
