#include "explanation.hpp"
#include "stage.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

/// Bytes per parameter, shared out over the ranks of a ZeRO stage.
struct Shard {
  double dense = 1;
  double expert = 1;
};

class MemoryExplanation {
 public:
  MemoryExplanation(const Report& report, std::vector<Derivation>& derivations)
      : job_(report.resolved.job),
        stage_(report.memory.stage),
        out_(derivations),
        parameters_(
            stage_parameters(job_, parameter_shares(job_),
                             stage_layers(job_.model, job_.layout, report.memory.stage_index),
                             report.memory.stage_index)) {}

  void run() {
    weights();
    gradients();
    optimizer();
    activations();
    logits();
    buffers();
    device();
  }

 private:
  Shard shard(std::int64_t zero) const {
    if (job_.layout.zero < zero) return {};
    return {real(job_.layout.shard_ranks()), expert_shard_ranks(job_.layout)};
  }

  std::string trainable_over(const Shard& shard) const {
    std::string text = number(parameters_.dense_trainable) + " / " + number(shard.dense);
    if (parameters_.expert_trainable > 0) {
      text += " + " + number(parameters_.expert_trainable) + " / " + number(shard.expert);
    }
    return "(" + text + ")";
  }
  const char* trainable_symbols() const {
    return parameters_.expert_trainable > 0 ? "(P/z + P_e/z_e)" : "(P/z)";
  }

  void add(const char* at, std::vector<DerivationStep> steps) {
    out_.push_back({at, std::move(steps)});
  }

  /// What offloading took to host memory is not on the GPU.
  bool offloaded(const char* at, Bytes left) {
    if (left.value > 0 || job_.layout.offload == Offload::none) return false;
    add(at, {{"0", "0", 0, "bytes, kept in host memory", {source::zero}}});
    return true;
  }

  void weights() {
    if (offloaded("/memory/weights", stage_.weights)) return;
    const StateBytes& s = job_.states;
    const Shard z = shard(3);
    std::string symbols = std::string("w·") + trainable_symbols();
    std::string numbers = number(s.weights) + " × " + trainable_over(z);
    if (job_.training.adapters()) {
      symbols += " + w_f·(F/z + F_e/z_e) + w_o·O/z";
      numbers += " + " + number(s.frozen_weights) + " × (" + number(parameters_.frozen_linear) +
                 " / " + number(z.dense) + " + " + number(parameters_.frozen_expert) + " / " +
                 number(z.expert) + ") + " + number(s.frozen_embeddings) + " × " +
                 number(parameters_.frozen_other) + " / " + number(z.dense);
    }
    add("/memory/weights",
        {{symbols, numbers, stage_.weights.value, "bytes", {source::zero, source::precisions}}});
  }

  void gradients() {
    if (offloaded("/memory/gradients", stage_.gradients)) return;
    add("/memory/gradients", {{std::string("g·") + trainable_symbols(),
                               number(job_.states.gradients) + " × " + trainable_over(shard(2)),
                               stage_.gradients.value,
                               "bytes",
                               {source::zero, source::stacks}}});
  }

  void optimizer() {
    if (offloaded("/memory/optimizer", stage_.optimizer)) return;
    const StateBytes& s = job_.states;
    std::string symbols = std::string("(master + moments)·") + trainable_symbols();
    std::string numbers =
        "(" + number(s.master) + " + " + number(s.moments) + ") × " + trainable_over(shard(1));
    if (job_.optimizer->paged && stage_.host.value > 0) {
      symbols += " − paged out";
      numbers += " − " + number(stage_.host.value);
    }
    add("/memory/optimizer", {{symbols,
                               numbers,
                               stage_.optimizer.value,
                               "bytes",
                               {source::zero, source::precisions, source::optimizers}}});
  }

  void activations() {
    const StageMemory& m = stage_;
    add("/memory/activations",
        {{"checkpoints + attention + MLP + norms + layer at work + embedding",
          sum_of({m.checkpoints.value, m.attention.value, m.mlp.value, m.norms.value,
                  m.working_set.value, m.embedding.value}),
          m.activations.value,
          "bytes",
          {source::activations, source::pipeline, source::stacks}}});
  }

  void logits() {
    if (stage_.logits.value <= 0) {
      add("/memory/logits", {{"0", "0", 0, "bytes, gone before the peak", {source::activations}}});
      return;
    }
    const double per_logit = bytes_per_logit(job_);
    const Training& t = job_.training;
    add("/memory/logits", {{"s·b/c · V/t · bytes per logit",
                            number(t.sequence_length) + " × " + number(t.micro_batch) + " / " +
                                number(job_.layout.cp) + " × " + number(padded_vocab(job_)) +
                                " / " + number(job_.layout.tp) + " × " + number(per_logit),
                            stage_.logits.value,
                            "bytes",
                            {source::stacks}}});
  }

  void buffers() {
    add("/memory/buffers",
        {{"gathered + buckets + workspace",
          sum_of({stage_.gathered.value, stage_.buckets.value, stage_.workspace.value}),
          stage_.buffers.value,
          "bytes",
          {source::zero, source::stacks}}});
  }

  void device() {
    const StageMemory& m = stage_;
    add("/memory/device_peak",
        {{"weights + gradients + optimizer + activations + logits + buffers",
          sum_of({m.weights.value, m.gradients.value, m.optimizer.value, m.activations.value,
                  m.logits.value, m.buffers.value}),
          m.allocated.value,
          "bytes allocated",
          {source::zero, source::activations}},
         {"allocated · reserved factor + logits · mixed lengths",
          number(m.allocated.value) + " × " + number(reserved_over_allocated(job_)) + " + " +
              number(m.logits.value) + " × " + number(job_.stack.ragged_reserve),
          m.reserved.value,
          "bytes reserved",
          {source::stacks}},
         {"reserved + context",
          number(m.reserved.value) + " + " + number(m.context.value),
          m.device.value,
          "bytes",
          {source::stacks}}});
  }

  const Job& job_;
  const StageMemory& stage_;
  std::vector<Derivation>& out_;
  const StageParameters parameters_;
};

}  // namespace

void explain_memory(const Report& report, std::vector<Derivation>& derivations) {
  MemoryExplanation(report, derivations).run();
}

}  // namespace traintally
