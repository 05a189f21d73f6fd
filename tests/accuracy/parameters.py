"""The constants that are fitted, as a table: name, level, bounds, start, prior, meaning.

A constant lives at one or more levels: "defaults" (one value), "architectures" (one a GPU
architecture), "gpus", "families" (one a family of stacks), "stacks". Later levels win, as
core/src/calibration.cpp resolves them. `prior` is how far, in log, a value may lie from its level
above (from `start` at its first level) at the price of one outlying row: what holds a constant that
few rows decide near its relatives.
"""
from dataclasses import dataclass


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

TIME = (
    # The GPU.
    Constant("matmul_efficiency", ("defaults", "architectures", "gpus"), 0.3, 0.95, 0.75, 0.15, "of the dense peak, large products"),
    Constant("fp8_efficiency", ("defaults", "architectures"), 0.2, 0.9, 0.55, 0.3, "of the fp8 or fp4 peak"),
    Constant("attention_efficiency", ("defaults", "architectures", "gpus"), 0.08, 0.8, 0.35, 0.3, "of the dense peak, fused attention forward"),
    Constant("bandwidth_efficiency", ("defaults", "architectures", "gpus"), 0.5, 0.95, 0.8, 0.1, "of the memory bandwidth"),
    Constant("link_efficiency", ("defaults", "architectures"), 0.2, 0.95, 0.65, 0.2, "of the scale-up link's nominal rate"),
    Constant("internode_efficiency", ("defaults", "stacks"), 0.15, 1.0, 0.6, 0.3, "of the network's nominal rate"),
    Constant("pcie_efficiency", ("defaults",), 0.2, 1.0, 0.6, 0.4, "of the host link's nominal rate"),
    Constant("host_bounce", ("defaults",), 0.2, 1.0, 0.5, 0.4, "of it left without peer-to-peer"),
    Constant("matmul_half_depth", ("defaults", "architectures"), 5, 800, 100, 1.0, "inner dimension at half speed"),
    Constant("matmul_half_area", ("defaults", "architectures"), 1e4, 5e6, 5e5, 1.0, "output values at half speed"),
    Constant("attention_half_sequence", ("defaults", "architectures"), 10, 3000, 200, 1.0, "sequence at which the core runs at half speed"),
    Constant("attention_backward", ("defaults",), 0.4, 1.3, 0.8, 0.3, "the backward core's efficiency over the forward's"),
    Constant("misaligned_attention", ("defaults",), 0.03, 1.0, 0.0625, 0.3, "of it left where heads are no multiple of 8 wide: 19.5 of 312 TFLOPS without tensor cores (A100 datasheet)"),
    Constant("link_latency", ("defaults",), 1e-6, 1e-4, 1e-5, 1.0, "seconds of one step of a collective"),
    Constant("internode_latency", ("defaults", "stacks"), 2e-6, 1.5e-3, 2e-5, 1.0, "likewise across nodes"),
    # The stack.
    Constant("product_scale", ("families", "stacks"), 0.5, 1.3, 1.0, 0.2, "the stack's products over the architecture's efficiency"),
    Constant("attention_scale", ("families", "stacks"), 0.3, 2.5, 1.0, 0.3, "likewise its fused attention"),
    Constant("elementwise_hidden", ("defaults", "families", "stacks"), 4, 90, 20, 0.4, "values of hidden size moved per token, layer forward"),
    Constant("elementwise_mlp", ("defaults", "families"), 0.5, 20, 3, 0.4, "values of the MLP's width, likewise"),
    Constant("elementwise_backward", ("defaults", "families"), 1, 3.5, 2, 0.3, "backward over forward"),
    Constant("compiled_elementwise", ("defaults",), 0.2, 1, 0.6, 0.4, "what compiling leaves of element-wise traffic"),
    Constant("compiled_launch", ("defaults",), 0.1, 1, 0.5, 0.6, "what compiling leaves of launch time"),
    Constant("narrow_elementwise", ("defaults",), 1, 4, 1.3, 0.4, "element-wise traffic of fp8 or fp4 over 16-bit"),
    Constant("plain_score_traffic", ("defaults", "families", "stacks"), 2, 60, 8, 0.25, "bytes per score of unfused attention, forward: products and a fused softmax read and write 16 bits each"),
    Constant("loss_traffic", ("defaults", "families"), 4, 80, 25, 0.4, "bytes per logit, forward and backward, plain loss"),
    Constant("fused_loss_traffic", ("defaults", "families"), 2, 40, 10, 0.5, "likewise fused"),
    Constant("launch_floor", ("defaults", "families", "stacks"), 2e-5, 5e-3, 5e-4, 0.6, "host time of a layer's forward"),
    Constant("launch_added", ("defaults", "families", "stacks"), 1e-6, 1e-3, 5e-5, 0.6, "host time that nothing hides, per layer forward"),
    Constant("launch_tensor", ("defaults", "families"), 1e-6, 2e-3, 1e-4, 0.8, "more of it for a layer's tensor-parallel collectives"),
    Constant("launch_backward", ("defaults", "families"), 0.6, 3, 1.6, 0.4, "backward over forward"),
    Constant("launch_mixture", ("defaults",), 1, 8, 2, 0.6, "host time of a mixture layer over a dense one's"),
    Constant("launch_step", ("defaults", "families", "stacks"), 2e-4, 0.2, 6e-3, 0.5, "per optimizer step"),
    Constant("overlap", ("defaults", "families", "stacks"), 0.02, 1, 0.5, 0.5, "of the smaller of compute and traffic, hidden"),
    Constant("tensor_overlap", ("defaults", "families", "stacks"), 0.005, 0.9, 0.1, 0.8, "likewise for tensor-parallel traffic"),
    Constant("expert_overlap", ("defaults", "stacks"), 0.01, 0.9, 0.2, 0.8, "likewise for the experts' exchange"),
    Constant("optimizer_traffic", ("defaults", "families", "stacks"), 0.8, 6, 1.1, 0.3, "over the textbook's bytes"),
    Constant("pipeline_slack", ("defaults", "families"), 0.01, 5, 0.3, 0.8, "of a boundary transfer that nothing hides"),
    Constant("moe_imbalance", ("defaults",), 1, 2, 1.15, 0.2, "fullest expert rank over the mean"),
    Constant("dequantize_traffic", ("defaults", "stacks"), 0.5, 60, 6, 0.6, "bytes moved per quantised parameter and pass"),
    Constant("adapter_traffic", ("defaults", "families"), 0.1, 12, 1.5, 0.5, "over the textbook's bytes of low-rank products"),
    Constant("host_update_bandwidth", ("defaults",), 2e9, 2e11, 2e10, 0.8, "bytes/s per GPU of the optimizer on the host"),
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
