#include <traintally/resolve.hpp>

namespace traintally {
namespace {

constexpr const char* kLayout = "/layout/";

std::string divides(const char* what, std::int64_t value) {
  return std::string("divides ") + what + " = " + std::to_string(value);
}

class Check {
 public:
  explicit Check(Problems& problems) : problems_(problems) {}

  void degree(const char* name, std::int64_t degree, const char* what, std::int64_t value) {
    if (value % degree != 0) {
      problems_.push_back({std::string(kLayout) + name, "not_divisible", divides(what, value)});
    }
  }
  void range(const char* name, bool in_range, std::string accepts) {
    if (!in_range) {
      problems_.push_back({std::string(kLayout) + name, "out_of_range", std::move(accepts)});
    }
  }

 private:
  Problems& problems_;
};

}  // namespace

void check_layout(const Job& job, Problems& problems) {
  const Layout& l = job.layout;
  const Model& m = job.model;
  const Training& t = job.training;
  if (l.gpus() != job.cluster.count) {
    problems.push_back({"/layout/dp", "product_not_count",
                        "tp * pp * cp * dp = " + std::to_string(job.cluster.count)});
    return;
  }
  Check check(problems);

  check.degree("tp", l.tp, "heads", m.heads);
  if (!m.is_mla() && l.tp <= m.kv_heads) check.degree("tp", l.tp, "kv_heads", m.kv_heads);
  if (!m.is_mla() && l.tp > m.kv_heads && l.tp % m.kv_heads != 0) {
    check.range("tp", false, "multiple of kv_heads = " + std::to_string(m.kv_heads));
  }
  if (m.dense_layers() > 0) check.degree("tp", l.tp, "ffn_hidden", m.ffn_hidden);
  if (m.is_moe() && m.moe.shared_ffn_hidden > 0) {
    check.degree("tp", l.tp, "moe.shared_ffn_hidden", m.moe.shared_ffn_hidden);
  }

  check.range("pp", l.pp <= m.layers, ">= 1, <= " + std::to_string(m.layers));
  if (l.virtual_stages > 1) {
    if (l.pp == 1) {
      check.range("virtual_stages", false, "1 where pp = 1");
    } else if (l.pp <= m.layers) {
      check.range("virtual_stages", l.virtual_stages <= m.layers / l.pp,
                  ">= 1, <= " + std::to_string(m.layers / l.pp));
    }
  }

  check.degree("cp", l.cp, "sequence_length", t.sequence_length);
  if (l.sequence_parallel && l.tp > 1 && t.sequence_length % l.cp == 0) {
    check.degree("tp", l.tp, "sequence_length / cp", t.sequence_length / l.cp);
  }

  if (!m.is_moe()) {
    if (l.ep > 1) problems.push_back({"/layout/ep", "not_a_mixture", "1"});
    if (l.etp > 1) problems.push_back({"/layout/etp", "not_a_mixture", "1"});
  } else {
    const std::int64_t ranks = l.tp * l.cp * l.dp;
    check.degree("ep", l.ep, "experts", m.moe.experts);
    check.degree("etp", l.etp, "moe.ffn_hidden", m.moe.ffn_hidden);
    if (ranks % l.ep != 0 || ranks / l.ep % l.etp != 0) {
      check.degree("ep", l.ep * l.etp, "tp * cp * dp", ranks);
    }
  }

  if (l.shard_group > 0) check.degree("shard_group", l.shard_group, "dp * cp", l.data_ranks());

  const std::int64_t portion = t.micro_batch * l.dp;
  if (t.global_batch % portion != 0) {
    problems.push_back({"/training/global_batch", "batch_not_divisible",
                        "multiple of micro_batch * dp = " + std::to_string(portion)});
  }
}

}  // namespace traintally
