#include "layout_json.hpp"

#include "names.hpp"

namespace traintally {
namespace {

constexpr const char* kRuleNames[kRules] = {
    "tensor_on_fast_link",        "tensor_as_needed",   "tensor_before_pipeline",
    "pipeline_shards_optimizer",  "pipeline_filled",    "interleaved_rounds",
    "context_for_long_sequences", "full_shard_bounded", "states_on_device"};

struct Degree {
  const char* name;
  std::int64_t Layout::*member;
};
constexpr Degree kDegrees[] = {{"tp", &Layout::tp},
                               {"pp", &Layout::pp},
                               {"cp", &Layout::cp},
                               {"ep", &Layout::ep},
                               {"etp", &Layout::etp},
                               {"dp", &Layout::dp},
                               {"zero", &Layout::zero},
                               {"shard_group", &Layout::shard_group},
                               {"virtual_stages", &Layout::virtual_stages}};

}  // namespace

void write_candidate(JsonWriter& w, const Candidate& c) {
  w.begin_object("layout");
  for (const Degree& degree : kDegrees) w.whole(degree.name, c.layout.*degree.member);
  w.flag("sequence_parallel", c.layout.sequence_parallel);
  w.text("offload", name_of(names::offloads, c.layout.offload));
  w.end_object();
  w.whole("micro_batch", c.micro_batch);
  w.whole("global_batch", c.global_batch);
  w.text("recompute", name_of(names::recomputes, c.recompute));
}

void write_rules(JsonWriter& w, const char* name, Rules rules) {
  w.begin_array(name);
  for (int i = 0; i < kRules; ++i) {
    if ((rules >> i & 1U) != 0) w.text(kRuleNames[i]);
  }
  w.end_array();
}

}  // namespace traintally
