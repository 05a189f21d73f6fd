#include "fields.hpp"

namespace traintally {
namespace {

using Kind = Field::Kind;

constexpr double kPowers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12};

/// Keeps what was read, if anything, in the record's member.
template <class Value>
void keep(const Field& field, const std::optional<Value>& given, void* member) {
  if (!field.kept) return;
  if (field.optional) {
    *static_cast<std::optional<Value>*>(member) = given;
  } else if (given) {
    *static_cast<Value*>(member) = *given;
  }
}

void read_ends(ObjectReader& reader, const Field& field, char* record) {
  const JsonValue* pair = reader.find(field.name);
  if (pair == nullptr) return;
  const std::uint16_t offsets[] = {field.offset, field.high};
  std::size_t read = 0;
  bool sound = pair->is_array() && pair->size() == 2;
  for (JsonValue::Iterator end = pair->begin(); sound && read < 2; ++end, ++read) {
    sound = (*end).is_number() || (*end).is_null();
    void* member = record + offsets[read];
    if (field.kind == Kind::ends) {
      *static_cast<double*>(member) = (*end).number();
    } else {
      *static_cast<std::int64_t*>(member) = (*end).whole().value_or(0);
    }
  }
  if (!sound) reader.problem(field.name, "wrong_type", "[low, high]");
}

void read_field(ObjectReader& reader, const Field& field, char* record) {
  const char* name = field.name;
  void* member = record + field.offset;
  const auto* wholes = static_cast<const WholeRange*>(field.range);
  const auto* reals = static_cast<const RealRange*>(field.range);
  const char* accepts = "a value";
  switch (field.kind) {
    case Kind::whole:
      if (field.needed) reader.require(name, accepted(*wholes));
      return keep(field, reader.whole(name, *wholes), member);
    case Kind::real:
    case Kind::bytes: {
      if (field.needed) reader.require(name, accepted(*reals));
      std::optional<double> given = reader.real(name, *reals);
      if (given) *given *= kPowers[field.power];
      return keep(field, given, member);
    }
    case Kind::flag:
      keep(field, reader.flag(name), member);
      break;
    case Kind::text: {
      const std::optional<std::string_view> given = reader.text(name, field.longest);
      keep(field, given, member);
      accepts = "string";
      if (field.needed && given && given->empty()) reader.missing(name, accepts);
      break;
    }
    case Kind::decimal:
      keep(field, reader.decimal(name), member);
      accepts = "\"12.50\"";
      break;
    case Kind::texts: {
      const std::vector<std::string_view> given = reader.texts(name, field.longest);
      if (!field.kept) break;
      auto& kept_texts = *static_cast<std::vector<std::string_view>*>(member);
      kept_texts.insert(kept_texts.end(), given.begin(), given.end());
      break;
    }
    case Kind::ends:
    case Kind::whole_ends:
      read_ends(reader, field, record);
      break;
    case Kind::known:
      reader.find(name);
      break;
  }
  if (field.needed) reader.require(name, accepts);
}

void write_field(JsonWriter& writer, const Field& field, const char* record) {
  const void* member = record + field.offset;
  switch (field.kind) {
    case Kind::whole:
      if (const auto* whole = kept<std::int64_t>(field, member)) writer.whole(field.name, *whole);
      break;
    case Kind::real:
    case Kind::bytes:
      if (const auto* real = kept<double>(field, member)) writer.real(field.name, *real);
      break;
    case Kind::flag:
      if (const auto* flag = kept<bool>(field, member)) writer.flag(field.name, *flag);
      break;
    case Kind::text:
    case Kind::decimal:
      if (const auto* text = kept<std::string_view>(field, member)) writer.text(field.name, *text);
      break;
    case Kind::texts:
    case Kind::ends:
    case Kind::whole_ends:
    case Kind::known:
      break;
  }
}

}  // namespace

void read_each(ObjectReader& reader, void* record, const Field* fields, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    read_field(reader, fields[i], static_cast<char*>(record));
  }
}

void write_each(JsonWriter& writer, const void* record, const Field* fields, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    write_field(writer, fields[i], static_cast<const char*>(record));
  }
}

}  // namespace traintally
