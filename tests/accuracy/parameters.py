"""The constants that are fitted, as a table: name, level, bounds, start, meaning.

A constant lives at one or more levels: "defaults" (one value), "architectures" (one a GPU
architecture), "families" (one a family of stacks), "stacks" and "gpus" (overrides where enough rows
were measured). Later levels win, as core/src/calibration.cpp resolves them.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Constant:
    name: str
    levels: tuple
    low: float
    high: float
    start: float
    meaning: str


TABLE = (
    # The GPU.
    Constant("matmul_efficiency", ("architectures",), 0.3, 0.95, 0.75, "of the dense peak, large products"),
    Constant("fp8_efficiency", ("architectures",), 0.2, 0.9, 0.6, "of the fp8 or fp4 peak"),
    Constant("attention_efficiency", ("architectures", "stacks"), 0.08, 0.8, 0.35, "of the dense peak, fused attention forward"),
    Constant("bandwidth_efficiency", ("architectures",), 0.4, 1.0, 0.8, "of the memory bandwidth"),
    Constant("link_efficiency", ("architectures",), 0.2, 0.95, 0.6, "of the scale-up link's nominal rate"),
    Constant("internode_efficiency", ("defaults", "stacks"), 0.15, 1.0, 0.6, "of the network's nominal rate"),
    Constant("pcie_efficiency", ("defaults",), 0.2, 1.0, 0.6, "of the host link's nominal rate"),
    Constant("host_bounce", ("defaults",), 0.2, 1.0, 0.5, "of it left without peer-to-peer"),
    Constant("matmul_half_depth", ("defaults",), 5, 800, 100, "inner dimension at half speed"),
    Constant("matmul_half_area", ("defaults", "architectures"), 1e4, 5e6, 3e5, "output values at half speed"),
    Constant("attention_half_sequence", ("defaults",), 10, 4000, 200, "sequence at which the core runs at half speed"),
    Constant("attention_backward", ("defaults",), 0.4, 1.3, 0.8, "the backward core's efficiency over the forward's"),
    Constant("link_latency", ("defaults",), 1e-6, 1e-4, 1e-5, "seconds of one step of a collective"),
    Constant("internode_latency", ("defaults",), 2e-6, 4e-4, 2e-5, "likewise across nodes"),
    # The stack.
    Constant("elementwise_hidden", ("families", "stacks"), 4, 90, 22, "values of hidden size moved per token, layer forward"),
    Constant("elementwise_mlp", ("families", "stacks"), 1, 20, 3, "values of the MLP's width, likewise"),
    Constant("elementwise_backward", ("defaults",), 1, 3.5, 2, "backward over forward"),
    Constant("compiled_elementwise", ("defaults",), 0.2, 1, 0.6, "what compiling leaves of element-wise traffic"),
    Constant("compiled_launch", ("defaults",), 0.1, 1, 0.5, "what compiling leaves of launch time"),
    Constant("plain_score_traffic", ("families", "stacks"), 2, 60, 14, "bytes per score of unfused attention, forward"),
    Constant("loss_traffic", ("families",), 4, 80, 20, "bytes per logit, forward and backward, plain loss"),
    Constant("fused_loss_traffic", ("defaults",), 2, 40, 8, "likewise fused"),
    Constant("launch_floor", ("families", "stacks"), 2e-5, 5e-3, 8e-4, "host time of a layer's forward"),
    Constant("launch_added", ("families", "stacks"), 1e-7, 2e-3, 1e-5, "host time that nothing hides, per layer forward"),
    Constant("launch_backward", ("defaults",), 0.6, 3, 1.6, "backward over forward"),
    Constant("launch_step", ("families", "stacks"), 2e-4, 0.2, 5e-3, "per optimizer step"),
    Constant("overlap", ("families", "stacks"), 0.02, 1, 0.5, "of the smaller of compute and traffic, hidden"),
    Constant("tensor_overlap", ("families", "stacks"), 0.005, 0.95, 0.05, "likewise for tensor-parallel traffic"),
    Constant("optimizer_traffic", ("families",), 0.4, 6, 1.2, "over the textbook's bytes"),
    Constant("pipeline_slack", ("defaults",), 0.01, 1.5, 0.1, "of a boundary transfer that nothing hides"),
    Constant("moe_imbalance", ("defaults",), 1, 2, 1.1, "fullest expert rank over the mean"),
    Constant("dequantize_traffic", ("families", "stacks"), 0.5, 60, 4, "bytes moved per quantised parameter and pass"),
    Constant("adapter_traffic", ("families",), 0.1, 12, 1, "over the textbook's bytes of low-rank products"),
    Constant("host_update_bandwidth", ("defaults",), 2e9, 2e11, 2e10, "bytes/s per GPU of the optimizer on the host"),
)

# Rows that a level's own id needs before its override is fitted.
ENOUGH = {"architectures": 5, "families": 1, "stacks": 8, "gpus": 12}
