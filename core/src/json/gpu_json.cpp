#include <algorithm>

#include "entry_json.hpp"
#include "names.hpp"

namespace traintally {
namespace {

constexpr std::size_t kNoteLength = 2000;
constexpr std::size_t kSourceLength = 1000;
constexpr WholeRange kYear{2000, 2100};
constexpr WholeRange kGeneration{1, 10};
constexpr WholeRange kDies{1, 64};
constexpr double kTera = 1e12;

enum class UsableBasis : std::uint8_t { framework, driver, rule };
constexpr Named<UsableBasis> kUsableBases[] = {{"framework", UsableBasis::framework},
                                               {"driver", UsableBasis::driver},
                                               {"rule", UsableBasis::rule}};

void read_peaks(ObjectReader& parent, Gpu& gpu) {
  ObjectReader reader(parent, "peak_tflops");
  if (!reader.is_object()) return;
  for (const Named<MatmulKind>& rate : names::matmul_kinds) {
    gpu.peak[static_cast<int>(rate.value)].value =
        reader.real_or(rate.name, limits::rate, 0) * kTera;
  }
  reader.finish();
}

/// Measured peaks are there to compare with; the calibration has what the maths uses.
void read_achievable(ObjectReader& parent, const Gpu& gpu) {
  ObjectReader reader(parent, "achievable_matmul_tflops");
  if (!reader.is_object()) return;
  for (const MatmulKind kind : {MatmulKind::bf16, MatmulKind::fp8}) {
    const char* name = name_of(names::matmul_kinds, kind);
    const std::optional<double> measured = reader.real(name, limits::rate);
    const double peak = gpu.rate(kind).value / kTera;
    if (measured && peak > 0 && *measured > peak) {
      reader.problem(name, "out_of_range", "<= peak_tflops");
    }
  }
  required_text(reader, "source");
  reader.finish();
}

void read_link(ObjectReader& parent, Gpu& gpu) {
  ObjectReader reader(parent, "link");
  if (!reader.is_object()) return;
  required_text(reader, "name");
  const double rate = reader.real_or("gb_s", limits::rate, 0);
  reader.require("gb_s", "> 0");
  reader.real("pair_gb_s", limits::rate);
  const std::int64_t domain = reader.whole_or("max_domain", limits::gpus, 1);
  reader.require("max_domain", ">= 1");
  // A bridge that is sold apart is not there unless somebody says so.
  if (!reader.flag_or("optional_bridge", false)) {
    gpu.link.value = rate * kGB;
    gpu.link_domain = domain;
  }
  reader.finish();
}

void read_pcie(ObjectReader& parent, Gpu& gpu) {
  ObjectReader reader(parent, "pcie");
  if (!reader.is_object()) return;
  reader.whole("gen", kGeneration);
  gpu.pcie.value = reader.real_or("gb_s", limits::rate, 0) * kGB;
  reader.require("gb_s", "> 0");
  reader.finish();
}

/// Of a package, what one of its devices has.
void split(GpuEntry& entry, std::int64_t dies) {
  if (dies <= 1) return;
  entry.devices = dies;
  const auto share = static_cast<double>(dies);
  Gpu& gpu = entry.gpu;
  entry.memory_gb /= share;
  gpu.usable_memory.value /= share;
  gpu.memory_bandwidth.value /= share;
  for (FlopsPerSecond& peak : gpu.peak) peak.value /= share;
  gpu.link.value /= share;
  gpu.link_domain *= dies;
  gpu.pcie.value /= share;
  gpu.internode.value /= share;
  gpu.per_node *= dies;
  gpu.power.value /= share;
}

}  // namespace

double usable_memory_share(const Catalog& catalog, std::string_view vendor) {
  double of_vendor = 1;
  double of_any = 1;
  for (const GpuEntry& entry : catalog.gpus) {
    if (!entry.usable_known || entry.memory_gb <= 0) continue;
    const double share = entry.gpu.usable_memory.value / (entry.memory_gb * kGiB);
    of_any = std::min(of_any, share);
    if (entry.vendor == vendor) of_vendor = std::min(of_vendor, share);
  }
  return of_vendor < 1 ? of_vendor : of_any;
}

void read_entry(const JsonValue& node, const std::string& at, const Catalog& catalog,
                GpuEntry& entry, Problems& problems) {
  const std::size_t before = problems.size();
  Gpu& gpu = entry.gpu;
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return;
  entry.id = required_text(reader, "id");
  entry.name = required_text(reader, "name");
  entry.vendor = reader.text_or("vendor", "");
  entry.architecture = reader.text_or("architecture", "");
  reader.text("form_factor");
  reader.whole("year", kYear);
  reader.text("variant_of");
  entry.aliases = read_texts(reader, "aliases", limits::name_length);
  entry.verified = reader.flag_or("verified", true);
  entry.listed_by_provider = reader.flag_or("listed_by_provider", false);
  entry.confidence = reader.one_of("confidence", kConfidences).value_or(Confidence::medium);

  entry.memory_gb = reader.real_or("memory_gb", limits::gigabytes, 0);
  reader.text("memory_type");
  const std::optional<double> usable = reader.real("usable_gib", limits::gigabytes);
  if (usable && entry.memory_gb > 0 && *usable > entry.memory_gb) {
    reader.problem("usable_gib", "out_of_range", "<= memory_gb");
  }
  const std::optional<UsableBasis> basis = reader.one_of("usable_basis", kUsableBases);
  reader.text("usable_rule");
  reader.text("usable_source", kSourceLength);
  reader.real("driver_mib", limits::rate);
  entry.usable_known = usable && basis != UsableBasis::rule;

  gpu.memory_bandwidth.value = reader.real_or("memory_bandwidth_gb_s", limits::rate, 0) * kGB;
  read_peaks(reader, gpu);
  read_achievable(reader, gpu);
  read_link(reader, gpu);
  read_pcie(reader, gpu);
  gpu.peer_to_peer = reader.flag_or("peer_to_peer", false);
  gpu.internode.value = reader.real_or("internode_gb_s", limits::rate, 0) * kGB;
  reader.text("internode_network");
  gpu.power.value = reader.real_or("tdp_w", limits::watts, 0);
  gpu.per_node = reader.whole_or("per_server", limits::per_node, gpu.per_node);
  const std::int64_t dies = reader.whole_or("dies_per_package", kDies, 1);
  read_texts(reader, "sources", kSourceLength);
  reader.text("notes", kNoteLength);
  reader.finish();

  if (!entry.verified) {
    // Nothing is computed with a product that no vendor lists.
    gpu = Gpu{};
    gpu.peer_to_peer = false;
    return;
  }
  gpu.usable_memory.value =
      usable ? *usable * kGiB : entry.memory_gb * kGiB * usable_memory_share(catalog, entry.vendor);
  reader.require("memory_gb", "> 0");
  reader.require("memory_bandwidth_gb_s", "> 0");
  if (gpu.rate(MatmulKind::bf16).value <= 0 && gpu.rate(MatmulKind::fp16).value <= 0) {
    reader.missing("peak_tflops", "bf16 or fp16");
  }
  if (problems.size() == before) split(entry, dies);
}

void write_entry(JsonWriter& writer, const JsonValue& node, const GpuEntry& entry,
                 const Catalog& catalog) {
  writer.members(node);
  const auto absent = [&node](const char* name) { return node.find(name) == nullptr; };
  if (absent("confidence")) writer.text("confidence", "medium");
  if (absent("verified")) writer.flag("verified", true);
  if (!entry.verified) return;
  if (absent("usable_gib")) {
    const double nominal = node.find("memory_gb")->number();
    writer.real("usable_gib", nominal * usable_memory_share(catalog, entry.vendor));
    if (absent("usable_basis")) writer.text("usable_basis", "rule");
  }
  if (absent("peer_to_peer")) writer.flag("peer_to_peer", false);
  if (absent("per_server")) writer.whole("per_server", Gpu{}.per_node);
  if (absent("dies_per_package")) writer.whole("dies_per_package", 1);
}

}  // namespace traintally
