#include "explanation.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

class TimeExplanation {
 public:
  TimeExplanation(const Report& report, std::vector<Derivation>& derivations)
      : r_(report), job_(report.resolved.job), step_(report.step_parts), out_(derivations) {}

  void run() {
    compute();
    communication();
    bubble();
    step();
    throughput();
    utilization();
    wall();
  }

 private:
  void add(const char* at, std::vector<DerivationStep> steps) {
    out_.push_back({at, std::move(steps)});
  }

  double peak() const { return job_.cluster.gpu.rate(job_.matmul).value; }

  void compute() {
    const double gpus = real(job_.cluster.count);
    add("/time/compute",
        {{"F / (n·peak): at the peak rate",
          number(r_.flops.hardware.value) + " / (" + number(gpus) + " × " + number(peak()) + ")",
          r_.flops.hardware.value / (gpus * peak()),
          "s",
          {source::flops, source::gpus}},
         {"matrix products + attention + element-wise + head and loss + recomputation + launch",
          sum_of({step_.matmul.value, step_.attention.value, step_.elementwise.value,
                  step_.head_and_loss.value, step_.recompute.value, step_.launch.value}),
          step_.compute.value,
          "s",
          {source::roofline, source::calibration}}});
  }

  void communication() {
    const double all = step_.tensor_exposed.value + step_.data_exposed.value +
                       step_.pipeline_exposed.value + step_.context_exposed.value +
                       step_.expert_exposed.value;
    std::vector<DerivationStep> steps;
    const Layout& l = job_.layout;
    if (l.tp > 1) {
      const double bytes = job_.micro_tokens() * real(job_.model.hidden) * job_.states.activation;
      steps.push_back({"2·(t − 1)/t · s·b/c · h · bytes",
                       "2 × (" + number(l.tp) + " − 1) / " + number(l.tp) + " × " +
                           number(job_.micro_tokens()) + " × " + number(job_.model.hidden) + " × " +
                           number(job_.states.activation),
                       2 * (real(l.tp) - 1) / real(l.tp) * bytes,
                       "bytes of one tensor-parallel all-reduce",
                       {"Narayanan et al. 2021, arXiv 2104.04473, section 3.2"}});
    }
    steps.push_back(
        {"tp + dp + pp + cp + ep, what computing does not hide",
         sum_of({step_.tensor_exposed.value, step_.data_exposed.value, step_.pipeline_exposed.value,
                 step_.context_exposed.value, step_.expert_exposed.value}),
         all,
         "s",
         {source::zero, source::pipeline, source::calibration}});
    add("/time/exposed_communication", std::move(steps));
  }

  void bubble() {
    const Layout& l = job_.layout;
    const double v = real(l.virtual_stages);
    const double others = step_.bubble.value * v;
    add("/time/bubble",
        {{"(p − 1)/(v·m): of the busy time, were all stages alike",
          "(" + number(l.pp) + " − 1) / (" + number(v) + " × " + number(step_.micro_batches) + ")",
          (real(l.pp) - 1) / (v * real(step_.micro_batches)),
          "share",
          {source::pipeline}},
         {"time of a micro-batch on all stages but the slowest / v",
          number(others) + " / " + number(v),
          step_.bubble.value,
          "s",
          {source::pipeline}}});
  }

  void step() {
    add("/time/step", {{"compute + tp + dp + pp + cp + ep + bubble + optimizer + offload",
                        sum_of({step_.compute.value, step_.tensor_exposed.value,
                                step_.data_exposed.value, step_.pipeline_exposed.value,
                                step_.context_exposed.value, step_.expert_exposed.value,
                                step_.bubble.value, step_.optimizer.value, step_.offload.value}),
                        r_.step.value.value,
                        "s",
                        {source::roofline, source::pipeline, source::calibration}}});
  }

  void throughput() {
    const Training& t = job_.training;
    add("/time/tokens_per_second", {{"s·B / T",
                                     number(t.sequence_length) + " × " + number(t.global_batch) +
                                         " / " + number(r_.step.value.value),
                                     r_.throughput_value.tokens.value,
                                     "tokens/s",
                                     {}}});
  }

  void utilization() {
    const std::string gpus = number(job_.cluster.count);
    const std::string bottom =
        " / (" + gpus + " × " + number(peak()) + " × " + number(r_.step.value.value) + ")";
    add("/time/mfu_causal", {{"F_model / (n·peak·T), causal attention",
                              number(r_.flops.model_causal.value) + bottom,
                              r_.throughput_value.mfu_causal,
                              "share",
                              {source::mfu, source::gpus}}});
    add("/time/mfu_full_attention", {{"F_model / (n·peak·T), the full attention square",
                                      number(r_.flops.model_full.value) + bottom,
                                      r_.throughput_value.mfu_full,
                                      "share",
                                      {source::mfu, source::gpus}}});
    add("/time/hfu", {{"F / (n·peak·T), recomputation counted",
                       number(r_.flops.hardware.value) + bottom,
                       r_.throughput_value.hfu,
                       "share",
                       {source::mfu, source::gpus}}});
  }

  void wall() {
    const Training& t = job_.training;
    const double startup = r_.resolved.scenario.startup_s.value_or(0);
    add("/time/run",
        {{"⌈tokens / (s·B)⌉",
          "⌈" + number(t.tokens) + " / (" + number(t.sequence_length) + " × " +
              number(t.global_batch) + ")⌉",
          r_.run.steps,
          "steps",
          {}},
         {"steps · T",
          number(r_.run.steps) + " × " + number(r_.step.value.value),
          r_.run.training.value,
          "s",
          {}},
         {"training / goodput + start-up",
          number(r_.run.training.value) + " / " + number(r_.run.goodput) + " + " + number(startup),
          r_.run.wall.value,
          "s",
          {source::checkpoints, "catalog/reliability.json"}}});
  }

  const Report& r_;
  const Job& job_;
  const StepTime& step_;
  std::vector<Derivation>& out_;
};

}  // namespace

void explain_time(const Report& report, std::vector<Derivation>& derivations) {
  TimeExplanation(report, derivations).run();
}

}  // namespace traintally
