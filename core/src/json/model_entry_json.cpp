#include "entry_json.hpp"
#include "model_json.hpp"

namespace traintally {
namespace {

constexpr std::size_t kNoteLength = 1000;
constexpr WholeRange kParameters{1, 1'000'000'000'000'000};
constexpr WholeRange kVision{0, 100'000'000'000'000};

enum class Precision : std::uint8_t { exact, rounded, name };
constexpr Named<Precision> kPrecisions[] = {
    {"exact", Precision::exact}, {"rounded", Precision::rounded}, {"name", Precision::name}};

}  // namespace

ModelEntry read_model(const Json& node, const std::string& at, Problems& problems) {
  ModelEntry entry;
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return entry;
  entry.id = required_text(reader, "id");
  entry.name = required_text(reader, "name");
  entry.family = reader.text("family").value_or("");
  entry.aliases = read_texts(reader, "aliases", limits::name_length);
  read_model_shape(reader, entry.model);
  reader.text("extra_note", kNoteLength);
  const std::int64_t published = reader.whole("published_params", kParameters).value_or(0);
  const std::int64_t vision = reader.whole("vision_params", kVision).value_or(0);
  // The text model alone is trained and counted.
  entry.published_parameters = published > 0 ? static_cast<double>(published - vision) : 0;
  reader.one_of("published_precision", kPrecisions);
  reader.whole("published_active_params", kParameters);
  reader.text("published_note", kNoteLength);
  entry.count_note = reader.text("count_note", kNoteLength).value_or("");
  reader.text("license");
  reader.text("source", kNoteLength);
  reader.one_of("confidence", kConfidences);
  reader.finish();
  return entry;
}

void fill_model(Json& node, const ModelEntry& entry) {
  auto& fields = *node.get_ptr<Json::object_t*>();
  JsonWriter writer;
  writer.begin_object();
  write_model_shape(writer, entry.model);
  writer.end_object();
  const Json shape = Json::parse(writer.str(), nullptr, false);
  for (const auto& [name, value] : shape.items()) fields.try_emplace(name, value);
  fields.try_emplace("confidence", "medium");
}

}  // namespace traintally
