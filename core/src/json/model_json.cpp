#include "model_json.hpp"

#include <traintally/resolve.hpp>

namespace traintally {
namespace {

constexpr Named<Norm> kNorms[] = {{"rmsnorm", Norm::rmsnorm}, {"layernorm", Norm::layernorm}};

std::int64_t required(ObjectReader& reader, const char* name, const WholeRange& range) {
  reader.require(name, accepted(range));
  return reader.whole_or(name, range, 0);
}

void read_mla(ObjectReader& parent, LatentAttention& mla) {
  ObjectReader reader(parent, "mla");
  if (!reader.is_object()) return;
  mla.q_lora_rank = reader.whole_or("q_lora_rank", limits::optional_rank, 0);
  mla.kv_lora_rank = required(reader, "kv_lora_rank", limits::latent_rank);
  mla.qk_nope_head_dim = required(reader, "qk_nope_head_dim", limits::head_dim);
  mla.qk_rope_head_dim = required(reader, "qk_rope_head_dim", limits::part_dim);
  mla.v_head_dim = required(reader, "v_head_dim", limits::head_dim);
  reader.finish();
}

void read_moe(ObjectReader& parent, Model& model) {
  MixtureOfExperts& moe = model.moe;
  ObjectReader reader(parent, "moe");
  if (!reader.is_object()) return;
  moe.experts = required(reader, "experts", limits::experts);
  moe.experts_per_token = required(reader, "experts_per_token", limits::experts);
  moe.ffn_hidden = reader.whole_or("ffn_hidden", limits::expert_hidden, model.ffn_hidden);
  moe.shared_ffn_hidden = reader.whole_or("shared_ffn_hidden", limits::ffn_hidden, 0);
  moe.first_dense_layers = reader.whole_or("first_dense_layers", limits::some_layers, 0);
  moe.layers = reader.whole_or("layers", limits::layers, model.layers - moe.first_dense_layers);
  moe.router_bias = reader.flag_or("router_bias", false);
  moe.shared_gate = reader.flag_or("shared_gate", false);
  reader.finish();
}

void read_linear_attention(ObjectReader& parent, LinearAttention& linear) {
  ObjectReader reader(parent, "linear_attention");
  if (!reader.is_object()) return;
  linear.layers = required(reader, "layers", limits::layers);
  linear.params_per_layer = required(reader, "params_per_layer", limits::layer_parameters);
  reader.finish();
}

}  // namespace

bool read_model_shape(ObjectReader& reader, Model& model) {
  const std::size_t before = reader.problems().size();
  model.layers = required(reader, "layers", limits::layers);
  model.hidden = required(reader, "hidden", limits::hidden);
  model.heads = required(reader, "heads", limits::heads);
  model.kv_heads = reader.whole_or("kv_heads", limits::heads, model.heads);
  if (const std::optional<std::int64_t> head_dim = reader.whole("head_dim", limits::head_dim)) {
    model.head_dim = *head_dim;
  } else if (!reader.has("head_dim") && model.heads > 0) {
    model.head_dim = model.hidden / model.heads;
    if (model.head_dim * model.heads != model.hidden) {
      reader.missing("head_dim", ">= 1, <= " + std::to_string(limits::head_dim.high));
    }
  }
  model.ffn_hidden = required(reader, "ffn_hidden", limits::ffn_hidden);
  model.vocab = required(reader, "vocab", limits::vocab);
  model.max_sequence = reader.whole_or("max_sequence", limits::positions, 0);
  model.learned_positions = reader.whole_or("learned_positions", limits::positions, 0);
  model.gated = reader.flag_or("gated", true);
  model.tied_embeddings = reader.flag_or("tied_embeddings", false);
  model.norm = reader.one_of("norm", kNorms).value_or(Norm::rmsnorm);
  // A layernorm without biases has the size and the work of an rmsnorm.
  if (!reader.flag_or("norm_bias", true)) model.norm = Norm::rmsnorm;
  model.norms_per_layer = reader.real_or("norms_per_layer", limits::norms_per_layer, 2);
  model.final_norm = reader.flag_or("final_norm", true);
  model.embedding_norm = reader.flag_or("embedding_norm", false);
  model.qk_norm = reader.flag_or("qk_norm", false);
  model.bias_qkv = reader.flag_or("bias_qkv", false);
  model.bias_attention_out = reader.flag_or("bias_attention_out", false);
  model.bias_mlp = reader.flag_or("bias_mlp", false);
  model.bias_head = reader.flag_or("bias_head", false);
  read_mla(reader, model.mla);
  read_moe(reader, model);
  read_linear_attention(reader, model.linear_attention);
  model.sliding_window = reader.whole_or("sliding_window", limits::positions, 0);
  model.windowed_layer_share =
      reader.real_or("windowed_layer_share", limits::share, model.sliding_window > 0 ? 1 : 0);
  model.extra_parameters = reader.whole_or("extra_parameters", limits::extra_parameters, 0);
  if (reader.problems().size() > before) return false;
  check_model(model, reader.at(), reader.problems());
  return reader.problems().size() == before;
}

void write_model_shape(JsonWriter& writer, const Model& model) {
  writer.whole("layers", model.layers);
  writer.whole("hidden", model.hidden);
  writer.whole("heads", model.heads);
  writer.whole("kv_heads", model.kv_heads);
  writer.whole("head_dim", model.head_dim);
  writer.whole("ffn_hidden", model.ffn_hidden);
  writer.whole("vocab", model.vocab);
  writer.whole("max_sequence", model.max_sequence);
  writer.whole("learned_positions", model.learned_positions);
  writer.flag("gated", model.gated);
  writer.flag("tied_embeddings", model.tied_embeddings);
  writer.text("norm", name_of(kNorms, model.norm));
  writer.real("norms_per_layer", model.norms_per_layer);
  writer.flag("final_norm", model.final_norm);
  writer.flag("embedding_norm", model.embedding_norm);
  writer.flag("qk_norm", model.qk_norm);
  writer.flag("bias_qkv", model.bias_qkv);
  writer.flag("bias_attention_out", model.bias_attention_out);
  writer.flag("bias_mlp", model.bias_mlp);
  writer.flag("bias_head", model.bias_head);
  if (model.is_mla()) {
    writer.begin_object("mla");
    writer.whole("q_lora_rank", model.mla.q_lora_rank);
    writer.whole("kv_lora_rank", model.mla.kv_lora_rank);
    writer.whole("qk_nope_head_dim", model.mla.qk_nope_head_dim);
    writer.whole("qk_rope_head_dim", model.mla.qk_rope_head_dim);
    writer.whole("v_head_dim", model.mla.v_head_dim);
    writer.end_object();
  }
  if (model.is_moe()) {
    writer.begin_object("moe");
    writer.whole("experts", model.moe.experts);
    writer.whole("experts_per_token", model.moe.experts_per_token);
    writer.whole("ffn_hidden", model.moe.ffn_hidden);
    writer.whole("shared_ffn_hidden", model.moe.shared_ffn_hidden);
    writer.whole("layers", model.moe.layers);
    writer.whole("first_dense_layers", model.moe.first_dense_layers);
    writer.flag("router_bias", model.moe.router_bias);
    writer.flag("shared_gate", model.moe.shared_gate);
    writer.end_object();
  }
  if (model.linear_attention.layers > 0) {
    writer.begin_object("linear_attention");
    writer.whole("layers", model.linear_attention.layers);
    writer.whole("params_per_layer", model.linear_attention.params_per_layer);
    writer.end_object();
  }
  writer.whole("sliding_window", model.sliding_window);
  writer.real("windowed_layer_share", model.windowed_layer_share);
  writer.whole("extra_parameters", model.extra_parameters);
}

}  // namespace traintally
