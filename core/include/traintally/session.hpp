#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace traintally {

/// The one way in: JSON documents in, JSON documents out, over a catalogue. Never throws; whatever
/// is wrong with a document is in its answer's "problems" (see core/schema).
class Session {
 public:
  /// @param catalog_json the merged catalogue; what is wrong with it is in catalog_problems().
  /// @param calibration_json where given, a document whose "calibration" is merged over the
  /// catalogue's: for fitting it
  explicit Session(std::string_view catalog_json, std::string_view calibration_json = {});
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// @param command "estimate" or "catalog"
  /// @return one JSON document, UTF-8, without a trailing newline
  std::string evaluate(std::string_view command, std::string_view document) const;

  /// @return a JSON array of problems, "[]" for a sound catalogue
  std::string catalog_problems() const;

 private:
  struct Loaded;

  std::unique_ptr<Loaded> loaded_;
};

}  // namespace traintally
