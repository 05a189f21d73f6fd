#include <algorithm>

#include "entry_json.hpp"
#include "fields.hpp"
#include "names.hpp"

namespace traintally {
namespace {

constexpr std::uint16_t kNoteLength = 2000;
constexpr std::uint16_t kSourceLength = 1000;
constexpr WholeRange kYear{2000, 2100};
constexpr WholeRange kGeneration{1, 10};
constexpr WholeRange kDies{1, 64};
constexpr double kTera = 1e12;
constexpr std::uint8_t kGiga = 9;

constexpr FieldOf<GpuEntry> kNames[] = {
    TRAINTALLY_FIELD(GpuEntry, id).need(),
    TRAINTALLY_FIELD(GpuEntry, name).need(),
    TRAINTALLY_FIELD(GpuEntry, vendor),
    TRAINTALLY_FIELD(GpuEntry, architecture),
    Field::note("form_factor", limits::name_length),
    Field::number("year", kYear),
    Field::note("variant_of", limits::name_length),
    TRAINTALLY_FIELD(GpuEntry, aliases),
    TRAINTALLY_FIELD(GpuEntry, verified),
    TRAINTALLY_FIELD(GpuEntry, listed_by_provider),
    TRAINTALLY_FIELD(GpuEntry, memory_gb, &limits::gigabytes),
    Field::note("memory_type", limits::name_length),
    Field::note("usable_rule", limits::name_length),
    Field::note("usable_source", kSourceLength),
    Field::number("driver_mib", limits::rate),
    Field::note("internode_network", limits::name_length),
    Field::note("sources", kSourceLength).as(Field::Kind::texts),
    Field::note("notes", kNoteLength)};
constexpr FieldOf<Gpu> kFigures[] = {
    TRAINTALLY_FIELD_AS(Gpu, "memory_bandwidth_gb_s", memory_bandwidth, &limits::rate)
        .times_power_of_ten(kGiga),
    TRAINTALLY_FIELD(Gpu, peer_to_peer),
    TRAINTALLY_FIELD_AS(Gpu, "internode_gb_s", internode, &limits::rate).times_power_of_ten(kGiga),
    TRAINTALLY_FIELD_AS(Gpu, "tdp_w", power, &limits::watts),
    TRAINTALLY_FIELD_AS(Gpu, "per_server", per_node, &limits::per_node)};
constexpr FieldOf<Gpu> kLink[] = {
    Field::note("name", limits::name_length).need(),
    TRAINTALLY_FIELD_AS(Gpu, "gb_s", link, &limits::rate).times_power_of_ten(kGiga).need(),
    Field::number("pair_gb_s", limits::rate),
    TRAINTALLY_FIELD_AS(Gpu, "max_domain", link_domain, &limits::gpus).need()};
constexpr FieldOf<Gpu> kPcie[] = {
    Field::number("gen", kGeneration),
    TRAINTALLY_FIELD_AS(Gpu, "gb_s", pcie, &limits::rate).times_power_of_ten(kGiga).need()};

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
  Gpu linked = gpu;
  read_fields(reader, linked, kLink);
  // A bridge that is sold apart is not there unless somebody says so.
  if (!reader.flag_or("optional_bridge", false)) gpu = linked;
  reader.finish();
}

void read_pcie(ObjectReader& parent, Gpu& gpu) {
  ObjectReader reader(parent, "pcie");
  if (!reader.is_object()) return;
  read_fields(reader, gpu, kPcie);
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
  gpu.peer_to_peer = false;
  read_fields(reader, entry, kNames);
  read_fields(reader, gpu, kFigures);
  entry.confidence = reader.one_of("confidence", kConfidences).value_or(Confidence::medium);
  const std::optional<double> usable = reader.real("usable_gib", limits::gigabytes);
  if (usable && entry.memory_gb > 0 && *usable > entry.memory_gb) {
    reader.problem("usable_gib", "out_of_range", "<= memory_gb");
  }
  const std::optional<UsableBasis> basis = reader.one_of("usable_basis", kUsableBases);
  entry.usable_known = usable && basis != UsableBasis::rule;
  read_peaks(reader, gpu);
  read_achievable(reader, gpu);
  read_link(reader, gpu);
  read_pcie(reader, gpu);
  const std::int64_t dies = reader.whole_or("dies_per_package", kDies, 1);
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
