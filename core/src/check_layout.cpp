#include <traintally/resolve.hpp>

namespace traintally {
namespace {

/// Collects problems, or where nobody asks for them only whether there are any.
class Check {
 public:
  explicit Check(Problems* problems) : problems_(problems) {}

  /// @param accepts what would be accepted: text, or a number that ends it
  void require(bool holds, const char* at, const char* code, const char* accepts,
               std::int64_t number) {
    if (holds) return;
    sound_ = false;
    if (problems_ != nullptr) {
      problems_->push_back({at, code, std::string(accepts) + std::to_string(number)});
    }
  }
  void degree(const char* at, std::int64_t degree, const char* divides, std::int64_t value) {
    require(value % degree == 0, at, "not_divisible", divides, value);
  }
  void require(bool holds, const char* at, const char* code, const char* accepts) {
    if (holds) return;
    sound_ = false;
    if (problems_ != nullptr) problems_->push_back({at, code, accepts});
  }
  bool sound() const { return sound_; }

 private:
  Problems* problems_;
  bool sound_ = true;
};

bool check(const Job& job, Problems* problems) {
  const Layout& l = job.layout;
  const Model& m = job.model;
  const Training& t = job.training;
  Check check(problems);
  check.require(l.gpus() == job.cluster.count, "/layout/dp", "product_not_count",
                "tp * pp * cp * dp = ", job.cluster.count);
  if (!check.sound()) return false;

  constexpr const char* kTp = "/layout/tp";
  check.degree(kTp, l.tp, "divides heads = ", m.heads);
  if (!m.is_mla()) {
    if (l.tp <= m.kv_heads) {
      check.degree(kTp, l.tp, "divides kv_heads = ", m.kv_heads);
    } else {
      check.require(l.tp % m.kv_heads == 0, kTp, "out_of_range",
                    "multiple of kv_heads = ", m.kv_heads);
    }
  }
  if (m.dense_layers() > 0) check.degree(kTp, l.tp, "divides ffn_hidden = ", m.ffn_hidden);
  if (m.is_moe() && m.moe.shared_ffn_hidden > 0) {
    check.degree(kTp, l.tp, "divides moe.shared_ffn_hidden = ", m.moe.shared_ffn_hidden);
  }

  check.require(l.pp <= m.layers, "/layout/pp", "out_of_range", ">= 1, <= ", m.layers);
  if (l.virtual_stages > 1 && l.pp <= m.layers) {
    constexpr const char* kStages = "/layout/virtual_stages";
    check.require(l.pp > 1, kStages, "out_of_range", "1 where pp = 1");
    // Ends may hold a layer less: Llama 3's 126 layers run as 16 stages of eight parts.
    const std::int64_t most = (m.layers + l.pp - 1) / l.pp;
    check.require(l.pp == 1 || l.virtual_stages <= most, kStages, "out_of_range",
                  ">= 1, <= ", most);
  }

  check.degree("/layout/cp", l.cp, "divides sequence_length = ", t.sequence_length);
  if (l.sequence_parallel && l.tp > 1 && t.sequence_length % l.cp == 0) {
    check.degree(kTp, l.tp, "divides sequence_length / cp = ", t.sequence_length / l.cp);
  }

  if (!m.is_moe()) {
    check.require(l.ep <= 1, "/layout/ep", "not_a_mixture", "1");
    check.require(l.etp <= 1, "/layout/etp", "not_a_mixture", "1");
  } else {
    const std::int64_t ranks = l.tp * l.cp * l.dp;
    check.degree("/layout/ep", l.ep, "divides experts = ", m.moe.experts);
    check.degree("/layout/etp", l.etp, "divides moe.ffn_hidden = ", m.moe.ffn_hidden);
    check.degree("/layout/ep", l.ep * l.etp, "divides tp * cp * dp = ", ranks);
  }

  if (l.shard_group > 0) {
    check.degree("/layout/shard_group", l.shard_group, "divides dp * cp = ", l.data_ranks());
  }

  const std::int64_t portion = t.micro_batch * l.dp;
  check.require(t.global_batch % portion == 0, "/training/global_batch", "batch_not_divisible",
                "multiple of micro_batch * dp = ", portion);
  return check.sound();
}

}  // namespace

void check_layout(const Job& job, Problems& problems) { check(job, &problems); }

bool layout_holds(const Job& job) { return check(job, nullptr); }

}  // namespace traintally
