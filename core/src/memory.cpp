#include <traintally/memory.hpp>

#include "stage.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }
constexpr Bytes bytes(double n) { return {n}; }

constexpr double kStatisticBytes = 4;  // fp32 log-sum-exp of fused attention, per head and token
constexpr double kTokenIdBytes = 8;    // int64

/// What one layer keeps of one micro-batch until its backward pass.
struct LayerActivations {
  Bytes attention;
  Bytes mlp;
  Bytes norms;
  constexpr Bytes all() const { return attention + mlp + norms; }
};

/// Whether an input of a frozen matrix is read by an adapter, and so has to be kept.
bool input_kept(const Training& training, unsigned targets) {
  return !training.adapters() || (training.lora.targets & targets) != 0;
}

double adapter_copy_bytes(const Job& job, unsigned targets) {
  if (!job.training.adapters() || (job.training.lora.targets & targets) == 0) return 0;
  return job.stack.adapter_input_bytes - job.states.activation;
}

Bytes attention_activations(const Job& job, double tokens, double sequence_split,
                            Recompute recompute) {
  const Model& m = job.model;
  const StackHabits& habits = job.stack;
  const double t = real(job.layout.tp);
  const double unit = job.states.activation;
  const double h = real(m.hidden);
  const bool core_dropped = recompute == Recompute::selective && !habits.selective_keeps_products;
  constexpr unsigned qkv = lora_target::q | lora_target::k | lora_target::v;

  double total = 0;
  if (input_kept(job.training, qkv)) total += unit * h / sequence_split;
  total += adapter_copy_bytes(job, qkv) * h / sequence_split;
  if (m.is_mla()) {
    total += 2 * unit * real(m.mla.q_lora_rank + m.mla.kv_lora_rank + m.mla.qk_rope_head_dim);
  }
  const double kv =
      habits.kv_expanded ? 2 * real(m.query_width()) : real(m.key_width() + m.value_width());
  total += unit * (real(m.query_width()) + kv) / t;
  if (job.training.flash_attention) {
    total += unit * real(m.attention_out_width()) / t;
    total += kStatisticBytes * real(m.heads) / t;
  } else {
    if (!core_dropped) {
      const double scores = real(m.heads) / t * real(job.training.sequence_length);
      total += habits.plain_score_bytes / 2 * unit * scores;
    }
    total += unit * real(m.attention_out_width()) / t;
  }
  total += adapter_copy_bytes(job, lora_target::o) * real(m.attention_out_width()) / t;
  if (habits.dropout) total += h / sequence_split;
  return bytes(tokens * total);
}

Bytes mlp_activations(const Job& job, double tokens, double sequence_split, double width,
                      double width_split) {
  const Model& m = job.model;
  const StackHabits& habits = job.stack;
  const double unit = job.states.activation;
  const double h = real(m.hidden);
  constexpr unsigned in = lora_target::gate | lora_target::up;
  double saved = m.gated ? habits.mlp_saved_gated : habits.mlp_saved_plain;
  if (!input_kept(job.training, lora_target::down)) saved -= 1;  // the product itself

  double total = unit * saved * width / width_split;
  if (input_kept(job.training, in)) total += unit * h / sequence_split;
  total += adapter_copy_bytes(job, in) * h / sequence_split;
  total += adapter_copy_bytes(job, lora_target::down) * width / width_split;
  if (habits.dropout) total += h / sequence_split;
  return bytes(tokens * total);
}

Bytes expert_activations(const Job& job, double tokens, double sequence_split) {
  const Model& m = job.model;
  const double t = real(job.layout.tp);
  const double etp = real(job.layout.etp);
  const double unit = job.states.activation;
  const double h = real(m.hidden);
  const double routed = real(m.moe.experts_per_token) * job.calibration.moe_imbalance;
  const double saved = m.gated ? job.stack.mlp_saved_gated : job.stack.mlp_saved_plain;

  double total = unit * h / sequence_split;                             // router and dispatch input
  total += 2 * kStatisticBytes * real(m.moe.experts) / sequence_split;  // scores, probabilities
  total += unit * routed * (2 * h * etp / t + saved * real(m.moe.ffn_hidden) / t);
  Bytes all = bytes(tokens * total);
  if (m.moe.shared_ffn_hidden > 0) {
    all += mlp_activations(job, tokens, sequence_split, real(m.moe.shared_ffn_hidden), t);
  }
  return all;
}

/// Outputs of the matrix products alone: what selective recomputation keeps where the stack
/// chooses by operation.
LayerActivations product_activations(const Job& job, double tokens, double sequence_split,
                                     bool mixture) {
  const Model& m = job.model;
  const double t = real(job.layout.tp);
  const double unit = job.states.activation;
  const double h = real(m.hidden);
  LayerActivations kept;
  kept.norms = bytes(tokens * unit * h / sequence_split);  // the layer's input
  const double attention =
      real(m.query_width() + m.key_width() + m.value_width() + m.attention_out_width());
  kept.attention = bytes(tokens * (unit * attention / t + unit * h / sequence_split +
                                   kStatisticBytes * real(m.heads) / t));
  const double width =
      mixture ? real(m.moe.experts_per_token * m.moe.ffn_hidden + m.moe.shared_ffn_hidden)
              : real(m.ffn_hidden);
  kept.mlp = bytes(tokens * unit * ((m.gated ? 2 : 1) * width / t + h / sequence_split));
  return kept;
}

LayerActivations layer_activations(const Job& job, bool mixture, Recompute recompute) {
  const Model& m = job.model;
  const double tokens = job.micro_tokens();
  const double t = real(job.layout.tp);
  const double sequence_split = job.layout.sequence_parallel ? t : 1;
  if (recompute == Recompute::selective && job.stack.selective_keeps_products) {
    return product_activations(job, tokens, sequence_split, mixture);
  }
  LayerActivations kept;
  const double softmax_share = 1 - real(m.linear_attention.layers) / real(m.layers);
  kept.attention =
      attention_activations(job, tokens, sequence_split, recompute) *
      (softmax_share + (1 - softmax_share) * 0.5);  // linear layers keep no scores, half the rest
  kept.mlp = mixture ? expert_activations(job, tokens, sequence_split)
                     : mlp_activations(job, tokens, sequence_split, real(m.ffn_hidden), t);
  const double norm_bytes =
      m.norms_per_layer * job.stack.norm_saved_bytes + job.stack.residual_saved_bytes;
  kept.norms =
      bytes(tokens * real(m.hidden) * norm_bytes * job.states.activation / 2 / sequence_split);
  return kept;
}

Bytes layer_checkpoint(const Job& job) {
  const double sequence_split = job.layout.sequence_parallel ? real(job.layout.tp) : 1;
  return bytes(job.micro_tokens() * job.states.activation * real(job.model.hidden) /
               sequence_split);
}

Bytes logits_chain(const Job& job) {
  const double per_logit =
      job.training.fused_loss ? job.stack.fused_logits_bytes : job.stack.logits_bytes;
  return bytes(job.micro_tokens() * padded_vocab(job) / real(job.layout.tp) * per_logit);
}

void add_activations(const Job& job, std::int64_t stage, StageMemory& memory) {
  const StageLayers layers = stage_layers(job.model, job.layout, stage);
  const double held = memory.micro_batches_in_flight;
  const double factor = job.calibration.activation_factor;
  const LayerActivations dense =
      layers.dense > 0 ? layer_activations(job, false, Recompute::none) : LayerActivations{};
  const LayerActivations mixture =
      layers.mixture > 0 ? layer_activations(job, true, Recompute::none) : LayerActivations{};
  const Bytes fullest = max(dense.all(), mixture.all());

  switch (job.training.recompute) {
    case Recompute::full:
      memory.checkpoints = layer_checkpoint(job) * (layers.all() * held);
      memory.working_set = fullest * factor;
      break;
    case Recompute::selective: {
      const LayerActivations d = layers.dense > 0
                                     ? layer_activations(job, false, Recompute::selective)
                                     : LayerActivations{};
      const LayerActivations x = layers.mixture > 0
                                     ? layer_activations(job, true, Recompute::selective)
                                     : LayerActivations{};
      memory.attention =
          (d.attention * layers.dense + x.attention * layers.mixture) * (held * factor);
      memory.mlp = (d.mlp * layers.dense + x.mlp * layers.mixture) * (held * factor);
      memory.norms = (d.norms * layers.dense + x.norms * layers.mixture) * (held * factor);
      memory.working_set = (fullest - min(d.all(), fullest)) * factor;
      break;
    }
    case Recompute::none:
      memory.attention =
          (dense.attention * layers.dense + mixture.attention * layers.mixture) * (held * factor);
      memory.mlp = (dense.mlp * layers.dense + mixture.mlp * layers.mixture) * (held * factor);
      memory.norms =
          (dense.norms * layers.dense + mixture.norms * layers.mixture) * (held * factor);
      break;
  }

  const double tokens = job.micro_tokens();
  const double h = real(job.model.hidden);
  const double sequence_split = job.layout.sequence_parallel ? real(job.layout.tp) : 1;
  if (stage == 0) {
    double per_token = kTokenIdBytes;
    if (job.stack.dropout) per_token += h / sequence_split;
    memory.embedding += bytes(tokens * per_token * held);
  }
  if (stage == job.layout.pp - 1) {
    // Input of the final norm and of the head.
    memory.embedding += bytes(tokens * 2 * job.states.activation * h / sequence_split);
    memory.logits = logits_chain(job);
  }
  if (job.layout.offload == Offload::activations) {
    memory.checkpoints = min(memory.checkpoints, layer_checkpoint(job) * 2);
  }
}

void add_states(const Job& job, const StageParameters& parameters, StageMemory& memory) {
  const Layout& l = job.layout;
  const StateBytes& s = job.states;
  const double ranks = real(l.shard_ranks());
  const double all_ranks = real(l.data_ranks());
  // A smaller shard group shards the experts in the same proportion.
  double expert_ranks = real(l.expert_data_ranks()) * ranks / all_ranks;
  if (expert_ranks < 1) expert_ranks = 1;

  const auto sharded = [&](int stage, double dense, double expert) {
    return l.zero >= stage ? dense / ranks + expert / expert_ranks : dense + expert;
  };
  const double trainable_by_optimizer =
      sharded(1, parameters.dense_trainable, parameters.expert_trainable);
  const double trainable_by_gradients =
      sharded(2, parameters.dense_trainable, parameters.expert_trainable);
  const double trainable_by_weights =
      sharded(3, parameters.dense_trainable, parameters.expert_trainable);
  const double frozen_matrices = sharded(3, parameters.frozen_linear, parameters.frozen_expert);
  const double frozen_other = sharded(3, parameters.frozen_other, 0);

  memory.weights = bytes(s.weights * trainable_by_weights + s.frozen_weights * frozen_matrices +
                         s.frozen_embeddings * frozen_other);
  memory.gradients = bytes(s.gradients * trainable_by_gradients);
  memory.master = bytes(s.master * trainable_by_optimizer);
  memory.moments = bytes(s.moments * trainable_by_optimizer);
  memory.parameters = trainable_by_weights + frozen_matrices + frozen_other;
  memory.trainable_parameters = trainable_by_optimizer;
}

/// What offloading takes off the GPU; the sum is what the host holds instead.
Bytes move_to_host(const Job& job, StageMemory& memory) {
  Bytes host;
  const Offload offload = job.layout.offload;
  if (offload == Offload::optimizer || offload == Offload::parameters) {
    host += memory.master + memory.moments;
    memory.master = {};
    memory.moments = {};
    if (!job.stack.offload_keeps_gradients) {
      host += memory.gradients;
      memory.gradients = {};
    }
  } else if (job.optimizer->paged) {
    host += memory.moments;
    memory.moments = {};
  }
  if (offload == Offload::parameters) {
    host += memory.weights;
    memory.weights = {};
  }
  return host;
}

void add_buffers(const Job& job, std::int64_t stage, const StageParameters& parameters,
                 StageMemory& memory) {
  const StackHabits& habits = job.stack;
  const StateBytes& s = job.states;
  const StageLayers layers = stage_layers(job.model, job.layout, stage);
  const double dense = layers.dense > 0 ? layer_parameters(job, false).all() : 0;
  const double mixture = layers.mixture > 0 ? layer_parameters(job, true).all() : 0;
  const double largest = dense > mixture ? dense : mixture;
  const double linear = parameters.frozen_linear + parameters.frozen_expert;
  const double computed = s.activation;  // the 16-bit (or fp32) copy that products read

  Bytes gathered;
  if (job.layout.zero >= 3 && job.layout.shard_ranks() > 1) {
    const double layer_bytes = job.training.adapters() ? s.frozen_weights : computed;
    gathered += bytes(habits.gathered_layers * largest * layer_bytes);
    if (!job.training.adapters()) gathered += bytes(largest * computed);  // its gradient, unsharded
    if (habits.gathers_root) {
      const double ends = parameters.all() - layers.dense * dense - layers.mixture * mixture;
      gathered += bytes((ends > 0 ? ends : 0) * computed);
    }
  } else if (s.transient > 0) {
    gathered += bytes(s.transient * parameters.trainable());
  }
  if (job.training.kind == TrainingKind::qlora && linear > 0) {
    const double widest = job.model.is_moe() ? real(job.parameters.expert)
                                             : real(job.model.hidden * job.model.ffn_hidden);
    gathered += bytes(widest / real(job.layout.tp) * computed);  // one matrix, dequantised
  }
  memory.gathered = gathered;

  if (job.layout.data_ranks() > 1) {
    memory.buckets = min(habits.bucket, bytes(s.gradients * parameters.trainable()));
  }
  memory.workspace = habits.workspace;
}

}  // namespace

StageMemory estimate_stage_memory(const Job& job, std::int64_t stage) {
  StageMemory memory;
  const StageParameters parameters = stage_parameters(job, stage);
  memory.micro_batches_in_flight = micro_batches_in_flight(job, stage);
  add_states(job, parameters, memory);
  add_activations(job, stage, memory);
  add_buffers(job, stage, parameters, memory);
  move_to_host(job, memory);

  // The logits are gone when the first layer is recomputed: the two peaks don't add up.
  if (memory.logits < memory.working_set) {
    memory.logits = {};
  } else {
    memory.working_set = {};
  }
  memory.optimizer = memory.master + memory.moments;
  memory.activations = memory.checkpoints + memory.attention + memory.mlp + memory.norms +
                       memory.working_set + memory.embedding;
  memory.buffers = memory.gathered + memory.buckets + memory.workspace;
  memory.allocated = memory.weights + memory.gradients + memory.optimizer + memory.activations +
                     memory.logits + memory.buffers;
  memory.reserved = memory.allocated * job.stack.reserved_factor;
  memory.context = job.stack.context;
  if (job.cluster.count > 1) memory.context += job.stack.collective;
  memory.device = memory.reserved + memory.context;
  return memory;
}

Memory estimate_memory(const Job& job) {
  Memory memory;
  memory.stage_count = job.layout.pp;
  for (std::int64_t stage = 0; stage < job.layout.pp; ++stage) {
    const StageMemory candidate = estimate_stage_memory(job, stage);
    if (stage == 0 || memory.stage.device < candidate.device) {
      memory.stage = candidate;
      memory.stage_index = stage;
    }
  }
  memory.usable = job.cluster.gpu.usable_memory;
  memory.fits = memory.stage.device <= memory.usable;

  StageMemory resident;
  add_states(job, stage_parameters(job, memory.stage_index), resident);
  memory.host = move_to_host(job, resident);

  const double total = real(job.parameters.total);
  const double trainable = job.training.adapters()
                               ? real(job.model.layers * job.lora_layer.attention +
                                      job.model.dense_layers() * job.lora_layer.dense_mlp +
                                      job.model.moe_layers() * job.lora_layer.moe_mlp)
                               : total;
  memory.weights_file = bytes(trainable * (job.training.adapters() ? job.states.weights : 2));
  memory.checkpoint = bytes(trainable * (job.states.weights + job.states.optimizer()));
  return memory;
}

}  // namespace traintally
