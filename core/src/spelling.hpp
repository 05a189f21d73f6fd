#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace traintally {

/// What in a name says nothing about which entry of the catalogue it means.
enum class NameKind : std::uint8_t {
  plain,  ///< case, spaces, '-' and '_'
  model   ///< also the publisher before a '/', and words for how a model of the same shape was
          ///< tuned or packed: base, chat, hf, instruct, it, pt
};

/// A name without what says nothing: "Qwen/Qwen2.5-32B-Instruct" is "qwen2.532b".
std::string plain_name(std::string_view name, NameKind kind);

/// Whether plain_name(name, kind) is `plain`, which is not empty.
bool spells(std::string_view name, std::string_view plain, NameKind kind);

/// Whether `plain` is the vendor's name and then that of `name`: "NVIDIA A100-SXM4-80GB", as
/// nvidia-smi prints it.
bool spells_after(std::string_view vendor, std::string_view name, std::string_view plain);

}  // namespace traintally
