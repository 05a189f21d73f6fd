#include "catalog_json.hpp"

namespace traintally {
namespace {

constexpr RealRange kFigure{0, 1e15};
constexpr std::uint16_t kSource = 1000;

/// Calls `read` with a reader of each object in the list `list` of the entry `name`.
template <class Read>
void each_of(ObjectReader& recipes, const char* name, const char* list, const Read& read) {
  if (!recipes.has(name)) return;
  ObjectReader entry(recipes, name);
  const JsonValue* items = entry.array(list);
  entry.text("source", kSource);
  entry.finish();
  if (items == nullptr) return;
  std::size_t index = 0;
  for (const JsonValue& item : *items) {
    ObjectReader reader(item, pointer(entry.at(list), index++), entry.problems());
    read(reader);
    reader.finish();
  }
}

}  // namespace

void load_recipe_habits(const JsonValue& document, Catalog& catalog, Problems& problems) {
  const JsonValue* node = document.find("recipes");
  if (node == nullptr) return;
  ObjectReader recipes(*node, "/recipes", problems);
  RecipeHabits& h = catalog.recipes;
  const auto sized = [&recipes](const char* name, std::vector<SizedFigure>& figures) {
    each_of(recipes, name, "sizes", [&figures](ObjectReader& reader) {
      const double below = reader.real_or("below", kFigure, kFigure.high);
      figures.push_back({below, reader.real_or("value", kFigure, 0)});
    });
  };
  const auto figure = [&recipes](const char* name, double& value) {
    if (!recipes.has(name)) return;
    ObjectReader entry(recipes, name);
    value = entry.real_or("value", kFigure, 0);
    entry.text("source", kSource);
    entry.finish();
  };
  sized("pretrain_rate", h.pretrain_rate);
  sized("full_rate", h.full_rate);
  sized("adapter_rate", h.adapter_rate);
  sized("adapter_dropout", h.adapter_dropout);
  figure("adapter_alpha", h.adapter_alpha);
  figure("tuning_warmup_share", h.tuning_warmup_share);
  figure("pretrain_warmup_steps", h.pretrain_warmup_steps);
  figure("pretrain_least_rate", h.pretrain_least_rate);
  figure("weight_decay", h.weight_decay);
  figure("adam_beta2", h.adam_beta2);
  each_of(recipes, "rotary", "families", [&h](ObjectReader& reader) {
    const std::string_view family = reader.text_or("family", "");
    const double base = reader.real_or("base", kFigure, 0);
    h.rotary.push_back({family, base, reader.real_or("scaling", kFigure, 0)});
  });
  recipes.finish();
}

}  // namespace traintally
