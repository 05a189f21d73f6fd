#include "model_json.hpp"

#include <traintally/resolve.hpp>

#include "fields.hpp"

namespace traintally {
namespace {

constexpr Named<Norm> kNorms[] = {{"rmsnorm", Norm::rmsnorm}, {"layernorm", Norm::layernorm}};

using Experts = MixtureOfExperts;

constexpr FieldOf<Model> kWidths[] = {TRAINTALLY_FIELD(Model, layers, &limits::layers).need(),
                                      TRAINTALLY_FIELD(Model, hidden, &limits::hidden).need(),
                                      TRAINTALLY_FIELD(Model, heads, &limits::heads).need()};
constexpr FieldOf<Model> kKvHeads[] = {TRAINTALLY_FIELD(Model, kv_heads, &limits::heads)};
constexpr FieldOf<Model> kRest[] = {TRAINTALLY_FIELD(Model, ffn_hidden, &limits::ffn_hidden).need(),
                                    TRAINTALLY_FIELD(Model, vocab, &limits::vocab).need(),
                                    TRAINTALLY_FIELD(Model, max_sequence, &limits::positions),
                                    TRAINTALLY_FIELD(Model, learned_positions, &limits::positions),
                                    TRAINTALLY_FIELD(Model, gated),
                                    TRAINTALLY_FIELD(Model, tied_embeddings)};
constexpr FieldOf<Model> kNormsAndBiases[] = {
    TRAINTALLY_FIELD(Model, norms_per_layer, &limits::norms_per_layer),
    TRAINTALLY_FIELD(Model, final_norm),
    TRAINTALLY_FIELD(Model, embedding_norm),
    TRAINTALLY_FIELD(Model, qk_norm),
    TRAINTALLY_FIELD(Model, bias_qkv),
    TRAINTALLY_FIELD(Model, bias_attention_out),
    TRAINTALLY_FIELD(Model, bias_mlp),
    TRAINTALLY_FIELD(Model, bias_head)};
constexpr FieldOf<Model> kWindow[] = {TRAINTALLY_FIELD(Model, sliding_window, &limits::positions)};
constexpr FieldOf<Model> kLast[] = {
    TRAINTALLY_FIELD(Model, windowed_layer_share, &limits::share),
    TRAINTALLY_FIELD(Model, extra_parameters, &limits::extra_parameters)};

constexpr FieldOf<LatentAttention> kLatent[] = {
    TRAINTALLY_FIELD(LatentAttention, q_lora_rank, &limits::optional_rank),
    TRAINTALLY_FIELD(LatentAttention, kv_lora_rank, &limits::latent_rank).need(),
    TRAINTALLY_FIELD(LatentAttention, qk_nope_head_dim, &limits::head_dim).need(),
    TRAINTALLY_FIELD(LatentAttention, qk_rope_head_dim, &limits::part_dim).need(),
    TRAINTALLY_FIELD(LatentAttention, v_head_dim, &limits::head_dim).need()};

constexpr FieldOf<Experts> kExperts[] = {
    TRAINTALLY_FIELD(Experts, experts, &limits::experts).need(),
    TRAINTALLY_FIELD(Experts, experts_per_token, &limits::experts).need(),
    TRAINTALLY_FIELD(Experts, ffn_hidden, &limits::expert_hidden),
    TRAINTALLY_FIELD(Experts, shared_ffn_hidden, &limits::ffn_hidden)};
constexpr FieldOf<Experts> kDenseFirst[] = {
    TRAINTALLY_FIELD(Experts, first_dense_layers, &limits::some_layers)};
constexpr FieldOf<Experts> kExpertLayers[] = {TRAINTALLY_FIELD(Experts, layers, &limits::layers)};
constexpr FieldOf<Experts> kExpertFlags[] = {TRAINTALLY_FIELD(Experts, router_bias),
                                             TRAINTALLY_FIELD(Experts, shared_gate)};

constexpr FieldOf<LinearAttention> kLinear[] = {
    TRAINTALLY_FIELD(LinearAttention, layers, &limits::layers).need(),
    TRAINTALLY_FIELD(LinearAttention, params_per_layer, &limits::layer_parameters).need()};

void read_mla(ObjectReader& parent, LatentAttention& mla) {
  ObjectReader reader(parent, "mla");
  if (!reader.is_object()) return;
  read_fields(reader, mla, kLatent);
  reader.finish();
}

void read_moe(ObjectReader& parent, Model& model) {
  ObjectReader reader(parent, "moe");
  if (!reader.is_object()) return;
  MixtureOfExperts& moe = model.moe;
  moe.ffn_hidden = model.ffn_hidden;
  read_fields(reader, moe, kExperts);
  read_fields(reader, moe, kDenseFirst);
  moe.layers = model.layers - moe.first_dense_layers;
  read_fields(reader, moe, kExpertLayers);
  read_fields(reader, moe, kExpertFlags);
  reader.finish();
}

void read_linear_attention(ObjectReader& parent, LinearAttention& linear) {
  ObjectReader reader(parent, "linear_attention");
  if (!reader.is_object()) return;
  read_fields(reader, linear, kLinear);
  reader.finish();
}

}  // namespace

bool read_model_shape(ObjectReader& reader, Model& model) {
  const std::size_t before = reader.problems().size();
  read_fields(reader, model, kWidths);
  model.kv_heads = model.heads;
  read_fields(reader, model, kKvHeads);
  if (const std::optional<std::int64_t> head_dim = reader.whole("head_dim", limits::head_dim)) {
    model.head_dim = *head_dim;
  } else if (!reader.has("head_dim") && model.heads > 0) {
    model.head_dim = model.hidden / model.heads;
    if (model.head_dim * model.heads != model.hidden) {
      reader.missing("head_dim", ">= 1, <= " + std::to_string(limits::head_dim.high));
    }
  }
  read_fields(reader, model, kRest);
  model.norm = reader.one_of("norm", kNorms).value_or(Norm::rmsnorm);
  // A layernorm without biases has the size and the work of an rmsnorm.
  if (!reader.flag_or("norm_bias", true)) model.norm = Norm::rmsnorm;
  read_fields(reader, model, kNormsAndBiases);
  read_mla(reader, model.mla);
  read_moe(reader, model);
  read_linear_attention(reader, model.linear_attention);
  read_fields(reader, model, kWindow);
  model.windowed_layer_share = model.sliding_window > 0 ? 1 : 0;
  read_fields(reader, model, kLast);
  if (reader.problems().size() > before) return false;
  check_model(model, reader.at(), reader.problems());
  return reader.problems().size() == before;
}

void write_model_shape(JsonWriter& writer, const Model& model) {
  write_fields(writer, model, kWidths);
  write_fields(writer, model, kKvHeads);
  writer.whole("head_dim", model.head_dim);
  write_fields(writer, model, kRest);
  writer.text("norm", name_of(kNorms, model.norm));
  write_fields(writer, model, kNormsAndBiases);
  if (model.is_mla()) {
    writer.begin_object("mla");
    write_fields(writer, model.mla, kLatent);
    writer.end_object();
  }
  if (model.is_moe()) {
    writer.begin_object("moe");
    write_fields(writer, model.moe, kExperts);
    write_fields(writer, model.moe, kExpertLayers);
    write_fields(writer, model.moe, kDenseFirst);
    write_fields(writer, model.moe, kExpertFlags);
    writer.end_object();
  }
  if (model.linear_attention.layers > 0) {
    writer.begin_object("linear_attention");
    write_fields(writer, model.linear_attention, kLinear);
    writer.end_object();
  }
  write_fields(writer, model, kWindow);
  write_fields(writer, model, kLast);
}

}  // namespace traintally
