#include "catalog_json.hpp"

#include <algorithm>

#include "csv_offers.hpp"
#include "entry_json.hpp"

namespace traintally {
namespace {

constexpr std::size_t kMostEntries = 10'000;
constexpr WholeRange kVersion{1, 1};

/// Ids in order, each with the place of its entry.
class Places {
 public:
  /// @return the id's place, and whether it has only now been added as `place`.
  std::pair<std::size_t, bool> add(std::string_view id, std::size_t place) {
    const auto at =
        std::lower_bound(places_.begin(), places_.end(), id,
                         [](const Place& each, std::string_view other) { return each.id < other; });
    if (at != places_.end() && at->id == id) return {at->place, false};
    places_.insert(at, {id, place});
    return {place, true};
  }

 private:
  struct Place {
    std::string_view id;
    std::size_t place;
  };
  std::vector<Place> places_;
};

/// A list of the catalogue that entries are read into, whatever they are.
class EntryList {
 public:
  EntryList(const Catalog& catalog, JsonWriter* forms) : catalog_(catalog), forms_(forms) {}
  virtual ~EntryList() = default;

  virtual std::size_t size() const = 0;
  virtual std::string_view id(std::size_t place) const = 0;
  /// Reads the entry that the next two are about. @return its id
  virtual std::string_view read(const JsonValue& node, const std::string& at,
                                Problems& problems) = 0;
  virtual void keep(std::size_t place) = 0;
  virtual void write(JsonWriter& writer, const JsonValue& node) const = 0;

  /// Reads the list `name` of `node`: an entry takes the place of the one with its id, or comes
  /// last. Sound ones are also written in their normal form, if that is asked for.
  void load(const JsonValue& node, const char* name, const std::string& node_at,
            Problems& problems);

 protected:
  const Catalog& catalog_;

 private:
  void load_entry(const JsonValue& node, const std::string& at, Places& given, std::size_t index,
                  Problems& problems);

  JsonWriter* forms_;
  Places places_;
};

void EntryList::load(const JsonValue& node, const char* name, const std::string& node_at,
                     Problems& problems) {
  if (forms_ != nullptr) forms_->begin_array(name);
  const std::string at = pointer(node_at, name);
  const JsonValue* list = node.find(name);
  if (list != nullptr && !list->is_array()) {
    add_problem(problems, at, "wrong_type", "array");
  } else if (list != nullptr && list->size() > kMostEntries) {
    add_problem(problems, at, "too_many", "<= " + std::to_string(kMostEntries) + " entries");
  } else if (list != nullptr) {
    for (std::size_t i = 0; i < size(); ++i) places_.add(id(i), i);
    Places given;
    std::size_t index = 0;
    for (const JsonValue& entry : *list) {
      if (problems.size() > limits::problems) break;
      load_entry(entry, pointer(at, index), given, index, problems);
      ++index;
    }
  }
  if (forms_ != nullptr) forms_->end_array();
}

void EntryList::load_entry(const JsonValue& node, const std::string& at, Places& given,
                           std::size_t index, Problems& problems) {
  Problems found;
  const std::string_view entry_id = read(node, at, found);
  if (found.empty() && !given.add(entry_id, index).second) {
    add_problem(found, pointer(at, "id"), "duplicate_id", "each id once");
  }
  for (const Problem& each : found) add_problem(problems, each.at, each.code.c_str(), each.accepts);
  if (!found.empty()) return;
  if (forms_ != nullptr) {
    forms_->begin_object();
    write(*forms_, node);
    forms_->end_object();
  }
  keep(places_.add(entry_id, size()).first);
}

template <class Entry>
class ListOf : public EntryList {
 public:
  ListOf(std::vector<Entry>& entries, const Catalog& catalog, JsonWriter* forms)
      : EntryList(catalog, forms), entries_(entries) {}

  std::size_t size() const override { return entries_.size(); }
  std::string_view id(std::size_t place) const override { return entries_[place].id; }
  std::string_view read(const JsonValue& node, const std::string& at, Problems& problems) override {
    entry_ = Entry();
    read_entry(node, at, catalog_, entry_, problems);
    return entry_.id;
  }
  void keep(std::size_t place) override {
    if (place == entries_.size()) entries_.emplace_back();
    entries_[place] = std::move(entry_);
  }
  void write(JsonWriter& writer, const JsonValue& node) const override {
    write_entry(writer, node, entry_, catalog_);
  }

 private:
  std::vector<Entry>& entries_;
  Entry entry_;
};

/// GPUs come first: offers name them.
void load_lists(const JsonValue& node, const std::string& at, Catalog& catalog, Problems& problems,
                JsonWriter* forms) {
  ListOf(catalog.gpus, catalog, forms).load(node, "gpus", at, problems);
  ListOf(catalog.models, catalog, forms).load(node, "models", at, problems);
  ListOf(catalog.offers, catalog, forms).load(node, "offers", at, problems);
}

/// Reports fields of a provider's list that it cannot have.
void check_list_fields(const JsonValue& node, const std::string& at, Problems& problems) {
  ObjectReader reader(node, at, problems);
  reader.whole("version", kVersion);
  for (const char* name : {"about", "gpus", "models", "offers"}) reader.find(name);
  reader.finish();
}

}  // namespace

void load_entries(const JsonValue& node, const std::string& at, Catalog& catalog,
                  Problems& problems) {
  check_list_fields(node, at, problems);
  load_lists(node, at, catalog, problems, nullptr);
}

void load_catalog(const JsonValue& document, Catalog& catalog, Problems& problems) {
  if (!document.is_object()) {
    add_problem(problems, "", "wrong_type", "object");
    return;
  }
  load_lists(document, "", catalog, problems, nullptr);
  load_maths_tables(document, catalog, problems);
}

std::string catalog_answer(std::string_view document, const Catalog& catalog) {
  Problems problems;
  JsonWriter forms;
  forms.begin_object();
  forms.whole("version", kVersion.low);
  const Document given(document, problems);
  Catalog merged = catalog;
  if (const JsonValue* csv = given.root().find("csv")) {
    ObjectReader reader(given.root(), "", problems);
    reader.whole("version", kVersion);
    reader.find("csv");
    reader.finish();
    // What is wrong with the offers that the table makes is told at their rows and columns.
    const CsvOffers table(csv->text(), problems);
    Problems found;
    const Document list(table.document(), found);
    load_lists(list.root(), "", merged, found, &forms);
    table.place(found);
    for (const Problem& each : found)
      add_problem(problems, each.at, each.code.c_str(), each.accepts);
  } else {
    if (problems.empty()) check_list_fields(given.root(), "", problems);
    load_lists(given.root(), "", merged, problems, &forms);
  }
  forms.end_object();

  JsonWriter writer;
  writer.begin_object();
  writer.whole("version", kVersion.low);
  writer.key("problems");
  write_problems(writer, problems);
  writer.key("catalog");
  writer.raw(forms.str());
  writer.end_object();
  return writer.take();
}

}  // namespace traintally
