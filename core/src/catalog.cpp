#include <traintally/catalog.hpp>

#include "spelling.hpp"

namespace traintally {
namespace {

template <class Entry>
const Entry* by_id(const std::vector<Entry>& entries, std::string_view id) {
  for (const Entry& entry : entries) {
    if (entry.id == id) return &entry;
  }
  return nullptr;
}

std::string_view name_of(const OptimizerEntry&) { return {}; }
template <class Entry>
std::string_view name_of(const Entry& entry) {
  return entry.name;
}

std::string_view vendor_of(const GpuEntry& entry) { return entry.vendor; }
template <class Entry>
std::string_view vendor_of(const Entry&) {
  return {};
}

/// By id; failing that by id, name or alias, spelt as people type or paste it (spelling.hpp).
template <class Entry>
const Entry* by_name(const std::vector<Entry>& entries, std::string_view name,
                     NameKind kind = NameKind::plain) {
  if (const Entry* entry = by_id(entries, name)) return entry;
  const std::string wanted = plain_name(name, kind);
  if (wanted.empty()) return nullptr;
  const auto is_wanted = [&](std::string_view other, std::string_view vendor) {
    return spells(other, wanted, kind) || (!vendor.empty() && spells_after(vendor, other, wanted));
  };
  for (const Entry& entry : entries) {
    const std::string_view vendor = vendor_of(entry);
    if (is_wanted(entry.id, vendor) || is_wanted(name_of(entry), vendor)) return &entry;
  }
  for (const Entry& entry : entries) {
    for (const std::string_view alias : entry.aliases) {
      if (is_wanted(alias, vendor_of(entry))) return &entry;
    }
  }
  return nullptr;
}

}  // namespace

const GpuEntry* Catalog::find_gpu(std::string_view id) const { return by_name(gpus, id); }

const ModelEntry* Catalog::find_model(std::string_view id) const {
  return by_name(models, id, NameKind::model);
}

const OfferEntry* Catalog::find_offer(std::string_view id) const { return by_id(offers, id); }

const StackEntry* Catalog::find_stack(std::string_view id) const { return by_name(stacks, id); }

const PrecisionEntry* Catalog::find_precision(std::string_view id) const {
  return by_id(precisions, id);
}

const OptimizerEntry* Catalog::find_optimizer(std::string_view id) const {
  return by_name(optimizers, id);
}

}  // namespace traintally
