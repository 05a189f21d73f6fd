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

void read_entry(const JsonValue& node, const std::string& at, const Catalog& /*catalog*/,
                ModelEntry& entry, Problems& problems) {
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return;
  entry.id = required_text(reader, "id");
  entry.name = required_text(reader, "name");
  entry.family = reader.text_or("family", "");
  entry.aliases = read_texts(reader, "aliases", limits::name_length);
  read_model_shape(reader, entry.model);
  reader.text("extra_note", kNoteLength);
  const std::int64_t published = reader.whole_or("published_params", kParameters, 0);
  const std::int64_t vision = reader.whole_or("vision_params", kVision, 0);
  // The text model alone is trained and counted.
  entry.published_parameters = published > 0 ? static_cast<double>(published - vision) : 0;
  reader.one_of("published_precision", kPrecisions);
  reader.whole("published_active_params", kParameters);
  reader.text("published_note", kNoteLength);
  entry.count_note = reader.text_or("count_note", "", kNoteLength);
  reader.text("license");
  reader.text("source", kNoteLength);
  reader.one_of("confidence", kConfidences);
  reader.finish();
}

void write_entry(JsonWriter& writer, const JsonValue& node, const ModelEntry& entry,
                 const Catalog& /*catalog*/) {
  writer.members(node);
  JsonWriter shape;
  shape.begin_object();
  write_model_shape(shape, entry.model);
  shape.end_object();
  Problems none;
  const Document defaults(shape.str(), none);
  for (const JsonValue& field : defaults.root()) {
    if (node.find(field.name()) != nullptr) continue;
    writer.key(field.name());
    writer.json(field);
  }
  if (node.find("confidence") == nullptr) writer.text("confidence", "medium");
}

}  // namespace traintally
