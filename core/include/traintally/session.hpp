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

  /// @param command one of command_names()
  /// @return one JSON document, UTF-8, without a trailing newline
  std::string evaluate(std::string_view command, std::string_view document) const;

  /// The commands, "estimate, catalog, ...".
  static std::string command_names();
  static bool knows(std::string_view command);

  /// @return a JSON array of problems, "[]" for a sound catalogue
  std::string catalog_problems() const;

 private:
  friend class PlanSession;
  struct Loaded;

  std::unique_ptr<Loaded> loaded_;
};

/// The "plan" command in slices, so that a page can show the front as it grows and stays awake.
class PlanSession {
 public:
  /// @param session must outlive this
  PlanSession(const Session& session, std::string_view document);
  ~PlanSession();
  PlanSession(PlanSession&&) noexcept;
  PlanSession& operator=(PlanSession&&) noexcept;

  /// Goes on until about `work` more layouts are evaluated.
  /// @return whether the search is complete
  bool step(double work);

  /// What evaluate("plan", document) returns, as far as the search has come ("complete").
  std::string answer() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace traintally
