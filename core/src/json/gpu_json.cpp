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
  const Json* node = parent.find("peak_tflops");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("peak_tflops"), parent.problems());
  for (const Named<MatmulKind>& rate : names::matmul_kinds) {
    gpu.peak[static_cast<int>(rate.value)].value =
        reader.real(rate.name, limits::rate).value_or(0) * kTera;
  }
  reader.finish();
}

/// Measured peaks are there to compare with; the calibration has what the maths uses.
void read_achievable(ObjectReader& parent, const Gpu& gpu) {
  const Json* node = parent.find("achievable_matmul_tflops");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("achievable_matmul_tflops"), parent.problems());
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
  const Json* node = parent.find("link");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("link"), parent.problems());
  required_text(reader, "name");
  const std::optional<double> rate = reader.real("gb_s", limits::rate);
  if (!rate && !reader.has("gb_s")) reader.missing("gb_s", "> 0");
  reader.real("pair_gb_s", limits::rate);
  const std::optional<std::int64_t> domain = reader.whole("max_domain", limits::gpus);
  if (!domain && !reader.has("max_domain")) reader.missing("max_domain", ">= 1");
  // A bridge that is sold apart is not there unless somebody says so.
  if (!reader.flag("optional_bridge").value_or(false)) {
    gpu.link.value = rate.value_or(0) * kGB;
    gpu.link_domain = domain.value_or(1);
  }
  reader.finish();
}

void read_pcie(ObjectReader& parent, Gpu& gpu) {
  const Json* node = parent.find("pcie");
  if (node == nullptr) return;
  ObjectReader reader(*node, parent.at("pcie"), parent.problems());
  reader.whole("gen", kGeneration);
  const std::optional<double> rate = reader.real("gb_s", limits::rate);
  if (!rate && !reader.has("gb_s")) reader.missing("gb_s", "> 0");
  gpu.pcie.value = rate.value_or(0) * kGB;
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

double usable_memory_share(const Catalog& catalog, const std::string& vendor) {
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

GpuEntry read_gpu(const Json& node, const std::string& at, const Catalog& catalog,
                  Problems& problems) {
  const std::size_t before = problems.size();
  GpuEntry entry;
  Gpu& gpu = entry.gpu;
  ObjectReader reader(node, at, problems);
  if (!reader.is_object()) return entry;
  entry.id = required_text(reader, "id");
  entry.name = required_text(reader, "name");
  entry.vendor = reader.text("vendor").value_or("");
  entry.architecture = reader.text("architecture").value_or("");
  reader.text("form_factor");
  reader.whole("year", kYear);
  reader.text("variant_of");
  entry.aliases = read_texts(reader, "aliases", limits::name_length);
  entry.verified = reader.flag("verified").value_or(true);
  entry.listed_by_provider = reader.flag("listed_by_provider").value_or(false);
  entry.confidence = reader.one_of("confidence", kConfidences).value_or(Confidence::medium);

  entry.memory_gb = reader.real("memory_gb", limits::gigabytes).value_or(0);
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

  gpu.memory_bandwidth.value = reader.real("memory_bandwidth_gb_s", limits::rate).value_or(0) * kGB;
  read_peaks(reader, gpu);
  read_achievable(reader, gpu);
  read_link(reader, gpu);
  read_pcie(reader, gpu);
  gpu.peer_to_peer = reader.flag("peer_to_peer").value_or(false);
  gpu.internode.value = reader.real("internode_gb_s", limits::rate).value_or(0) * kGB;
  reader.text("internode_network");
  gpu.power.value = reader.real("tdp_w", limits::watts).value_or(0);
  gpu.per_node = reader.whole("per_server", limits::per_node).value_or(gpu.per_node);
  const std::int64_t dies = reader.whole("dies_per_package", kDies).value_or(1);
  read_texts(reader, "sources", kSourceLength);
  reader.text("notes", kNoteLength);
  reader.finish();

  if (!entry.verified) {
    // Nothing is computed with a product that no vendor lists.
    gpu = Gpu{};
    gpu.peer_to_peer = false;
    return entry;
  }
  gpu.usable_memory.value =
      usable ? *usable * kGiB : entry.memory_gb * kGiB * usable_memory_share(catalog, entry.vendor);
  if (!reader.has("memory_gb")) reader.missing("memory_gb", "> 0");
  if (!reader.has("memory_bandwidth_gb_s")) reader.missing("memory_bandwidth_gb_s", "> 0");
  if (gpu.rate(MatmulKind::bf16).value <= 0 && gpu.rate(MatmulKind::fp16).value <= 0) {
    reader.missing("peak_tflops", "bf16 or fp16");
  }
  if (problems.size() == before) split(entry, dies);
  return entry;
}

void fill_gpu(Json& node, const Catalog& catalog) {
  auto& fields = *node.get_ptr<Json::object_t*>();
  const auto fill = [&fields](const char* name, const Json& value) {
    fields.try_emplace(name, value);
  };
  fill("confidence", "medium");
  fill("verified", true);
  if (const Json& verified = fields["verified"]; verified == false) return;
  if (fields.find("usable_gib") == fields.end()) {
    const auto vendor = fields.find("vendor");
    const auto* name =
        vendor == fields.end() ? nullptr : vendor->second.get_ptr<const Json::string_t*>();
    fill("usable_gib", fields["memory_gb"].get<double>() *
                           usable_memory_share(catalog, name == nullptr ? "" : *name));
    fill("usable_basis", "rule");
  }
  fill("peer_to_peer", false);
  fill("per_server", Gpu{}.per_node);
  fill("dies_per_package", 1);
}

}  // namespace traintally
