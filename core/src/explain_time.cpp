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
  void add(const char* at, std::initializer_list<Line> lines) { derive(out_, at, lines); }

  double peak() const { return job_.cluster.gpu.rate(job_.matmul).value; }

  void compute() {
    const double gpus = real(job_.cluster.count);
    add("/time/compute",
        {{"F / (n·peak): at the peak rate",
          "# / (# × #)",
          {r_.flops.hardware.value, gpus, peak()},
          r_.flops.hardware.value / (gpus * peak()),
          "s",
          {source::flops, source::gpus}},
         {"matrix products + attention + element-wise + head and loss + recomputation + launch",
          "# + # + # + # + # + #",
          {step_.matmul.value, step_.attention.value, step_.elementwise.value,
           step_.head_and_loss.value, step_.recompute.value, step_.launch.value},
          step_.compute.value,
          "s",
          {source::roofline, source::calibration}}});
  }

  void communication() {
    const double all = step_.tensor_exposed.value + step_.data_exposed.value +
                       step_.pipeline_exposed.value + step_.context_exposed.value +
                       step_.expert_exposed.value;
    Derivation derivation{"/time/exposed_communication", {}};
    const double tp = real(job_.layout.tp);
    if (tp > 1) {
      const double hidden = real(job_.model.hidden);
      const double bytes = job_.micro_tokens() * hidden * job_.states.activation;
      derivation.steps.push_back(
          step_of({"2·(t − 1)/t · s·b/c · h · bytes",
                   "2 × (# − 1) / # × # × # × #",
                   {tp, tp, job_.micro_tokens(), hidden, job_.states.activation},
                   2 * (tp - 1) / tp * bytes,
                   "bytes of one tensor-parallel all-reduce",
                   {"Narayanan et al. 2021, arXiv 2104.04473, section 3.2"}}));
    }
    derivation.steps.push_back(step_of(
        {"tp + dp + pp + cp + ep, what computing does not hide",
         "# + # + # + # + #",
         {step_.tensor_exposed.value, step_.data_exposed.value, step_.pipeline_exposed.value,
          step_.context_exposed.value, step_.expert_exposed.value},
         all,
         "s",
         {source::zero, source::pipeline, source::calibration}}));
    out_.push_back(std::move(derivation));
  }

  void bubble() {
    const double stages = real(job_.layout.pp);
    const double v = real(job_.layout.virtual_stages);
    const double micro_batches = real(step_.micro_batches);
    add("/time/bubble", {{"(p − 1)/(v·m): of the busy time, were all stages alike",
                          "(# − 1) / (# × #)",
                          {stages, v, micro_batches},
                          (stages - 1) / (v * micro_batches),
                          "share",
                          {source::pipeline}},
                         {"time of a micro-batch on all stages but the slowest / v",
                          "# / #",
                          {step_.bubble.value * v, v},
                          step_.bubble.value,
                          "s",
                          {source::pipeline}}});
  }

  void step() {
    add("/time/step",
        {{"compute + tp + dp + pp + cp + ep + bubble + optimizer + offload",
          "# + # + # + # + # + # + # + # + #",
          {step_.compute.value, step_.tensor_exposed.value, step_.data_exposed.value,
           step_.pipeline_exposed.value, step_.context_exposed.value, step_.expert_exposed.value,
           step_.bubble.value, step_.optimizer.value, step_.offload.value},
          r_.step.value.value,
          "s",
          {source::roofline, source::pipeline, source::calibration}}});
  }

  void throughput() {
    const Training& t = job_.training;
    add("/time/tokens_per_second",
        {{"s·B / T",
          "# × # / #",
          {real(t.sequence_length), real(t.global_batch), r_.step.value.value},
          r_.throughput_value.tokens.value,
          "tokens/s",
          {}}});
  }

  void share_of_peak(const char* at, const char* symbols, Flops flops, double share) {
    add(at, {{symbols,
              "# / (# × # × #)",
              {flops.value, real(job_.cluster.count), peak(), r_.step.value.value},
              share,
              "share",
              {source::mfu, source::gpus}}});
  }

  void utilization() {
    share_of_peak("/time/mfu_causal", "F_model / (n·peak·T), causal attention",
                  r_.flops.model_causal, r_.throughput_value.mfu_causal);
    share_of_peak("/time/mfu_full_attention", "F_model / (n·peak·T), the full attention square",
                  r_.flops.model_full, r_.throughput_value.mfu_full);
    share_of_peak("/time/hfu", "F / (n·peak·T), recomputation counted", r_.flops.hardware,
                  r_.throughput_value.hfu);
  }

  void wall() {
    const Training& t = job_.training;
    const Run& run = r_.run;
    add("/time/run",
        {{"⌈tokens / (s·B)⌉",
          "⌈# / (# × #)⌉",
          {t.tokens, real(t.sequence_length), real(t.global_batch)},
          run.steps,
          "steps",
          {}},
         {"steps · T", "# × #", {run.steps, r_.step.value.value}, run.training.value, "s", {}},
         {"training / goodput + start-up",
          "# / # + #",
          {run.training.value, run.goodput, r_.resolved.scenario.startup_s.value_or(0)},
          run.wall.value,
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
