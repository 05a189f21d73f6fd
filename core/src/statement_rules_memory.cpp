// Statements about memory, held against the articles' own rule (B 2.1).

#include <algorithm>
#include <numeric>

#include "statement_check.hpp"

namespace traintally::statement_rules {
namespace {

double sum(const std::vector<double>& parts) {
  return std::accumulate(parts.begin(), parts.end(), 0.0);
}

void bytes(StatementCheck& check) {
  const double computed = sum(check.list("parts"));
  check.stated_is(check.stated());
  check.computed_is(computed);
  check.figure("stated", check.stated());
  check.figure("computed", computed);
  check.conclude(check.agrees(check.stated(), computed), Verdict::slip);
}

}  // namespace

// A minimum memory in the table is P x 12.
void vram_rule(StatementCheck& check) {
  const double params_b = check.input("params_b");
  const PublishedMemory memory = published_memory(check.article, params_b);
  check.stated_is(check.stated());
  check.computed_is(memory.states_gb);
  check.figure("params_b", params_b);
  check.figure("bytes", check.article.weight_bytes + check.article.gradient_bytes +
                            check.article.optimizer_bytes);
  check.figure("stated_gb", check.stated());
  check.figure("computed_gb", memory.states_gb);
  check.conclude(check.agrees(check.stated(), memory.states_gb), Verdict::slip);
}

// The table's minimum lies in the range that the formula gives with its activations.
void vram_with_activations(StatementCheck& check) {
  const double params_b = check.input("params_b");
  const PublishedMemory memory = published_memory(check.article, params_b);
  check.stated_is(check.stated());
  check.computed_is(memory.low_gb);
  check.figure("params_b", params_b);
  check.figure("stated_gb", check.stated());
  check.figure("low_gb", memory.low_gb);
  check.figure("high_gb", memory.high_gb);
  check.conclude(check.stated() >= memory.low_gb && check.stated() <= memory.high_gb,
                 Verdict::conflict);
}

// The stated saving is the one that the reduced rule applies; and which card then holds the states.
void vram_reduced(StatementCheck& check) {
  const double params_b = check.input("params_b");
  const PublishedMemory memory = published_memory(check.article, params_b);
  double smallest_gb = 0;
  double largest_below_gb = 0;
  for (const ArticleGpu& row : check.article.gpus) {
    if (row.memory_gb < memory.reduced_gb) {
      largest_below_gb = std::max(largest_below_gb, row.memory_gb);
    } else if (smallest_gb == 0 || row.memory_gb < smallest_gb) {
      smallest_gb = row.memory_gb;
    }
  }
  check.stated_is(check.stated());
  check.computed_is(memory.reduced_gb);
  check.figure("params_b", params_b);
  check.figure("reduction_percent", check.stated() * 100);
  check.figure("unreduced_gb", memory.states_gb);
  check.figure("reduced_gb", memory.reduced_gb);
  check.figure("too_small_gb", largest_below_gb);
  check.figure("large_enough_gb", smallest_gb);
  check.conclude(check.agrees(check.stated(), 1 - memory.reduced_gb / memory.states_gb),
                 Verdict::slip);
}

// Every size that is offered on these cards fits them after the reduction.
void fits(StatementCheck& check) {
  const std::vector<double>& sizes = check.list("params_b");
  const double largest = *std::max_element(sizes.begin(), sizes.end());
  const double smallest = *std::min_element(sizes.begin(), sizes.end());
  const PublishedMemory need = published_memory(check.article, largest);
  const double have_gb = check.input("count") * check.gpu().memory_gb;
  check.computed_is(need.reduced_gb);
  check.figure("params_b", largest);
  check.figure("smallest_params_b", smallest);
  check.figure("need_gb", need.reduced_gb);
  check.figure("smallest_need_gb", published_memory(check.article, smallest).reduced_gb);
  check.figure("unreduced_gb", need.states_gb);
  check.figure("reduction_percent", check.article.reduction * 100);
  check.figure("count", check.input("count"));
  check.figure("memory_gb", check.gpu().memory_gb);
  check.figure("have_gb", have_gb);
  if (need.reduced_gb > have_gb) {
    check.conclude(Verdict::infeasible, sizes.size() > 1 ? "infeasible_range" : "");
  } else {
    check.conclude(Verdict::holds, need.states_gb > have_gb ? "holds_reduced" : "");
  }
}

// A training time is stated only for cards that hold the model after the reduction.
void days_fit(StatementCheck& check) {
  const double params_b = check.input("params_b");
  const double count = check.input("count");
  const double need_gb = published_memory(check.article, params_b).reduced_gb;
  double least_gb = 0;
  double most_gb = 0;
  bool all_fit = true;
  std::size_t timed = 0;
  for (std::size_t i = 0; i < check.statement.gpus.size(); ++i) {
    for (const ArticleDays& days : check.article.days) {
      if (days.gpu != check.gpu(i).id || days.params_b != params_b) continue;
      if (static_cast<double>(days.cards) != count) continue;
      const double have_gb = check.gpu(i).memory_gb * count;
      least_gb = timed == 0 ? have_gb : std::min(least_gb, have_gb);
      most_gb = std::max(most_gb, have_gb);
      all_fit = all_fit && need_gb <= have_gb;
      ++timed;
    }
  }
  check.need(timed > 0);
  check.computed_is(need_gb);
  check.figure("params_b", params_b);
  check.figure("count", count);
  check.figure("need_gb", need_gb);
  check.figure("reduction_percent", check.article.reduction * 100);
  check.figure("have_low_gb", least_gb);
  check.figure("have_high_gb", most_gb);
  check.conclude(all_fit, Verdict::infeasible);
}

// A cluster recommended for a size holds its states, unreduced.
void capacity(StatementCheck& check) {
  const double have_gb = check.input("gb") * check.input("cards");
  const double params_b = check.input("params_b");
  const double need_gb = published_memory(check.article, params_b).states_gb;
  check.computed_is(have_gb);
  check.figure("cards", check.input("cards"));
  check.figure("memory_gb", check.input("gb"));
  check.figure("have_gb", have_gb);
  check.figure("params_b", params_b);
  check.figure("need_gb", need_gb);
  check.conclude(need_gb <= have_gb, Verdict::infeasible);
}

// A share of a card's memory that a model is said to use is the share that the formula gives.
void memory_use(StatementCheck& check) {
  const double params_b = check.input("params_b");
  const double need_gb = published_memory(check.article, params_b).states_gb;
  const double memory_gb = check.gpu().memory_gb;
  const double used = need_gb / memory_gb;
  check.stated_is(check.stated());
  check.computed_is(used);
  check.figure("params_b", params_b);
  check.figure("memory_gb", memory_gb);
  check.figure("need_gb", need_gb);
  check.figure("stated_percent", check.stated() * 100);
  check.figure("computed_percent", used * 100);
  check.figure("stated_gb", check.stated() * memory_gb);
  check.conclude(check.agrees(check.stated(), used), Verdict::conflict);
}

// One place says that a model cannot be trained on a card, another how much slower it is there.
void accounts_of_fit(StatementCheck& check) {
  const double params_b = check.input("params_b");
  const double slowdown = check.input("said_slowdown");
  const bool impossible = check.input("said_impossible") > 0;
  const double need_gb = published_memory(check.article, params_b).reduced_gb;
  check.computed_is(need_gb);
  check.figure("params_b", params_b);
  check.figure("slowdown_percent", slowdown * 100);
  check.figure("need_gb", need_gb);
  check.figure("memory_gb", check.gpu().memory_gb);
  check.conclude(!(impossible && slowdown > 0), Verdict::conflict);
}

// The bytes per parameter are the sum of their parts; beside what mixed precision really holds.
void bytes_sum(StatementCheck& check) {
  check.figure("practice_low", check.input("practice_low"));
  check.figure("practice_high", check.input("practice_high"));
  bytes(check);
}

// Adam's bytes per parameter are its two fp32 moments.
void adam_bytes_sum(StatementCheck& check) { bytes(check); }

}  // namespace traintally::statement_rules
