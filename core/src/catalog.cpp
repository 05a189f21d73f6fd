#include <traintally/catalog.hpp>

namespace traintally {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool same_letters(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

template <class Entry>
const Entry* by_id(const std::vector<Entry>& entries, std::string_view id) {
  for (const Entry& entry : entries) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

/// By id; failing that by id, name or alias in either case: what people type or paste.
template <class Entry>
const Entry* by_name(const std::vector<Entry>& entries, std::string_view name) {
  if (const Entry* entry = by_id(entries, name)) return entry;
  for (const Entry& entry : entries) {
    if (same_letters(entry.id, name) || same_letters(entry.name, name)) return &entry;
  }
  for (const Entry& entry : entries) {
    for (std::string_view alias : entry.aliases) {
      if (same_letters(alias, name)) return &entry;
    }
  }
  return nullptr;
}

}  // namespace

const GpuEntry* Catalog::find_gpu(std::string_view id) const { return by_name(gpus, id); }

const ModelEntry* Catalog::find_model(std::string_view id) const { return by_name(models, id); }

const OfferEntry* Catalog::find_offer(std::string_view id) const { return by_id(offers, id); }

const StackEntry* Catalog::find_stack(std::string_view id) const { return by_id(stacks, id); }

const PrecisionEntry* Catalog::find_precision(std::string_view id) const {
  return by_id(precisions, id);
}

const OptimizerEntry* Catalog::find_optimizer(std::string_view id) const {
  return by_id(optimizers, id);
}

}  // namespace traintally
