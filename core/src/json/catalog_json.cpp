#include "catalog_json.hpp"

#include <unordered_map>

#include "entry_json.hpp"

namespace traintally {
namespace {

constexpr std::size_t kMostEntries = 10'000;
constexpr WholeRange kVersion{1, 1};

/// Reads the list `name` of `node` into `entries`: an entry takes the place of the one with its id,
/// or comes last. `read` makes an entry of a node; `keep` sees each sound one with its node.
template <class Entry, class Read, class Keep>
void load_list(const Json& node, const char* name, const std::string& at,
               std::vector<Entry>& entries, Problems& problems, Read read, Keep keep) {
  const auto* fields = node.get_ptr<const Json::object_t*>();
  if (fields == nullptr) return;
  const auto list = fields->find(name);
  if (list == fields->end()) return;
  const std::string list_at = pointer(at, name);
  const auto* items = list->second.get_ptr<const Json::array_t*>();
  if (items == nullptr) {
    add_problem(problems, list_at, "wrong_type", "array");
    return;
  }
  if (items->size() > kMostEntries) {
    add_problem(problems, list_at, "too_many", "<= " + std::to_string(kMostEntries) + " entries");
    return;
  }
  std::unordered_map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < entries.size(); ++i) places.emplace(entries[i].id, i);
  std::unordered_map<std::string, std::size_t> given;
  for (std::size_t i = 0; i < items->size() && problems.size() <= limits::problems; ++i) {
    const std::string entry_at = pointer(list_at, i);
    Problems found;
    Entry entry = read((*items)[i], entry_at, found);
    if (found.empty() && !given.emplace(entry.id, i).second) {
      add_problem(found, pointer(entry_at, "id"), "duplicate_id", "each id once");
    }
    if (!found.empty()) {
      for (Problem& each : found) {
        add_problem(problems, std::move(each.at), each.code, std::move(each.accepts));
      }
      continue;
    }
    keep((*items)[i], entry);
    const auto [place, added] = places.emplace(entry.id, entries.size());
    if (added) {
      entries.push_back(std::move(entry));
    } else {
      entries[place->second] = std::move(entry);
    }
  }
}

/// The normal forms of the entries that were read, as lists of JSON values.
struct NormalForms {
  Json gpus = Json::array();
  Json models = Json::array();
  Json offers = Json::array();
};

/// GPUs come first: offers name them.
void load_lists(const Json& node, const std::string& at, Catalog& catalog, Problems& problems,
                NormalForms* forms) {
  load_list(
      node, "gpus", at, catalog.gpus, problems,
      [&catalog](const Json& item, const std::string& item_at, Problems& found) {
        return read_gpu(item, item_at, catalog, found);
      },
      [&catalog, forms](const Json& item, const GpuEntry&) {
        if (forms == nullptr) return;
        forms->gpus.push_back(item);
        fill_gpu(forms->gpus.back(), catalog);
      });
  load_list(
      node, "models", at, catalog.models, problems,
      [](const Json& item, const std::string& item_at, Problems& found) {
        return read_model(item, item_at, found);
      },
      [forms](const Json& item, const ModelEntry& entry) {
        if (forms == nullptr) return;
        forms->models.push_back(item);
        fill_model(forms->models.back(), entry);
      });
  load_list(
      node, "offers", at, catalog.offers, problems,
      [&catalog](const Json& item, const std::string& item_at, Problems& found) {
        return read_offer(item, item_at, catalog, found);
      },
      [forms](const Json& item, const OfferEntry& entry) {
        if (forms == nullptr) return;
        forms->offers.push_back(item);
        Json& offer = forms->offers.back();
        offer["gpu"] = entry.gpu;
        fill_offer(offer);
      });
}

/// Reports fields of a provider's list that it cannot have.
void check_list_fields(const Json& node, const std::string& at, Problems& problems) {
  ObjectReader reader(node, at, problems);
  reader.whole("version", kVersion);
  reader.find("about");
  for (const char* name : {"gpus", "models", "offers"}) reader.find(name);
  reader.finish();
}

}  // namespace

void load_entries(const Json& node, const std::string& at, Catalog& catalog, Problems& problems) {
  check_list_fields(node, at, problems);
  load_lists(node, at, catalog, problems, nullptr);
}

void load_catalog(const Json& document, Catalog& catalog, Problems& problems) {
  if (!document.is_object()) {
    add_problem(problems, "", "wrong_type", "object");
    return;
  }
  load_lists(document, "", catalog, problems, nullptr);
  load_maths_tables(document, catalog, problems);
}

std::string catalog_answer(std::string_view document, const Catalog& catalog) {
  Problems problems;
  NormalForms forms;
  const Json list = parse_document(document, problems);
  if (problems.empty()) {
    Catalog merged = catalog;
    check_list_fields(list, "", problems);
    load_lists(list, "", merged, problems, &forms);
  }
  JsonWriter writer;
  writer.begin_object();
  writer.whole("version", kVersion.low);
  writer.key("problems");
  write_problems(writer, problems);
  writer.begin_object("catalog");
  writer.whole("version", kVersion.low);
  writer.key("gpus");
  writer.json(forms.gpus);
  writer.key("models");
  writer.json(forms.models);
  writer.key("offers");
  writer.json(forms.offers);
  writer.end_object();
  writer.end_object();
  return writer.take();
}

}  // namespace traintally
