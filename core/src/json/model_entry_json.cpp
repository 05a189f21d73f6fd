#include "entry_json.hpp"
#include "fields.hpp"
#include "model_json.hpp"

namespace traintally {
namespace {

constexpr std::uint16_t kNoteLength = 1000;
constexpr WholeRange kParameters{1, 1'000'000'000'000'000};
constexpr WholeRange kVision{0, 100'000'000'000'000};

enum class Precision : std::uint8_t { exact, rounded, name };
constexpr Named<Precision> kPrecisions[] = {
    {"exact", Precision::exact}, {"rounded", Precision::rounded}, {"name", Precision::name}};

constexpr FieldOf<ModelEntry> kFields[] = {
    TRAINTALLY_FIELD(ModelEntry, id).need(),
    TRAINTALLY_FIELD(ModelEntry, name).need(),
    TRAINTALLY_FIELD(ModelEntry, family),
    TRAINTALLY_FIELD(ModelEntry, aliases),
    TRAINTALLY_FIELD(ModelEntry, count_note).at_most(kNoteLength),
    Field::note("extra_note", kNoteLength),
    Field::number("published_active_params", kParameters),
    Field::note("published_note", kNoteLength),
    Field::note("license", limits::name_length),
    Field::note("source", kNoteLength)};

}  // namespace

void read_entry(const JsonValue& node, const std::string& at, const Catalog& /*catalog*/,
                ModelEntry& entry, Problems& problems) {
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return;
  read_fields(reader, entry, kFields);
  read_model_shape(reader, entry.model);
  const std::int64_t published = reader.whole_or("published_params", kParameters, 0);
  const std::int64_t vision = reader.whole_or("vision_params", kVision, 0);
  // The text model alone is trained and counted.
  entry.published_parameters = published > 0 ? static_cast<double>(published - vision) : 0;
  reader.one_of("published_precision", kPrecisions);
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
