#include <traintally/time.hpp>

#include <traintally/memory.hpp>

#include "attention_pairs.hpp"
#include "collective.hpp"
#include "stage.hpp"
#include "terms.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

/// Products in fp8 or fp4: their inputs are cast on the way.
constexpr bool narrow(const Job& job) {
  return job.matmul == MatmulKind::fp8 || job.matmul == MatmulKind::fp4;
}

/// Width of a head as the attention core's products see it.
constexpr std::int64_t core_head_dim(const Model& m) {
  return m.is_mla() ? m.mla.qk_nope_head_dim + m.mla.qk_rope_head_dim : m.head_dim;
}

Rates rates(const Job& job) {
  const Gpu& gpu = job.cluster.gpu;
  const Calibration& c = job.calibration;
  const double power = gpu.power_limit_share;
  Rates r;
  r.matmul = gpu.rate(job.matmul) *
             ((narrow(job) ? c.fp8_efficiency : c.matmul_efficiency) * c.product_scale * power);
  const double ported = job.stack.own_attention ? 1 : c.ported_attention;
  r.attention = gpu.rate(job.attention_matmul) *
                (c.attention_efficiency * c.attention_scale * ported * power);
  r.memory = gpu.memory_bandwidth * c.bandwidth_efficiency;
  return r;
}

/// A product of (rows x depth) by (depth x columns): the slower of arithmetic and traffic. A short
/// inner dimension and an output of few tiles leave the device partly idle.
Seconds product_time(const Job& job, const Rates& r, double rows, double depth, double columns) {
  const Calibration& c = job.calibration;
  const double area = rows * columns;
  // At half speed where depth or area equals its constant: as much work again.
  const Seconds arithmetic =
      Flops{2 * (area + c.matmul_half_area) * (depth + c.matmul_half_depth)} / r.matmul;
  const Seconds traffic =
      Bytes{job.states.activation * (rows * depth + depth * columns + area)} / r.memory;
  return max(arithmetic, traffic);
}

Seconds attention_products(const Job& job, const Rates& r, double tokens) {
  const Model& m = job.model;
  const double t = real(job.layout.tp);
  const double q = real(m.query_width()) / t;
  const double o = real(m.attention_out_width()) / t;
  const double h = real(m.hidden);
  if (m.is_mla()) {
    const LatentAttention& a = m.mla;
    const double latent = real(a.kv_lora_rank);
    Seconds time = product_time(job, r, tokens, h, latent + real(a.qk_rope_head_dim));
    time += product_time(job, r, tokens, latent,
                         real(m.heads * (a.qk_nope_head_dim + a.v_head_dim)) / t);
    if (a.q_lora_rank > 0) {
      time += product_time(job, r, tokens, h, real(a.q_lora_rank));
      time += product_time(job, r, tokens, real(a.q_lora_rank), q);
    } else {
      time += product_time(job, r, tokens, h, q);
    }
    return time + product_time(job, r, tokens, o, h);
  }
  const double kv = real(m.key_width() + m.value_width()) / kv_split(job);
  return product_time(job, r, tokens, h, q + kv) + product_time(job, r, tokens, o, h);
}

Seconds mlp_products(const Job& job, const Rates& r, double tokens, double width) {
  const double h = real(job.model.hidden);
  return product_time(job, r, tokens, h, (job.model.gated ? 2 : 1) * width) +
         product_time(job, r, tokens, width, h);
}

/// The attention core, forward.
Seconds attention_core(const Job& job, const Rates& r, double tokens) {
  const Model& m = job.model;
  const Calibration& c = job.calibration;
  const double t = real(job.layout.tp);
  const double sequence = real(job.training.sequence_length);
  // Tensor cores take eight values at a time: other head widths waste them.
  const double aligned = core_head_dim(m) % 8 == 0 ? 1 : c.misaligned_attention;
  const double widths = real(m.query_width() + m.attention_out_width()) / t / aligned;
  if (job.training.flash_attention) {
    const double pairs_per_token = attention_pairs(m, sequence) / sequence;
    const double fill = sequence / (sequence + c.attention_half_sequence);
    return Flops{2 * tokens * pairs_per_token * widths / fill} / r.attention;
  }
  // Two batched products over the full square, and the scores pass through memory.
  const double scores = tokens * sequence * real(m.heads) / t;
  const double head = real(core_head_dim(m));
  const FlopsPerSecond rate{r.matmul.value * head / (head + c.matmul_half_depth)};
  return Flops{2 * tokens * sequence * widths} / rate +
         Bytes{scores * c.plain_score_traffic * job.states.activation / 2} / r.memory;
}

/// Low-rank products of the adapters, forward: each reads its input, writes and reads the narrow
/// middle (small), and adds into its output; a high rank is limited by arithmetic instead.
Seconds adapter_time(const Job& job, const Rates& r, double tokens, double mlp_width) {
  if (!job.training.adapters()) return {};
  const Model& m = job.model;
  const Lora& lora = job.training.lora;
  const double t = real(job.layout.tp);
  const double h = real(m.hidden);
  const double traffic = job.states.activation * job.calibration.adapter_traffic;
  Seconds time;
  const auto add = [&](unsigned target, double in, double out) {
    if ((lora.targets & target) == 0) return;
    time += max(Bytes{tokens * (in + 2 * out) * traffic} / r.memory,
                Flops{2 * tokens * real(lora.rank) * (in + out)} / r.matmul);
  };
  add(lora_target::q, h, real(m.query_width()) / t);
  add(lora_target::k, h, real(m.key_width()) / kv_split(job));
  add(lora_target::v, h, real(m.value_width()) / kv_split(job));
  add(lora_target::o, real(m.attention_out_width()) / t, h);
  if (m.gated) add(lora_target::gate, h, mlp_width);
  add(lora_target::up, h, mlp_width);
  add(lora_target::down, mlp_width, h);
  return time;
}

/// Tensor-parallel collectives of one layer, forward: an all-reduce of the hidden states after
/// attention and after the MLP (with sequence parallelism its halves, before and after). Experts
/// that are whole on their rank need none; split ones exchange the tokens that were sent to them.
Seconds tensor_collectives(const Job& job, bool mixture) {
  const Layout& l = job.layout;
  if (l.tp <= 1) return {};
  const MixtureOfExperts& moe = job.model.moe;
  const Bytes hidden{job.micro_tokens() * real(job.model.hidden) * job.states.activation};
  const Seconds one = all_reduce_time(group_path(job, l.tp, 1), hidden);
  if (!mixture) return 2 * one;
  Seconds time = one;
  if (moe.shared_ffn_hidden > 0) time += one;
  if (l.etp > 1) {
    const double routed = real(moe.experts_per_token) * job.calibration.moe_imbalance;
    time +=
        all_reduce_time(group_path(job, l.etp, 1), hidden * (routed * real(l.etp) / real(l.tp)));
  }
  return time;
}

/// Context-parallel exchange of one layer: the keys and values of every other rank pass by.
Seconds context_exchange(const Job& job) {
  const Layout& l = job.layout;
  if (l.cp <= 1) return {};
  const double kv = real(job.model.key_width() + job.model.value_width()) / kv_split(job);
  return ring_exchange_time(group_path(job, l.cp, l.tp),
                            {job.micro_tokens() * kv * job.states.activation});
}

Seconds unhidden(Seconds traffic, Seconds compute) { return max(traffic - compute, Seconds{}); }

/// Experts' all-to-all of one layer, forward: tokens out to their experts and back.
Seconds expert_exchange(const Job& job) {
  const Layout& l = job.layout;
  if (l.ep <= 1) return {};
  const double routed = job.micro_tokens() / real(l.tp) * real(job.model.moe.experts_per_token) *
                        job.calibration.moe_imbalance;
  const Path path = group_path(job, l.ep, l.etp > 1 ? l.tp : 1);
  const Bytes token{real(job.model.hidden) * job.states.activation};
  double nodes_met = 0;  // of the other nodes, by one token
  if (job.stack.sends_per_node && path.local_ranks < path.ranks) {
    const double nodes = real(path.ranks) / real(path.local_ranks);
    double missed = 1;
    for (std::int64_t i = 0; i < job.model.moe.experts_per_token; ++i) missed *= 1 - 1 / nodes;
    nodes_met = (nodes - 1) * (1 - missed);
  }
  const double sent = job.micro_tokens() / real(l.tp) * nodes_met;
  return 2 * all_to_all_time(path, token * routed, token * sent);
}

Pass layer_forward(const Job& job, const Rates& r, const LayerParameters& parameters,
                   bool mixture) {
  const Model& m = job.model;
  const Calibration& c = job.calibration;
  const Layout& l = job.layout;
  const double t = real(l.tp);
  const double tokens = job.micro_tokens();
  const double h = real(m.hidden);
  const double sequence_split = l.sequence_parallel ? t : 1;

  Pass pass;
  pass.matmul = attention_products(job, r, tokens);
  const double linear_share = real(m.linear_attention.layers) / real(m.layers);
  pass.attention = attention_core(job, r, tokens) * (1 - linear_share);

  double width = 0;  // of the MLP as element-wise work sees it, per rank
  double routed_values = 0;
  if (mixture) {
    const double routed = tokens * real(m.moe.experts_per_token) / t * c.moe_imbalance;
    const double local_experts = real(m.moe.experts) / real(l.ep);
    const double rows = routed * real(l.etp) / local_experts;
    const double expert_width = real(m.moe.ffn_hidden) / real(l.etp);
    pass.matmul += product_time(job, r, tokens / sequence_split, h, real(m.moe.experts));
    pass.matmul += mlp_products(job, r, rows, expert_width) * local_experts;
    width = real(m.moe.experts_per_token * m.moe.ffn_hidden) / t * c.moe_imbalance;
    routed_values = 4 * real(m.moe.experts_per_token) * h / t;  // permute and unpermute
    if (m.moe.shared_ffn_hidden > 0) {
      pass.matmul += mlp_products(job, r, tokens, real(m.moe.shared_ffn_hidden) / t);
      width += real(m.moe.shared_ffn_hidden) / t;
    }
  } else {
    pass.matmul += mlp_products(job, r, tokens, real(m.ffn_hidden) / t);
    width = real(m.ffn_hidden) / t;
  }

  double values =
      c.elementwise_hidden * h / sequence_split + c.elementwise_mlp * width + routed_values;
  if (job.training.compile) values *= c.compiled_elementwise;
  if (narrow(job)) values *= c.narrow_elementwise;
  pass.elementwise = Bytes{tokens * job.states.activation * values} / r.memory +
                     adapter_time(job, r, tokens, width);
  if (job.training.kind == TrainingKind::qlora) {
    pass.dequantize = Bytes{parameters.all() * c.dequantize_traffic} / r.memory;
  }
  pass.tensor =
      tensor_collectives(job, mixture) * (1 - (job.stack.hides_tensor ? c.tensor_overlap : 0));
  pass.context = unhidden(context_exchange(job), pass.attention);
  if (mixture) {
    pass.expert = expert_exchange(job);
    pass.expert = job.stack.hides_expert ? unhidden(pass.expert, pass.compute())
                                         : pass.expert * (1 - c.expert_overlap);
  }
  return pass;
}

Pass layer_backward(const Job& job, const Pass& forward) {
  const Calibration& c = job.calibration;
  Pass pass;
  pass.matmul = forward.matmul * (job.training.adapters() ? 1 : 2);
  // Fused attention computes the scores again: five products where forward had two.
  pass.attention = job.training.flash_attention ? forward.attention * (2.5 / c.attention_backward)
                                                : forward.attention * 2;
  pass.elementwise = forward.elementwise * c.elementwise_backward;
  pass.dequantize = forward.dequantize;
  pass.tensor = forward.tensor;
  // Keys and values pass by again, and their gradients with them.
  pass.context = unhidden(2 * context_exchange(job), pass.attention);
  pass.expert = forward.expert;
  return pass;
}

/// Share of a layer's products whose outputs are dropped where every second is kept: k, out and up
/// of q, k, v, out, gate, up, down; k, out and down without a gate.
double dropped_share(const Model& m) {
  const double width = real(m.is_moe() ? m.moe.experts_per_token * m.moe.ffn_hidden : m.ffn_hidden);
  const double attention = real(m.query_width() + m.key_width() + m.value_width());
  const double out = real(m.attention_out_width());
  return (real(m.key_width()) + out + width) / (attention + out + real(m.mlp_matrices()) * width);
}

/// What selective recomputation computes again before a layer's backward pass.
Pass selective_pass(const Job& job, const Pass& forward) {
  Pass again;
  if (job.stack.selective_keeps_products) {
    again.elementwise = forward.elementwise;
    if (job.stack.selective_keeps_half) again.matmul = forward.matmul * dropped_share(job.model);
  } else {
    again.attention = forward.attention;
    again.context = forward.context;
  }
  return again;
}

/// Head, loss and their backward, for one micro-batch.
Seconds head_and_loss(const Job& job, const Rates& r) {
  const Calibration& c = job.calibration;
  const double tokens = job.micro_tokens();
  const double vocab = padded_vocab(job) / real(job.layout.tp);
  const double passes = job.training.adapters() ? 2 : 3;
  const double traffic = job.training.fused_loss ? c.fused_loss_traffic : c.loss_traffic;
  Rates wide = r;  // the head stays in 16-bit where the layers run in fp8
  if (job.matmul != job.attention_matmul) {
    wide.matmul = job.cluster.gpu.rate(job.attention_matmul) *
                  (c.matmul_efficiency * job.cluster.gpu.power_limit_share);
  }
  return product_time(job, wide, tokens, real(job.model.hidden), vocab) * passes +
         Bytes{tokens * vocab * traffic} / r.memory;
}

/// Time of compute and traffic side by side: the smaller one is hidden up to a share.
Seconds beside(Seconds compute, Seconds traffic, double overlap) {
  return max(compute, traffic) + min(compute, traffic) * (1 - overlap);
}

/// A layer's passes on the device.
struct DeviceTime {
  Seconds forward;
  Seconds backward;  ///< recomputation in
};

/// What is computed again before the layers' backward passes; null where nothing is.
const Pass* recomputed(const Job& job, const TimeTerms& terms) {
  switch (job.training.recompute) {
    case Recompute::full:
      return terms.forward;
    case Recompute::selective:
      return terms.selective;
    case Recompute::none:
      return nullptr;
  }
  return nullptr;
}

/// One micro-batch on one stage.
struct StageStep {
  StageLayers layers;
  DeviceTime device;
  Seconds head;
  Seconds launch_added;
  Seconds forward_pace;    ///< of device and host, the slower; traffic hides beside it
  Seconds backward_pace;   ///< likewise, recomputation in
  Seconds gather_exposed;  ///< ZeRO-3 and parameter offload
  bool floor_bound = false;
  constexpr Seconds per_micro_batch() const {
    return forward_pace + backward_pace + head + launch_added + gather_exposed;
  }
  /// What the host adds to the device's time.
  constexpr Seconds launch() const {
    return forward_pace - device.forward + (backward_pace - device.backward) + launch_added;
  }
};

/// The passes of a dense and of a mixture layer, all layers together.
Pass sum(const Pass* passes, const StageLayers& layers) {
  const auto all = [&](Seconds Pass::*part) {
    const Seconds dense = passes[0].*part * layers.dense;
    return layers.mixture > 0 ? dense + passes[1].*part * layers.mixture : dense;
  };
  return {all(&Pass::matmul),     all(&Pass::attention), all(&Pass::elementwise),
          all(&Pass::dequantize), all(&Pass::tensor),    all(&Pass::context),
          all(&Pass::expert)};
}

/// What all pipeline stages of a job share.
struct Shared {
  const TimeTerms& terms;
  DeviceTime device[2];
  Path shards;         ///< of the ranks that states are sharded over
  Path expert_shards;  ///< of those that an expert's states are sharded over
};

/// Whether ZeRO-3 gathers weights and reduces gradients for every micro-batch.
bool sharded_per_micro_batch(const Job& job) {
  return job.layout.zero >= 3 && job.layout.shard_ranks() > 1 && job.stack.gathers_per_micro_batch;
}

Shared shared_terms(const Job& job, const TimeTerms& terms) {
  Shared shared{terms, {}, {}, {}};
  const Recompute recompute = job.training.recompute;
  for (int i = 0; i < 2; ++i) {
    Seconds again;
    if (recompute == Recompute::full) again = terms.forward_device[i];
    if (recompute == Recompute::selective) again = terms.selective_device[i];
    again = again * job.training.recompute_share;
    shared.device[i] = {terms.forward_device[i], terms.backward_device[i] + again};
  }
  if (sharded_per_micro_batch(job)) {
    const Layout& l = job.layout;
    shared.shards = group_path(job, l.shard_ranks(), l.tp);
    const auto expert_ranks = static_cast<std::int64_t>(expert_shard_ranks(l));
    shared.expert_shards = group_path(job, expert_ranks, l.ep * l.etp);
  }
  return shared;
}

/// Traffic of a stage beside one micro-batch's forward and backward passes: ZeRO-3's weights and
/// gradients, offloaded parameters and activations.
struct SideTraffic {
  Seconds forward;
  Seconds backward;
};

SideTraffic side_traffic(const Job& job, const Shared& shared, const StageLayers& layers,
                         const StageParameters& parameters) {
  const Layout& l = job.layout;
  const bool adapters = job.training.adapters();
  const double weight = adapters ? job.states.frozen_weights : job.states.activation;
  const double experts = parameters.expert_trainable + parameters.frozen_expert;
  SideTraffic traffic;
  if (sharded_per_micro_batch(job)) {
    const Seconds latency = shared.shards.latency * layers.all();
    const Seconds gathered = gather_time(shared.shards, {(parameters.all() - experts) * weight}) +
                             gather_time(shared.expert_shards, {experts * weight}) + latency;
    const double reduce = job.stack.reduce_bytes;
    traffic.forward = gathered;
    traffic.backward = gathered + latency +
                       gather_time(shared.shards, {parameters.dense_trainable * reduce}) +
                       gather_time(shared.expert_shards, {parameters.expert_trainable * reduce});
  }
  const BytesPerSecond bus = job.cluster.gpu.pcie * job.calibration.pcie_efficiency;
  if (l.offload == Offload::parameters) {
    const double shards = real(l.zero >= 3 ? l.shard_ranks() : 1);
    const Seconds fetched = Bytes{parameters.all() * weight / shards} / bus;
    traffic.forward += fetched;
    traffic.backward += fetched;
  }
  if (l.offload == Offload::activations && job.training.recompute == Recompute::full) {
    const double sequence_split = l.sequence_parallel ? real(l.tp) : 1;
    const Bytes kept{layers.all() * job.training.recompute_share * job.micro_tokens() *
                     real(job.model.hidden) * job.states.activation / sequence_split};
    traffic.forward += kept / bus;
    traffic.backward += kept / bus;
  }
  return traffic;
}

/// Of the head's work, what the last stage has; the first has the rest (DualPipe).
double head_share(const Job& job) { return job.stack.both_ways && job.layout.pp > 1 ? 0.5 : 1; }

StageStep stage_step(const Job& job, const Shared& shared, const StageLayers& layers,
                     const StageParameters& parameters, std::int64_t stage) {
  const Calibration& c = job.calibration;
  StageStep step;
  step.layers = layers;
  const auto [dense, mixture] = shared.device;
  step.device.forward = dense.forward * layers.dense + mixture.forward * layers.mixture;
  step.device.backward = dense.backward * layers.dense + mixture.backward * layers.mixture;
  if (stage == job.layout.pp - 1) step.head = shared.terms.head * head_share(job);

  // Each way, the device waits for the host where that is slower.
  const double compiled = job.training.compile ? c.compiled_launch : 1;
  const double again_share =
      job.training.recompute == Recompute::full ? job.training.recompute_share : 0;
  const double forward_launches = (layers.dense + layers.mixture * c.launch_mixture) * compiled;
  const double backward_launches = forward_launches * (c.launch_backward + again_share);
  // Ranks that meet at every collective wait for the slowest host among them.
  const Seconds floor = c.launch_floor + c.launch_tensor * real(job.layout.tp - 1);
  step.forward_pace = max(step.device.forward, floor * forward_launches);
  step.backward_pace = max(step.device.backward, floor * backward_launches);
  step.floor_bound =
      step.device.forward + step.device.backward < floor * (forward_launches + backward_launches);
  step.launch_added = c.launch_added * (forward_launches + backward_launches);

  const Offload offload = job.layout.offload;
  if (sharded_per_micro_batch(job) || offload == Offload::parameters ||
      offload == Offload::activations) {
    const SideTraffic traffic = side_traffic(job, shared, layers, parameters);
    const Seconds f = step.forward_pace;
    const Seconds b = step.backward_pace + step.head;
    step.gather_exposed =
        beside(f, traffic.forward, c.overlap) - f + (beside(b, traffic.backward, c.overlap) - b);
  }
  return step;
}

/// A gather in the stack's buckets: each of them waits for the ring's latency.
Seconds bucketed_gather_time(const Job& job, const Path& path, Bytes size) {
  const double bucket = job.stack.bucket.value;
  const double more = bucket > 0 && bucket < size.value ? size.value / bucket - 1 : 0;
  return gather_time(path, size) + path.latency * more;
}

/// Gradient reduction (and the gathering of updated weights) once per step, where it isn't done
/// for every micro-batch.
Seconds data_parallel_traffic(const Job& job, const StageParameters& parameters) {
  const Layout& l = job.layout;
  if (l.data_ranks() <= 1) return {};
  Seconds traffic;
  if (!sharded_per_micro_batch(job)) {
    const double reduced = job.stack.reduce_bytes;
    const double returned = l.zero >= 1 ? job.states.weights : reduced;
    const Path path = group_path(job, l.data_ranks(), l.tp);
    const auto gathered = [&](double width) {
      return bucketed_gather_time(job, path, {parameters.dense_trainable * width});
    };
    const Seconds out = gathered(reduced);
    traffic += out;
    traffic += returned == reduced ? out : gathered(returned);
    if (parameters.expert_trainable > 0) {
      const Path expert = group_path(job, l.expert_data_ranks(), l.ep * l.etp);
      traffic += gather_time(expert, {parameters.expert_trainable * reduced});
      traffic += gather_time(expert, {parameters.expert_trainable * returned});
    }
  } else if (l.shard_ranks() < l.data_ranks()) {
    // Hybrid sharding: the shards' gradients are summed over the groups.
    const std::int64_t groups = quotient(l.data_ranks(), l.shard_ranks());
    const Path path = group_path(job, groups, l.tp * l.shard_ranks());
    traffic += all_reduce_time(
        path, {parameters.trainable() * job.stack.reduce_bytes / real(l.shard_ranks())});
  }
  return traffic;
}

Seconds optimizer_time(const Job& job, const Rates& r, const StageParameters& parameters,
                       std::int64_t stage, Seconds& offload) {
  const Calibration& c = job.calibration;
  const Layout& l = job.layout;
  const double ranks = real(l.zero >= 1 ? l.shard_ranks() : 1);
  double mine = parameters.dense_trainable / ranks;
  if (parameters.expert_trainable > 0) {
    mine += parameters.expert_trainable / (l.zero >= 1 ? expert_shard_ranks(l) : 1);
  }
  // Gradients are read, the rest is read and written.
  const double per_parameter = job.states.gradients + 2 * job.states.optimizer() +
                               2 * job.states.weights + job.optimizer->extra_traffic_bytes;
  const Bytes moved{mine * per_parameter * c.optimizer_traffic};
  const BytesPerSecond bus = job.cluster.gpu.pcie * c.pcie_efficiency;
  Seconds time = c.launch_step;
  if (l.steps_on_host()) {
    offload = Bytes{mine * (job.states.gradients + job.states.weights)} / bus +
              moved / BytesPerSecond{c.host_update_bandwidth};
  } else {
    time += moved / r.memory;
    // Moments that were paged out come in and go out again.
    if (job.optimizer->paged) offload = 2 * estimate_stage_memory(job, stage).host / bus;
  }
  if (job.optimizer->extra_flops_per_hidden > 0) {
    time += Flops{mine * job.optimizer->extra_flops_per_hidden * real(job.model.hidden)} / r.matmul;
  }
  return time;
}

}  // namespace

TimeTerms time_terms(const Job& job) {
  TimeTerms terms;
  terms.rates = rates(job);
  terms.parameters = parameter_shares(job);
  for (int i = 0; i < 2; ++i) {
    const bool mixture = i == 1;
    if (mixture ? !job.model.is_moe() : job.model.dense_layers() == 0) continue;
    const LayerParameters& parameters =
        mixture ? terms.parameters.mixture_layer : terms.parameters.dense_layer;
    terms.forward[i] = layer_forward(job, terms.rates, parameters, mixture);
    terms.backward[i] = layer_backward(job, terms.forward[i]);
    terms.selective[i] = selective_pass(job, terms.forward[i]);
    terms.forward_device[i] = terms.forward[i].device();
    terms.backward_device[i] = terms.backward[i].device();
    terms.selective_device[i] = terms.selective[i].device();
  }
  terms.head = head_and_loss(job, terms.rates);
  return terms;
}

StepBound bound_step_time(const Job& job, const TimeTerms& terms, const StageRuns& stages) {
  StepBound bound;
  bound.micro_batches = real(job.micro_batches());
  Shared shared{terms, {}, {}, {}};
  for (int i = 0; i < 2; ++i) {
    shared.device[i] = {terms.forward_device[i], terms.backward_device[i]};
  }
  for (const StageRun& run : stages) {
    StageStep step = stage_step(job, shared, run.layers, {}, run.first);
    step.gather_exposed = {};
    const Seconds one = step.per_micro_batch();
    bound.slowest = max(bound.slowest, one);
    bound.all += one * real(run.count);
  }
  return bound;
}

StepTime estimate_step_time(const Job& job) {
  return estimate_step_time(job, time_terms(job), stage_runs(job.model, job.layout));
}

StepTime estimate_step_time(const Job& job, const TimeTerms& terms, const StageRuns& stages) {
  const Calibration& c = job.calibration;
  const Layout& l = job.layout;
  const Shared shared = shared_terms(job, terms);

  StageStep slowest;
  Seconds slowest_one;
  StageParameters largest;  // of the stage that has most to reduce and to update
  std::int64_t largest_stage = 0;
  Seconds largest_backward;
  Seconds all_stages;
  for (const StageRun& run : stages) {
    const StageParameters parameters =
        stage_parameters(job, terms.parameters, run.layers, run.first);
    const StageStep current = stage_step(job, shared, run.layers, parameters, run.first);
    if (largest.trainable() < parameters.trainable()) {
      largest = parameters;
      largest_stage = run.first;
      largest_backward = current.backward_pace;
    }
    const Seconds one = current.per_micro_batch();
    all_stages += one * real(run.count);
    if (run.first == 0 || slowest_one < one) {
      slowest = current;
      slowest_one = one;
    }
  }

  all_stages += shared.terms.head * (1 - head_share(job));

  const Pass forward = sum(terms.forward, slowest.layers);
  const Pass backward = sum(terms.backward, slowest.layers);
  const Pass* const passes_again = recomputed(job, terms);
  const double share = job.training.recompute_share;
  const StageLayers layers_again{slowest.layers.dense * share, slowest.layers.mixture * share};
  const Pass again = passes_again == terms.forward && share == 1 ? forward
                     : passes_again != nullptr                   ? sum(passes_again, layers_again)
                                                                 : Pass{};

  StepTime step;
  step.micro_batches = job.micro_batches();
  const double m = real(step.micro_batches);
  step.floor_bound = slowest.floor_bound;
  step.matmul = (forward.matmul + backward.matmul) * m;
  step.attention = (forward.attention + backward.attention) * m;
  step.elementwise =
      (forward.elementwise + forward.dequantize + backward.elementwise + backward.dequantize) * m;
  step.head_and_loss = slowest.head * m;
  step.recompute = again.compute() * m;
  step.launch = slowest.launch() * m;
  step.tensor_exposed = (forward.tensor + backward.tensor + again.tensor) * m;
  step.context_exposed = (forward.context + backward.context + again.context) * m;
  step.expert_exposed = (forward.expert + backward.expert + again.expert) * m;
  step.data_exposed = slowest.gather_exposed * m;
  step.bubble = (all_stages - slowest_one) / real(l.virtual_stages);

  if (l.pp > 1) {
    const double sequence_split = l.sequence_parallel ? real(l.tp) : 1;
    const Bytes boundary{job.micro_tokens() * real(job.model.hidden) * job.states.activation /
                         sequence_split};
    const Seconds transfer = transfer_time(job, l.tp * l.cp * l.dp, boundary);
    const double v = real(l.virtual_stages);
    step.pipeline_exposed =
        transfer * (2 * real(l.pp - 1)) + transfer * (2 * v * m * c.pipeline_slack);
  }

  const Seconds traffic = data_parallel_traffic(job, largest);
  if (traffic.value > 0) {
    step.data_exposed += beside(largest_backward, traffic, c.overlap) - largest_backward;
  }
  step.optimizer = optimizer_time(job, terms.rates, largest, largest_stage, step.offload);

  step.compute = step.matmul + step.attention + step.elementwise + step.head_and_loss +
                 step.recompute + step.launch;
  step.step = step.compute + step.tensor_exposed + step.data_exposed + step.pipeline_exposed +
              step.context_exposed + step.expert_exposed + step.bubble + step.optimizer +
              step.offload;
  return step;
}

Throughput throughput(const Job& job, const StepFlops& flops, Seconds step) {
  const double gpus = real(job.cluster.count);
  const double tokens = real(job.training.sequence_length) * real(job.training.global_batch);
  const double peak = job.cluster.gpu.rate(job.matmul).value * gpus * step.value;
  Throughput result;
  result.tokens = {tokens / step.value};
  result.tokens_per_gpu = result.tokens / gpus;
  result.mfu_causal = flops.model_causal.value / peak;
  result.mfu_full = flops.model_full.value / peak;
  result.hfu = flops.hardware.value / peak;
  return result;
}

}  // namespace traintally
