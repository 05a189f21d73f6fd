#include "catalog_json.hpp"

namespace traintally {
namespace {

constexpr RealRange kSize{0, 1e15};

/// The figure `name` of the rule `rule`; the rule's other fields are for people.
double figure(ObjectReader& practice, const char* rule, const char* name, double otherwise) {
  const JsonValue* node = practice.find(rule);
  if (node == nullptr) return otherwise;
  ObjectReader reader(*node, practice.at(rule), practice.problems());
  return reader.real(name, {1, 1e12}).value_or(otherwise);
}

void read_sizes(ObjectReader& practice, std::vector<TensorSize>& sizes) {
  const JsonValue* node = practice.find("tensor_as_needed");
  if (node == nullptr) return;
  ObjectReader rule(*node, practice.at("tensor_as_needed"), practice.problems());
  const JsonValue* list = rule.find("sizes");
  if (list == nullptr || !list->is_array()) {
    rule.problem("sizes", "wrong_type", "array");
    return;
  }
  sizes.clear();
  std::size_t index = 0;
  for (const JsonValue& each : *list) {
    ObjectReader reader(each, pointer(rule.at("sizes"), index++), practice.problems());
    TensorSize size;
    size.below = reader.real("below", kSize).value_or(kSize.high);
    size.low = reader.whole("low", limits::gpus).value_or(1);
    size.high = reader.whole("high", limits::gpus).value_or(size.low);
    reader.finish();
    sizes.push_back(size);
  }
}

}  // namespace

void load_practice(const JsonValue& document, Catalog& catalog, Problems& problems) {
  ObjectReader reader(document, "", problems);
  const JsonValue* node = reader.find("practice");
  if (node == nullptr) return;
  ObjectReader rules(*node, "/practice", problems);
  Practice& p = catalog.practice;
  const auto whole = [&rules](const char* rule, const char* name, std::int64_t otherwise) {
    return static_cast<std::int64_t>(figure(rules, rule, name, static_cast<double>(otherwise)));
  };
  read_sizes(rules, p.tensor_sizes);
  p.context_tokens_per_rank =
      whole("context_for_long_sequences", "tokens_per_rank", p.context_tokens_per_rank);
  p.full_shard_ranks = whole("full_shard_bounded", "ranks", p.full_shard_ranks);
  p.pretrain_batch_tokens =
      figure(rules, "pretrain_batch_tokens", "value", p.pretrain_batch_tokens);
  p.dense_batch_tokens = figure(rules, "dense_batch", "tokens", p.dense_batch_tokens);
  p.dense_tokens_per_gpu = figure(rules, "dense_batch", "tokens_per_gpu", p.dense_tokens_per_gpu);
  p.mixture_batch_tokens = figure(rules, "mixture_batch", "tokens", p.mixture_batch_tokens);
  p.mixture_sequences_per_gpu =
      figure(rules, "mixture_batch", "sequences_per_gpu", p.mixture_sequences_per_gpu);
  p.tuning_batch = whole("tuning_batch", "value", p.tuning_batch);
  p.most_gpus = whole("most_gpus", "value", p.most_gpus);
}

}  // namespace traintally
