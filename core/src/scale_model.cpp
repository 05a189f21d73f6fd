#include <traintally/resolve.hpp>

namespace traintally {
namespace {

constexpr double real(std::int64_t n) { return static_cast<double>(n); }

double ratio(double a, double b) { return a > b ? a / b : b / a; }

std::int64_t nearest_multiple(double value, std::int64_t step) {
  const double quotient = value / real(step);
  auto multiple = static_cast<std::int64_t>(quotient);
  if (quotient - real(multiple) >= 0.5) ++multiple;
  return (multiple > 0 ? multiple : 1) * step;
}

/// Newton's iteration for the cube root: + - * / alone, so that every platform agrees.
double cube_root(double value) {
  double root = value > 1 ? value : 1;
  for (int i = 0; i < 200; ++i) {
    const double next = (2 * root + value / (root * root)) / 3;
    if (next >= root) break;
    root = next;
  }
  return root;
}

}  // namespace

Model scale_model(const Catalog& catalog, double parameters, const ModelEntry** nearest) {
  *nearest = nullptr;
  double best = 0;
  for (const ModelEntry& entry : catalog.models) {
    if (entry.model.is_moe() || entry.model.is_mla()) continue;
    if (entry.model.linear_attention.layers > 0) continue;
    const double distance = ratio(real(count_parameters(entry.model).total), parameters);
    if (*nearest == nullptr || distance < best) {
      *nearest = &entry;
      best = distance;
    }
  }
  if (*nearest == nullptr) return {};

  const Model& base = (*nearest)->model;
  Model scaled = base;
  scaled.extra_parameters = 0;
  const double growth = cube_root(parameters / real(count_parameters(base).total));
  const std::int64_t group = base.heads / base.kv_heads;
  const double width = real(base.hidden) * growth;
  scaled.heads = nearest_multiple(real(base.heads) * growth, group);
  scaled.kv_heads = scaled.heads / group;
  scaled.hidden = nearest_multiple(width, base.head_dim);
  scaled.ffn_hidden = nearest_multiple(real(base.ffn_hidden) * growth, 16);

  // Depth comes as near as whole layers can; the feed-forward width takes the rest.
  const Parameters one = count_parameters(scaled);
  const double layer = real(one.attention_matrix + one.attention_other + one.dense_mlp_matrix +
                            one.dense_mlp_other) +
                       one.norms;
  const double ends = real(one.embedding + one.head + one.final);
  scaled.layers = nearest_multiple((parameters - ends) / layer, 1);
  const double spare = parameters - real(count_parameters(scaled).total);
  const double per_column = real(scaled.layers * scaled.mlp_matrices() * scaled.hidden);
  scaled.ffn_hidden = nearest_multiple(real(scaled.ffn_hidden) + spare / per_column, 16);
  return scaled;
}

}  // namespace traintally
