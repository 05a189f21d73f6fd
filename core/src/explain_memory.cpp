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

  /// `factor` bytes for each parameter that is trained, in symbols and in numbers.
  std::string trainable_symbols(const char* factor) const {
    return std::string(factor) + (parameters_.expert_trainable > 0 ? "·(P/z + P_e/z_e)" : "·(P/z)");
  }
  std::string trainable_numbers(const Shard& shard) const {
    return filled(
        parameters_.expert_trainable > 0 ? " × (# / # + # / #)" : " × (# / #)",
        {parameters_.dense_trainable, shard.dense, parameters_.expert_trainable, shard.expert});
  }

  void add(const char* at, std::initializer_list<Line> lines) { derive(out_, at, lines); }

  /// What offloading took to host memory is not on the GPU.
  bool offloaded(const char* at, Bytes left) {
    if (left.value > 0 || job_.layout.offload == Offload::none) return false;
    add(at, {{"0", "0", {}, 0, "bytes, kept in host memory", {source::zero}}});
    return true;
  }

  void add_state(const char* at, const std::string& symbols, const std::string& numbers,
                 Bytes bytes, std::initializer_list<const char*> sources) {
    add(at, {{symbols.c_str(), numbers.c_str(), {}, bytes.value, "bytes", sources}});
  }

  void weights() {
    if (offloaded("/memory/weights", stage_.weights)) return;
    const StateBytes& s = job_.states;
    const Shard z = shard(3);
    std::string symbols = trainable_symbols("w");
    std::string numbers = number(s.weights) + trainable_numbers(z);
    if (job_.training.adapters()) {
      symbols += " + w_f·(F/z + F_e/z_e) + w_o·O/z";
      numbers +=
          filled(" + # × (# / # + # / #) + # × # / #",
                 {s.frozen_weights, parameters_.frozen_linear, z.dense, parameters_.frozen_expert,
                  z.expert, s.frozen_embeddings, parameters_.frozen_other, z.dense});
    }
    if (s.narrow_copies > 0 && job_.layout.zero < 3) {
      symbols += " + w_n·(P + P_e − O)";
      numbers +=
          filled(" + # × (# − #)", {s.narrow_copies, parameters_.trainable(), parameters_.ends});
    }
    add_state("/memory/weights", symbols, numbers, stage_.weights,
              {source::zero, source::precisions});
  }

  void gradients() {
    if (offloaded("/memory/gradients", stage_.gradients)) return;
    add_state("/memory/gradients", trainable_symbols("g"),
              number(job_.states.gradients) + trainable_numbers(shard(2)), stage_.gradients,
              {source::zero, source::stacks});
  }

  void optimizer() {
    if (offloaded("/memory/optimizer", stage_.optimizer)) return;
    const StateBytes& s = job_.states;
    std::string symbols = trainable_symbols("(master + moments)");
    std::string numbers = filled("(# + #)", {s.master, s.moments}) + trainable_numbers(shard(1));
    if (job_.optimizer->paged && stage_.host.value > 0) {
      symbols += " − paged out";
      numbers += filled(" − #", {stage_.host.value});
    }
    add_state("/memory/optimizer", symbols, numbers, stage_.optimizer,
              {source::zero, source::precisions, source::optimizers});
  }

  void activations() {
    const StageMemory& m = stage_;
    add("/memory/activations",
        {{"checkpoints + attention + MLP + norms + layer at work + embedding",
          "# + # + # + # + # + #",
          {m.checkpoints.value, m.attention.value, m.mlp.value, m.norms.value, m.working_set.value,
           m.embedding.value},
          m.activations.value,
          "bytes",
          {source::activations, source::pipeline, source::stacks}}});
  }

  void logits() {
    if (stage_.logits.value <= 0) {
      add("/memory/logits",
          {{"0", "0", {}, 0, "bytes, gone before the peak", {source::activations}}});
      return;
    }
    const Training& t = job_.training;
    add("/memory/logits", {{"s·b/c · V/t · bytes per logit",
                            "# × # / # × # / # × #",
                            {real(t.sequence_length), real(t.micro_batch), real(job_.layout.cp),
                             padded_vocab(job_), real(job_.layout.tp), bytes_per_logit(job_)},
                            stage_.logits.value,
                            "bytes",
                            {source::stacks}}});
  }

  void buffers() {
    add("/memory/buffers", {{"gathered + buckets + workspace",
                             "# + # + #",
                             {stage_.gathered.value, stage_.buckets.value, stage_.workspace.value},
                             stage_.buffers.value,
                             "bytes",
                             {source::zero, source::stacks}}});
  }

  void device() {
    const StageMemory& m = stage_;
    const double factor = reserved_over_allocated(job_);
    add("/memory/device_peak",
        {{"weights + gradients + optimizer + activations + logits + buffers",
          "# + # + # + # + # + #",
          {m.weights.value, m.gradients.value, m.optimizer.value, m.activations.value,
           m.logits.value, m.buffers.value},
          m.allocated.value,
          "bytes allocated",
          {source::zero, source::activations}},
         {"allocated · reserved factor + cached for other lengths",
          "# × # + #",
          {m.allocated.value, factor, m.reserved.value - m.allocated.value * factor},
          m.reserved.value,
          "bytes reserved",
          {source::stacks}},
         {"reserved + context",
          "# + #",
          {m.reserved.value, m.context.value},
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
