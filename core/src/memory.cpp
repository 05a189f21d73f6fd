#include <traintally/memory.hpp>

#include <cmath>

#include "stage.hpp"
#include "terms.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }
constexpr Bytes bytes(double n) { return {n}; }
constexpr double max_of(double a, double b) { return a > b ? a : b; }
constexpr double min_of(double a, double b) { return a < b ? a : b; }

constexpr double kStatisticBytes = 4;   // fp32 log-sum-exp of fused attention, per head and token
constexpr double kTokenIdBytes = 8;     // int64
constexpr double kFusedNormBytes = 2;   // a fused LayerNorm's 16-bit input, per hidden value
constexpr double kFrozenNormBytes = 4;  // the fp32 input: no normalised value for a frozen weight
// A compiled chain of element-wise operations keeps what it reads: the products' results.
constexpr double kCompiledNormBytes = 2;
constexpr double kCompiledSavedGated = 3;  // gate, up, and their product for the next matrix
constexpr double kCompiledSavedPlain = 2;
constexpr double kUnpackedBytes = 2;            // of a quantised weight when it is multiplied
constexpr double kPageBytes = 2 * 1024 * 1024;  // of memory that moves between GPU and host

bool keeps_quantized(const Job& job, double saved) {
  return job.training.kind == TrainingKind::qlora && job.stack.quantized_saved >= saved;
}

/// Bytes that every int8 product keeps of an input value: its quantised copy (bitsandbytes
/// MatMul8bitLt).
double int8_input_bytes(const Job& job) {
  return job.training.adapters() && job.training.lora.quantization == Quantization::int8 ? 1 : 0;
}

/// How many adapters read the input that the matrices of `targets` share.
double adapters_on(const Job& job, unsigned targets) {
  if (!job.training.adapters()) return 0;
  const unsigned wanted = job.training.lora.targets & targets;
  double count = 0;
  for (unsigned rest = wanted; rest != 0; rest &= rest - 1) ++count;
  constexpr unsigned qkv = lora_target::q | lora_target::k | lora_target::v;
  return job.stack.fused_qkv && (wanted & qkv) != 0 ? 1 : count;
}

bool adapters_copy(const Job& job) {
  return job.stack.adapter_copies_input || job.stack.adapter_dropout;
}

/// Whether the shared input of frozen matrices, or of trained ones, has to be kept as it is.
bool input_kept(const Job& job, unsigned targets) {
  if (!job.training.adapters() || keeps_quantized(job, 1)) return true;
  return adapters_on(job, targets) > 0 && !adapters_copy(job);
}

/// Bytes per input value that the adapters keep of their own.
double adapter_input_bytes(const Job& job, unsigned targets) {
  if (!adapters_copy(job)) return 0;
  const double mask = job.stack.adapter_dropout ? 1 : 0;
  return adapters_on(job, targets) * (job.states.activation + mask);
}

/// Values of the MLP's width that backward reads.
double mlp_saved(const Job& job) {
  const double plain = job.model.gated ? job.stack.mlp_saved_gated : job.stack.mlp_saved_plain;
  if (!job.training.compile) return plain;
  return min_of(plain, job.model.gated ? kCompiledSavedGated : kCompiledSavedPlain);
}

/// Values of keys and values per token on one rank, as the attention core keeps them.
double kv_values(const Job& job) {
  if (job.stack.kv_expanded) return 2 * real(job.model.query_width()) / real(job.layout.tp);
  return real(job.model.key_width() + job.model.value_width()) / kv_split(job);
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
  const double input = unit - job.states.narrower_input;
  if (input_kept(job, qkv)) total += input * h / sequence_split;
  total += adapter_input_bytes(job, qkv) * h / sequence_split;
  if (m.is_mla()) {
    total += 2 * unit * real(m.mla.q_lora_rank + m.mla.kv_lora_rank + m.mla.qk_rope_head_dim);
  }
  total += unit * (real(m.query_width()) / t + kv_values(job));
  total += unit * real(m.attention_out_width()) / t;
  if (habits.fused_qkv) total += unit * real(m.query_width() + m.key_width()) / t;
  if (!core_dropped && job.training.flash_attention) {
    total += kStatisticBytes * real(m.heads) / t;
  } else if (!core_dropped) {
    const double scores = real(m.heads) / t * real(job.training.sequence_length);
    total += habits.plain_score_bytes / 2 * unit * scores;
  }
  total += adapter_input_bytes(job, lora_target::o) * real(m.attention_out_width()) / t;
  if (keeps_quantized(job, 1)) total += unit * real(m.attention_out_width()) / t;
  total += int8_input_bytes(job) * (3 * h / sequence_split + real(m.attention_out_width()) / t);
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
  double saved = mlp_saved(job);
  if (!input_kept(job, lora_target::down)) saved -= 1;  // the product itself

  const double input = unit - job.states.narrower_input;

  double total = unit * saved * width / width_split;
  if (input_kept(job, lora_target::down)) {
    total -= job.states.narrower_input * width / width_split;
  }
  if (input_kept(job, in)) total += input * h / sequence_split;
  total += adapter_input_bytes(job, in) * h / sequence_split;
  total += adapter_input_bytes(job, lora_target::down) * width / width_split;
  if (keeps_quantized(job, 2)) total += unit * (m.gated ? 2 : 1) * width / width_split;
  total += int8_input_bytes(job) * ((m.gated ? 2 : 1) * h / sequence_split + width / width_split);
  if (habits.dropout) total += h / sequence_split;
  return bytes(tokens * total);
}

/// Routed values on the fullest expert rank over the mean. The constant is of ranks with one expert
/// each; what k of E experts exceed the mean by falls as of k drawn without putting back, to
/// nothing on a rank that has them all.
double routed_imbalance(const Job& job) {
  const double all = real(job.model.moe.experts);
  const double own = all / real(job.layout.ep);
  if (own >= all) return 1;
  return 1 + (job.calibration.moe_imbalance - 1) * std::sqrt((1 / own - 1 / all) / (1 - 1 / all));
}

Bytes expert_activations(const Job& job, double tokens, double sequence_split) {
  const Model& m = job.model;
  const double t = real(job.layout.tp);
  const double etp = real(job.layout.etp);
  const double unit = job.states.activation;
  const double h = real(m.hidden);
  const double routed = real(m.moe.experts_per_token) * routed_imbalance(job);
  // A product that a token's share of the expert multiplies is kept for the share's gradient.
  const double saved = mlp_saved(job) + (job.stack.weighs_inside_experts ? 1 : 0);

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
  // In order q, k, v, out, gate, up, down: every second from the first on is q, v, gate and down;
  // without a gate q, v and up.
  const bool half = job.stack.selective_keeps_half;
  LayerActivations kept;
  kept.norms = bytes(tokens * unit * h / sequence_split);  // the layer's input
  const double attention =
      real(m.query_width() + m.attention_out_width()) / t + kv_values(job) * (half ? 0.5 : 1);
  kept.attention = bytes(tokens * (unit * attention + (half ? 0 : unit * h / sequence_split) +
                                   kStatisticBytes * real(m.heads) / t));
  const double first_products = m.gated && !half ? 2 : 1;
  double mlp = half && !m.gated ? 0 : h / sequence_split;
  if (mixture) {
    const double routed = real(m.moe.experts_per_token) * routed_imbalance(job);
    mlp += routed * (first_products * real(m.moe.ffn_hidden) + h * real(job.layout.etp)) / t +
           first_products * real(m.moe.shared_ffn_hidden) / t;
  } else {
    mlp += first_products * real(m.ffn_hidden) / t;
  }
  kept.mlp = bytes(tokens * unit * mlp);
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
  double norm_saved = job.stack.norm_saved_bytes;
  if (m.norm == Norm::layernorm) norm_saved = min_of(norm_saved, kFusedNormBytes);
  if (job.training.compile) norm_saved = min_of(norm_saved, kCompiledNormBytes);
  const double widths = job.states.activation / 2;
  norm_saved *= widths;
  if (job.training.adapters()) norm_saved = min_of(norm_saved, kFrozenNormBytes);
  const double norm_bytes =
      m.norms_per_layer * norm_saved + job.stack.residual_saved_bytes * widths;
  kept.norms = bytes(tokens * real(m.hidden) * norm_bytes / sequence_split);
  return kept;
}

Bytes layer_checkpoint(const Job& job) {
  const double sequence_split = job.layout.sequence_parallel ? real(job.layout.tp) : 1;
  return bytes(job.micro_tokens() * job.states.activation * real(job.model.hidden) /
               sequence_split);
}

Bytes logits_chain(const Job& job) {
  return bytes(job.micro_tokens() * padded_vocab(job) / real(job.layout.tp) * bytes_per_logit(job));
}

LayerActivations operator*(const LayerActivations& a, double k) {
  return {a.attention * k, a.mlp * k, a.norms * k};
}
LayerActivations operator+(const LayerActivations& a, const LayerActivations& b) {
  return {a.attention + b.attention, a.mlp + b.mlp, a.norms + b.norms};
}

/// What the layers keep under the job's recomputation, and how its states are sharded.
struct Shared {
  const MemoryTerms& terms;
  LayerActivations recomputed[2];  ///< kept of a layer under the job's recomputation
  LayerActivations kept[2];  ///< of a layer, on the mean over those that recompute and the rest
  double shard_ranks = 1;    ///< that states are sharded over
  double expert_shard_ranks = 1;
  std::int64_t micro_batches = 1;
};

Shared shared_terms(const Job& job, const MemoryTerms& terms) {
  Shared shared{terms,
                {},
                {},
                real(job.layout.shard_ranks()),
                job.model.is_moe() ? expert_shard_ranks(job.layout) : 1,
                job.micro_batches()};
  const Recompute recompute = job.training.recompute;
  const double share = job.training.recompute_share;
  if (recompute == Recompute::full && share == 1) return shared;
  for (int i = 0; i < 2; ++i) {
    if (recompute == Recompute::selective) shared.recomputed[i] = terms.selective[i];
    shared.kept[i] = recompute == Recompute::none
                         ? terms.whole[i]
                         : shared.recomputed[i] * share + terms.whole[i] * (1 - share);
  }
  return shared;
}

void add_activations(const Job& job, const Shared& shared, const StageLayers& layers,
                     std::int64_t stage, StageMemory& memory) {
  const double held = memory.micro_batches_in_flight;
  const LayerActivations kept =
      (shared.kept[0] * layers.dense + shared.kept[1] * layers.mixture) * held;
  memory.attention = kept.attention;
  memory.mlp = kept.mlp;
  memory.norms = kept.norms;

  if (job.training.recompute != Recompute::none) {
    // While a layer is recomputed, what was dropped of it is back.
    const auto dropped = [&](double count, const LayerActivations& whole,
                             const LayerActivations& rest) {
      return count > 0 ? max(whole.all() - rest.all(), Bytes{}) : Bytes{};
    };
    memory.working_set = max(dropped(layers.dense, shared.terms.whole[0], shared.recomputed[0]),
                             dropped(layers.mixture, shared.terms.whole[1], shared.recomputed[1]));
  }
  if (job.training.recompute == Recompute::full) {
    memory.checkpoints =
        shared.terms.checkpoint * (layers.all() * held * job.training.recompute_share);
    if (job.layout.offload == Offload::activations) {
      const Bytes all = memory.checkpoints;
      memory.checkpoints = min(all, shared.terms.checkpoint * 2);  // one in use, one on its way
      memory.host += all - memory.checkpoints;
    }
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
    memory.logits = shared.terms.logits;
  }
}

void add_states(const Job& job, const Shared& shared, const StageParameters& parameters,
                StageMemory& memory) {
  const StateBytes& s = job.states;
  const std::int64_t zero = job.layout.zero;
  const auto share = [&shared](double dense, double expert) {
    const double experts = expert > 0 ? expert / shared.expert_shard_ranks : 0;
    return (dense > 0 ? dense / shared.shard_ranks : 0) + experts;
  };
  const double trainable = parameters.trainable();
  const double sharded =
      zero >= 1 ? share(parameters.dense_trainable, parameters.expert_trainable) : trainable;
  const double trainable_by_optimizer = sharded;
  const double trainable_by_gradients = zero >= 2 ? sharded : trainable;
  const double trainable_by_weights = zero >= 3 ? sharded : trainable;
  const double frozen_matrices = zero >= 3
                                     ? share(parameters.frozen_linear, parameters.frozen_expert)
                                     : parameters.frozen_linear + parameters.frozen_expert;
  const double frozen_other =
      zero >= 3 ? share(parameters.frozen_other, 0) : parameters.frozen_other;

  memory.weights = bytes(s.weights * trainable_by_weights + s.frozen_weights * frozen_matrices +
                         s.frozen_embeddings * frozen_other);
  if (zero < 3) memory.weights += bytes(s.narrow_copies * (trainable - parameters.ends));
  memory.gradients = bytes(s.gradients * trainable_by_gradients);
  memory.master = bytes(s.master * trainable_by_optimizer);
  memory.moments = bytes(s.moments * trainable_by_optimizer);
  memory.parameters = trainable_by_weights + frozen_matrices + frozen_other;
  memory.trainable_parameters = trainable_by_optimizer;
}

/// Moves to host memory what the layout offloads.
void move_to_host(const Job& job, StageMemory& memory) {
  const auto move = [&memory](Bytes& part) {
    memory.host += part;
    part = {};
  };
  if (job.layout.steps_on_host()) {
    move(memory.master);
    move(memory.moments);
    if (!job.stack.offload_keeps_gradients) move(memory.gradients);
  }
  if (job.layout.offload == Offload::parameters) move(memory.weights);
}

void add_buffers(const Job& job, const Shared& shared, const StageLayers& layers,
                 const StageParameters& parameters, StageMemory& memory) {
  const StackHabits& habits = job.stack;
  const StateBytes& s = job.states;
  const bool adapters = job.training.adapters();
  const double dense = layers.dense > 0 ? shared.terms.parameters.dense_layer.all() : 0;
  const double mixture = layers.mixture > 0 ? shared.terms.parameters.mixture_layer.all() : 0;
  const double largest = dense > mixture ? dense : mixture;
  const double computed = s.activation;  // the 16-bit (or fp32) copy that products read

  Bytes gathered;
  // Weights that live on the host are gathered by one rank too.
  const bool elsewhere = job.layout.shard_ranks() > 1 || job.layout.offload == Offload::parameters;
  if (job.layout.zero >= 3 && elsewhere) {
    const double all = parameters.trainable() + parameters.frozen_linear + parameters.frozen_expert;
    const double live =
        max_of(habits.gathered_layers * largest, min_of(habits.live_parameters, all));
    gathered += bytes(live * (adapters ? s.frozen_weights : computed));
    if (!adapters) gathered += bytes(largest * computed);  // its gradient, unsharded
    if (habits.gathers_root) {
      gathered += bytes(parameters.ends * (adapters ? s.frozen_embeddings : computed));
    }
  } else if (s.transient > 0) {
    gathered += bytes(s.transient * parameters.trainable());
  }
  if (job.training.kind == TrainingKind::qlora) {
    const Model& m = job.model;
    const std::int64_t expert = layers.mixture > 0 ? m.moe.ffn_hidden : 0;
    const std::int64_t width = layers.dense > 0 && m.ffn_hidden > expert ? m.ffn_hidden : expert;
    gathered += bytes(real(m.hidden * width) / real(job.layout.tp) * kUnpackedBytes);
  }
  memory.gathered = gathered;

  // Gradients leave by the bucket for the other ranks, and for the host.
  if (job.layout.data_ranks() > 1 || job.layout.steps_on_host()) {
    memory.buckets = min(habits.bucket, bytes(s.gradients * parameters.trainable()));
  }
  memory.workspace = habits.workspace;
}

Bytes activations(const StageMemory& memory) {
  return memory.checkpoints + memory.attention + memory.mlp + memory.norms + memory.working_set +
         memory.embedding;
}

[[gnu::always_inline]] inline void add_up(const Job& job, StageMemory& memory) {
  memory.optimizer = memory.master + memory.moments;
  memory.activations = activations(memory);
  memory.buffers = memory.gathered + memory.buckets + memory.workspace;
  memory.allocated = memory.weights + memory.gradients + memory.optimizer + memory.activations +
                     memory.logits + memory.buffers;
  memory.context = job.stack.context * job.calibration.context_factor;
  if (job.cluster.count > 1) {
    memory.context += job.stack.collective * job.calibration.context_factor;
  }
  memory.reserved = memory.allocated * reserved_over_allocated(job);
  // Blocks cached for other lengths are given back before anything runs out.
  const Bytes room = job.cluster.gpu.usable_memory - memory.context - memory.reserved;
  memory.reserved += max(min(memory.logits * job.stack.ragged_reserve, room), Bytes{});
  memory.device = memory.reserved + memory.context;
}

/// Paged moments stay on the GPU as far as there is room for whole pages; the rest is on the host.
void page_out(const Job& job, StageMemory& memory) {
  const Bytes over = (memory.device - job.cluster.gpu.usable_memory) / reserved_over_allocated(job);
  if (over.value <= 0) return;
  // Pages leave whole, so up to one more than was needed: it is counted in full, since how much of
  // it is needed jumps back and forth as a job grows, and more work would show as less memory.
  const Bytes moved = min(memory.moments, over + bytes(kPageBytes));
  memory.moments -= moved;
  memory.host += moved;
  add_up(job, memory);
}

/// A step's temporaries are as wide as a moment of the optimizer.
double step_copy_bytes(const Job& job) {
  // Gradients that have fp32 sums beside them need no copy.
  if (job.states.gradients > 4) return 0;
  constexpr double kFp32Moments = 8;  // two moments of 4 bytes
  return job.stack.step_copy_bytes * min_of(job.states.moments / kFp32Moments, 1);
}

double parameters_in_a_step(const Job& job, const StageMemory& memory) {
  const double group = job.stack.step_group;
  if (job.layout.zero < 3 || group <= 0) return memory.trainable_parameters;
  return min_of(memory.trainable_parameters, group);
}

/// Into `result`, where that is of a stage before and less full, or of none; in place, since to
/// copy or to fill so many bytes costs WebAssembly as much as a good part of what is computed.
/// @return whether it was
bool take_fuller(const Job& job, const Shared& shared, const StageLayers& layers,
                 std::int64_t stage, bool first, StageMemory& result) {
  StageMemory memory;
  const StageParameters parameters = stage_parameters(job, shared.terms.parameters, layers, stage);
  memory.micro_batches_in_flight = micro_batches_in_flight(job, stage, shared.micro_batches);
  add_states(job, shared, parameters, memory);
  add_activations(job, shared, layers, stage, memory);
  add_buffers(job, shared, layers, parameters, memory);
  move_to_host(job, memory);

  // The logits are gone when the first layer is recomputed: the two peaks don't add up.
  if (memory.logits < memory.working_set) {
    memory.logits = {};
  } else {
    memory.working_set = {};
  }
  // The optimizer's copies come when the activations are gone: only what exceeds those counts.
  const double stepped = job.layout.steps_on_host() ? 0 : parameters_in_a_step(job, memory);
  const Bytes step_copy = bytes(step_copy_bytes(job) * stepped);
  const Bytes gone = activations(memory) + memory.logits + memory.gathered;
  memory.gathered += max(step_copy - gone, Bytes{});
  add_up(job, memory);
  if (job.optimizer->paged) page_out(job, memory);
  if (!first && !(result.device < memory.device)) return false;
  result = memory;
  return true;
}

}  // namespace

double reserved_over_allocated(const Job& job) {
  return 1 + (job.stack.reserved_factor - 1) * job.calibration.reserve_factor;
}

MemoryTerms memory_terms(const Job& job) {
  MemoryTerms terms;
  terms.parameters = parameter_shares(job);
  for (int i = 0; i < 2; ++i) {
    const bool mixture = i == 1;
    if (mixture ? !job.model.is_moe() : job.model.dense_layers() == 0) continue;
    terms.whole[i] = layer_activations(job, mixture, Recompute::none);
    terms.selective[i] = layer_activations(job, mixture, Recompute::selective);
  }
  terms.checkpoint = layer_checkpoint(job);
  terms.logits = logits_chain(job);
  return terms;
}

Bytes least_device_memory(const Job& job, const ParameterShares& parameters,
                          const StageRuns& stages) {
  MemoryTerms terms;
  terms.parameters = parameters;
  const Shared shared = shared_terms(job, terms);
  Bytes most;
  for (const StageRun& run : stages) {
    StageMemory memory;
    add_states(job, shared, stage_parameters(job, parameters, run.layers, run.first), memory);
    move_to_host(job, memory);
    if (job.optimizer->paged) memory.moments = {};
    memory.workspace = job.stack.workspace;
    add_up(job, memory);
    most = max(most, memory.device);
  }
  return most;
}

StageMemory estimate_stage_memory(const Job& job, std::int64_t stage) {
  const MemoryTerms terms = memory_terms(job);
  StageMemory memory;
  take_fuller(job, shared_terms(job, terms), stage_layers(job.model, job.layout, stage), stage,
              true, memory);
  return memory;
}

Memory estimate_memory(const Job& job) {
  return estimate_memory(job, memory_terms(job), stage_runs(job.model, job.layout));
}

Memory estimate_memory(const Job& job, const MemoryTerms& terms, const StageRuns& stages) {
  Memory memory;
  memory.stage_count = job.layout.pp;
  const Shared shared = shared_terms(job, terms);
  const StageRun* previous = nullptr;
  for (const StageRun& run : stages) {
    // Of stages with the same layers, a later one holds no more micro-batches, and no ends.
    const bool last = run.first == job.layout.pp - 1;
    const bool alike = previous != nullptr && !last && run.layers == previous->layers;
    previous = &run;
    if (alike) continue;
    if (take_fuller(job, shared, run.layers, run.first, run.first == 0, memory.stage)) {
      memory.stage_index = run.first;
    }
  }
  memory.usable = job.cluster.gpu.usable_memory;
  memory.host = memory.stage.host;
  memory.fits = memory.stage.device <= memory.usable;

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
