#include <traintally/fit.hpp>

#include <traintally/memory.hpp>
#include <traintally/time.hpp>

#include "limits.hpp"
#include "search.hpp"
#include "sorted.hpp"

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }
constexpr std::size_t kMostPairs = 24;

/// A change of one field or a few that go together.
struct Change {
  const char* code;
  int group;  ///< changes of one group exclude each other
  void (*apply)(Scenario&);
};

template <Recompute kind>
void set_recompute(Scenario& s) {
  s.recompute = kind;
  s.recompute_share.reset();
}
template <std::int64_t stage>
void set_zero(Scenario& s) {
  s.zero = stage;
}
template <TrainingKind kind>
void set_kind(Scenario& s) {
  s.kind = kind;
  s.quantization.reset();
}
template <Offload what>
void set_offload(Scenario& s) {
  s.offload = what;
}
/// As many GPUs again and again, laid out anew.
template <std::int64_t times>
void set_count(Scenario& s) {
  s.count = *s.count * times;
  s.per_node.reset();
  s.layout_auto = true;
  for (std::optional<std::int64_t>* degree :
       {&s.tp, &s.pp, &s.cp, &s.ep, &s.etp, &s.dp, &s.zero, &s.shard_group, &s.virtual_stages}) {
    degree->reset();
  }
  s.sequence_parallel.reset();
  s.offload.reset();
}

constexpr Change kChanges[] = {
    {"recompute_selective", 0, &set_recompute<Recompute::selective>},
    {"recompute_full", 0, &set_recompute<Recompute::full>},
    {"zero_1", 1, &set_zero<1>},
    {"zero_2", 1, &set_zero<2>},
    {"zero_3", 1, &set_zero<3>},
    {"optimizer_8bit", 2, [](Scenario& s) { s.optimizer = "adamw-8bit"; }},
    {"optimizer_paged_8bit", 2, [](Scenario& s) { s.optimizer = "adamw-paged-8bit"; }},
    {"lora", 3, &set_kind<TrainingKind::lora>},
    {"qlora", 3, &set_kind<TrainingKind::qlora>},
    {"micro_batch_half", 4, [](Scenario& s) { s.micro_batch = *s.micro_batch / 2; }},
    {"micro_batch_1", 4, [](Scenario& s) { s.micro_batch = 1; }},
    {"fused_loss", 5, [](Scenario& s) { s.fused_loss = true; }},
    {"flash_attention", 6, [](Scenario& s) { s.flash_attention = true; }},
    {"offload_optimizer", 7, &set_offload<Offload::optimizer>},
    {"offload_parameters", 7, &set_offload<Offload::parameters>},
    {"offload_activations", 7, &set_offload<Offload::activations>},
    {"gpus_twice", 8, &set_count<2>},
    {"gpus_4_times", 8, &set_count<4>},
};

class Fitter {
 public:
  Fitter(const Scenario& scenario, const Catalog& catalog, const Problems& given)
      : catalog_(catalog), given_(scenario) {
    answer_.resolved = resolve(scenario, catalog, given);
  }

  FitAnswer run() {
    if (!answer_.resolved.problems.empty()) return std::move(answer_);
    if (base().method == Method::published) {
      answer_.resolved.problems.push_back({"/method", "not_one_of", "detailed"});
      return std::move(answer_);
    }
    const Memory memory = estimate_memory(job());
    answer_.device = memory.stage.device;
    answer_.usable = memory.usable;
    answer_.fit = fit_of(memory, answer_.resolved);
    seconds_ = seconds_per_sequence(job());
    find_changes();
    find_sequence();
    find_micro_batch();
    find_model();
    find_gpus();
    return std::move(answer_);
  }

 private:
  const Scenario& base() const { return answer_.resolved.scenario; }
  const Job& job() const { return answer_.resolved.job; }

  static double seconds_per_sequence(const Job& job) {
    return estimate_step_time(job).step.value / real(job.training.global_batch);
  }
  static Fit fit_of(const Memory& memory, const Resolved& resolved) {
    if (!memory.fits) return Fit::no;
    const Bytes high = memory.stage.device * resolved.basis.spreads.device.high;
    return high <= memory.usable ? Fit::well : Fit::barely;
  }

  /// Whether a change says something new about this job, and its stack has it.
  bool sensible(const Change& change) const {
    const Scenario& s = base();
    const Layout& layout = job().layout;
    const std::string_view code = change.code;
    switch (change.group) {
      case 0:
        return *s.recompute < (code == "recompute_full" ? Recompute::full : Recompute::selective);
      case 1: {
        const std::int64_t stage = code.back() - '0';
        return stage > layout.zero && layout.data_ranks() > 1 &&
               abilities(*answer_.resolved.stack).zero[stage] && (layout.pp == 1 || stage == 1);
      }
      case 2:
        return s.optimizer == "adamw" ||
               (s.optimizer == "adamw-8bit" && code == "optimizer_paged_8bit");
      case 3:
        return s.kind == TrainingKind::full ||
               (job().training.kind == TrainingKind::lora && code == "qlora");
      case 4:
        return *s.micro_batch > 1 && (code == "micro_batch_1" || *s.micro_batch > 2);
      case 5:
        return !*s.fused_loss;
      case 6:
        return !*s.flash_attention;
      case 7:
        if (layout.offload != Offload::none || job().cluster.gpu.pcie.value <= 0) return false;
        if (code == "offload_activations") return job().training.recompute == Recompute::full;
        return abilities(*answer_.resolved.stack).offload;
      default:
        return true;
    }
  }

  std::optional<FitChange> evaluate(const Change* const* changes, int count) const {
    FitChange result;
    result.scenario = base();
    for (int i = 0; i < count; ++i) {
      changes[i]->apply(result.scenario);
      result.codes.emplace_back(changes[i]->code);
      if (changes[i]->group == 3) result.changes_training = true;
    }
    const Resolved resolved = resolve(result.scenario, catalog_);
    if (!resolved.problems.empty()) return std::nullopt;
    const Memory memory = estimate_memory(resolved.job);
    result.scenario = resolved.scenario;
    result.device = memory.stage.device;
    result.saved = answer_.device - memory.stage.device;
    result.fit = fit_of(memory, resolved);
    result.time_ratio = seconds_per_sequence(resolved.job) / seconds_;
    return result;
  }

  static bool better(const FitChange& a, const FitChange& b) {
    if (a.fit != b.fit) return a.fit < b.fit;
    if (a.fit == Fit::no && a.device != b.device) return a.device < b.device;
    if (a.changes_training != b.changes_training) return b.changes_training;
    // Time on as many GPUs: what is paid for.
    const double paid_a = a.time_ratio * real(*a.scenario.count);
    const double paid_b = b.time_ratio * real(*b.scenario.count);
    if (paid_a != paid_b) return paid_a < paid_b;
    return a.codes < b.codes;
  }

  void find_changes() {
    std::vector<const Change*> singles;
    std::vector<Fit> fits;
    for (const Change& change : kChanges) {
      if (!sensible(change)) continue;
      const Change* one = &change;
      std::optional<FitChange> result = evaluate(&one, 1);
      if (!result) continue;
      singles.push_back(one);
      fits.push_back(result->fit);
      if (result->saved.value > 0) answer_.changes.push_back(std::move(*result));
    }
    if (answer_.fit != Fit::well) {
      std::vector<FitChange> pairs;
      for (std::size_t i = 0; i < singles.size(); ++i) {
        for (std::size_t j = i + 1; j < singles.size(); ++j) {
          if (fits[i] != Fit::no || fits[j] != Fit::no) continue;
          if (singles[i]->group == singles[j]->group) continue;
          const Change* pair[] = {singles[i], singles[j]};
          std::optional<FitChange> result = evaluate(pair, 2);
          if (result && result->fit != Fit::no) pairs.push_back(std::move(*result));
        }
      }
      sort_few(pairs, better);
      if (pairs.size() > kMostPairs) pairs.resize(kMostPairs);
      for (FitChange& pair : pairs) answer_.changes.push_back(std::move(pair));
    }
    sort_few(answer_.changes, better);
  }

  /// The largest multiple of `unit` up to `most` for which `fits` holds; it holds for all below.
  template <class Fits>
  static std::int64_t largest(std::int64_t unit, std::int64_t most, Fits fits) {
    std::int64_t low = 0;
    std::int64_t high = 1;
    while (high * unit <= most && fits(high * unit)) {
      low = high;
      high *= 2;
    }
    if (high * unit > most) high = most / unit + 1;
    while (high - low > 1) {
      const std::int64_t middle = low + (high - low) / 2;
      if (fits(middle * unit)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low * unit;
  }

  void find_sequence() {
    constexpr std::int64_t kUnit = 128;
    Job changed = job();
    const std::int64_t unit = kUnit * changed.layout.cp * changed.layout.tp;
    const std::int64_t most = largest(unit, limits::sequence.high, [&](std::int64_t tokens) {
      changed.training.sequence_length = tokens;
      return estimate_memory(changed).fits;
    });
    if (most == 0) return;
    answer_.sequence_length = {real(most), base()};
    answer_.sequence_length->scenario.sequence_length = most;
  }

  void find_micro_batch() {
    Job changed = job();
    const auto batch_for = [&](std::int64_t micro_batch) {
      const std::int64_t portion = micro_batch * changed.layout.dp;
      return (job().training.global_batch + portion - 1) / portion * portion;
    };
    const std::int64_t most = limits::batch.high / changed.layout.dp / 2;
    const std::int64_t found = largest(1, most, [&](std::int64_t micro_batch) {
      changed.training.micro_batch = micro_batch;
      changed.training.global_batch = batch_for(micro_batch);
      return estimate_memory(changed).fits;
    });
    if (found == 0) return;
    answer_.micro_batch = {real(found), base()};
    answer_.micro_batch->scenario.micro_batch = found;
    answer_.micro_batch->scenario.global_batch = batch_for(found);
  }

  /// The scenario as it was given but for the model, where that fits.
  std::optional<Resolved> fitting(const ModelChoice& model) const {
    Scenario scenario = given_;
    scenario.model = model;
    Resolved resolved = resolve(scenario, catalog_);
    if (!resolved.problems.empty() || !estimate_memory(resolved.job).fits) return std::nullopt;
    return resolved;
  }

  void find_model() {
    std::vector<std::pair<std::int64_t, const ModelEntry*>> sizes;
    for (const ModelEntry& entry : catalog_.models) {
      sizes.emplace_back(count_parameters(entry.model).total, &entry);
    }
    sort_few(sizes, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second->id < b.second->id;
    });
    for (const auto& size : sizes) {
      ModelChoice choice;
      choice.id = size.second->id;
      const std::optional<Resolved> resolved = fitting(choice);
      if (!resolved) continue;
      answer_.model = {real(size.first), resolved->scenario};
      break;
    }
    constexpr double kUnit = 1e8;
    ModelChoice scaled;
    scaled.form = ModelForm::parameters_only;
    const std::int64_t found = largest(1, 100'000, [&](std::int64_t units) {
      scaled.parameters = real(units) * kUnit;
      return fitting(scaled).has_value();
    });
    if (found == 0) return;
    scaled.parameters = real(found) * kUnit;
    answer_.parameters = {scaled.parameters, fitting(scaled)->scenario};
  }

  void find_gpus() {
    const std::int64_t usual = job().cluster.gpu.per_node;
    const std::int64_t node = given_.per_node.value_or(usual > 0 ? usual : 1);
    std::int64_t count = 1;
    while (count <= catalog_.practice.most_gpus) {
      Scenario scenario = base();
      set_count<1>(scenario);
      scenario.count = count;
      scenario.global_batch = given_.global_batch;
      scenario.recompute = given_.recompute;
      const Resolved resolved = resolve(scenario, catalog_);
      if (resolved.problems.empty() && estimate_memory(resolved.job).fits) {
        answer_.gpus = {real(count), resolved.scenario};
        return;
      }
      const std::int64_t next = count * 2;
      count = count < node && (next > node || next > 4) ? node : next;
    }
  }

  const Catalog& catalog_;
  const Scenario& given_;
  FitAnswer answer_;
  double seconds_ = 1;
};

}  // namespace

FitAnswer find_fit(const Scenario& scenario, const Catalog& catalog, const Problems& given) {
  return Fitter(scenario, catalog, given).run();
}

}  // namespace traintally
