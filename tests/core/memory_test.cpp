#include <doctest/doctest.h>

#include <traintally/memory.hpp>
#include <traintally/resolve.hpp>

#include "job_builder.hpp"

namespace traintally {
namespace {

using namespace testing;

/// A model of Korthikanti et al., arXiv 2205.05198, in that paper's stack: dropout, attention that
/// isn't fused, 16 bits, one micro-batch.
Job paper_job(const Model& model, const Layout& layout = {},
              Recompute recompute = Recompute::none) {
  Job job = make_job(model, layout);
  job.stack.dropout = true;
  job.training.flash_attention = false;
  job.training.recompute = recompute;
  return job;
}

Layout tensor_parallel(std::int64_t tp, bool sequence_parallel) {
  Layout layout;
  layout.tp = tp;
  layout.sequence_parallel = sequence_parallel;
  return layout;
}

/// s * b * h, the paper's unit.
double sbh(const Job& job) {
  return real(job.training.sequence_length * job.training.micro_batch * job.model.hidden);
}

/// 5 a s / h: the scores of a layer in units of s * b * h.
double scores(const Job& job) {
  return 5 * real(job.model.heads * job.training.sequence_length) / real(job.model.hidden);
}

/// What the layers of a stage keep for backward, per layer, in units of s * b * h.
double per_layer(const Job& job) {
  const StageMemory m = estimate_stage_memory(job, 0);
  return (m.attention + m.mlp + m.norms + m.checkpoints).value / sbh(job) / real(job.model.layers);
}

const Model kPaperModels[] = {gpt_22b(), gpt_175b(), gpt_530b(), gpt_1t()};

double allocated(const Job& job) { return estimate_memory(job).stage.allocated.value; }

}  // namespace

TEST_SUITE("activations") {
  // Korthikanti et al., equation 1: a layer keeps s*b*h*(34 + 5as/h) bytes.
  TEST_CASE("without parallelism") {
    for (const Model& m : kPaperModels) {
      const Job job = paper_job(m);
      CHECK(per_layer(job) == exactly(34 + scores(job)));
    }
  }

  // The same by block, section 4.1: attention 11 and the scores, MLP 19, the two norms 4.
  TEST_CASE("by block") {
    const Job job = paper_job(gpt_175b());
    const StageMemory m = estimate_stage_memory(job, 0);
    const double layers = sbh(job) * 96;
    CHECK(m.attention.value == exactly(layers * (11 + scores(job))));
    CHECK(m.mlp.value == exactly(layers * 19));
    CHECK(m.norms.value == exactly(layers * 4));
  }

  // Table 2, row 2: tensor parallelism alone leaves 10 of them whole: 10 + 24/t + 5as/(ht).
  TEST_CASE("tensor parallelism") {
    for (const Model& m : kPaperModels) {
      for (const std::int64_t t : {2, 4, 8}) {
        const Job job = paper_job(m, tensor_parallel(t, false));
        CHECK(per_layer(job) == exactly(10 + (24 + scores(job)) / real(t)));
      }
    }
  }

  // Table 2, row 3: with sequence parallelism everything is split: (34 + 5as/h) / t.
  TEST_CASE("tensor and sequence parallelism") {
    for (const Model& m : kPaperModels) {
      const Job job = paper_job(m, tensor_parallel(8, true));
      CHECK(per_layer(job) == exactly((34 + scores(job)) / 8));
    }
  }

  // Table 2, rows 4 and 5: selective recomputation drops the scores: 10 + 24/t, and 34/t.
  TEST_CASE("selective recomputation") {
    for (const Model& m : kPaperModels) {
      CHECK(per_layer(paper_job(m, tensor_parallel(8, false), Recompute::selective)) ==
            exactly(10 + 24.0 / 8));
      CHECK(per_layer(paper_job(m, tensor_parallel(8, true), Recompute::selective)) ==
            exactly(34.0 / 8));
    }
  }

  // Table 2, row 6: full recomputation keeps each layer's input, 2*s*b*h, split only by sequence
  // parallelism; one layer at a time is whole again.
  TEST_CASE("full recomputation") {
    for (const Model& m : kPaperModels) {
      for (const bool sequence_parallel : {false, true}) {
        Job job = paper_job(m, tensor_parallel(8, sequence_parallel), Recompute::full);
        job.training.fused_loss = true;  // so that the recomputed layer is the peak
        CHECK(per_layer(job) == exactly(2.0 / (sequence_parallel ? 8 : 1)));
        const double layer =
            sequence_parallel ? (34 + scores(job)) / 8 : 10 + (24 + scores(job)) / 8;
        CHECK(estimate_stage_memory(job, 0).working_set.value == exactly(layer * sbh(job)));
      }
    }
  }

  // Section 5: the scores are 80 and 64 of GPT-3's and MT-NLG's 114 and 98, so that selective
  // recomputation saves 70% and 65%; with sequence parallelism the need falls about fivefold.
  TEST_CASE("the savings that the paper names") {
    const auto saved = [](const Model& m) {
      return 1 - per_layer(paper_job(m, tensor_parallel(8, true), Recompute::selective)) /
                     per_layer(paper_job(m, tensor_parallel(8, true)));
    };
    CHECK(scores(paper_job(gpt_175b())) == exactly(80));
    CHECK(scores(paper_job(gpt_530b())) == exactly(64));
    CHECK(saved(gpt_175b()) == rounded(0.70, 0.01));
    CHECK(saved(gpt_530b()) == rounded(0.65, 0.01));
    const double fold =
        per_layer(paper_job(gpt_530b(), tensor_parallel(8, false))) /
        per_layer(paper_job(gpt_530b(), tensor_parallel(8, true), Recompute::selective));
    CHECK(fold == rounded(5, 0.02));
  }

  // Sections 4.2.3 and 4.3: the first of p stages holds p micro-batches of L/p layers, so that
  // pipelining saves it nothing; interleaving makes it hold 1 + (p-1)/(pv) times that.
  TEST_CASE("the first stage of the paper's pipelines") {
    struct Case {
      Model model;
      std::int64_t pp, virtual_stages, batch;
    };
    const Case cases[] = {{gpt_175b(), 8, 3, 64}, {gpt_530b(), 35, 3, 280}, {gpt_1t(), 64, 1, 512}};
    for (const Case& c : cases) {
      Layout layout = tensor_parallel(8, true);
      layout.pp = c.pp;
      layout.virtual_stages = c.virtual_stages;
      Job job = paper_job(c.model, layout, Recompute::selective);
      job.training.global_batch = c.batch;
      const double p = real(c.pp);
      const double v = real(c.virtual_stages);
      const double interleaved = c.virtual_stages > 1 ? 1 + (p - 1) / (p * v) : 1;
      CHECK(per_layer(job) == exactly(34.0 / 8 * interleaved));
    }
  }

  // Section 4.3: dropout's mask after the embedding is one byte a value and micro-batch in flight.
  TEST_CASE("the embedding's mask") {
    Layout layout = tensor_parallel(8, true);
    layout.pp = 8;
    Job job = paper_job(gpt_175b(), layout);
    job.training.global_batch = 64;
    const double token_ids = 8.0 * 2048 * 8;
    CHECK(estimate_stage_memory(job, 0).embedding.value == exactly(sbh(job) * 8 / 8 + token_ids));
  }

  // Section 4.3: the last stage keeps the final norm's and the head's input and fp32 logits,
  // 4*s*b*h/t * (1 + v/h).
  TEST_CASE("the last stage's ends") {
    Layout layout = tensor_parallel(8, true);
    layout.pp = 8;
    Job job = paper_job(gpt_175b(), layout);
    job.training.global_batch = 64;
    const StageMemory last = estimate_stage_memory(job, 7);
    CHECK((last.embedding + last.logits).value ==
          exactly(4 * sbh(job) / 8 * (1 + 51200.0 / 12288)));
    CHECK(estimate_stage_memory(job, 3).logits.value == 0);
    CHECK(estimate_stage_memory(job, 3).embedding.value == 0);
  }

  // Fused attention keeps no scores, only a log-sum-exp of 4 bytes for each head and token.
  TEST_CASE("flash attention") {
    for (const Model& m : kPaperModels) {
      Job job = paper_job(m);
      job.training.flash_attention = true;
      CHECK(per_layer(job) == exactly(34 + 4 * real(m.heads) / real(m.hidden)));
      job.training.recompute = Recompute::selective;
      CHECK(per_layer(job) == exactly(34));
    }
  }

  // Grouped queries keep fewer keys and values; a gated MLP keeps gate, up and their product.
  TEST_CASE("Llama 3.1 8B") {
    const Job job = make_job(llama_3_1_8b());
    const double attention = 2 * 4096 + 2 * (4096 + 1024 + 1024) + 2 * 4096 + 4 * 32;
    const double mlp = 2 * 4096 + 2 * 3 * 14336;
    const double norms = 4 * 4096;
    CHECK(per_layer(job) == exactly((attention + mlp + norms) / 4096));
  }

  // A stack that repeats keys and values to all heads keeps them so.
  TEST_CASE("expanded keys and values") {
    Job job = make_job(llama_3_1_8b());
    const double grouped = per_layer(job);
    job.stack.kv_expanded = true;
    CHECK(per_layer(job) - grouped == exactly(2.0 * 2 * (4096 - 1024) / 4096));
  }

  // More tensor-parallel ranks than KV heads hold copies: one head each is the least.
  TEST_CASE("KV heads are not split below one") {
    Model m = llama_3_1_8b();
    m.kv_heads = 2;
    Job two = make_job(m, tensor_parallel(2, true));
    Job eight = make_job(m, tensor_parallel(8, true));
    const double kv = 2 * 2 * 128.0;  // bytes of keys and values of one head
    const auto attention = [](const Job& job) {
      return estimate_stage_memory(job, 0).attention.value / job.micro_tokens() / 32;
    };
    CHECK(attention(two) - kv == exactly(4 * (attention(eight) - kv)));
  }

  // A sequence in c parts is a c-th of everything that belongs to tokens.
  TEST_CASE("context parallelism") {
    Layout layout;
    const Job whole = make_job(llama_3_1_8b(), layout);
    layout.cp = 4;
    const Job part = make_job(llama_3_1_8b(), layout);
    const StageMemory a = estimate_stage_memory(whole, 0);
    const StageMemory b = estimate_stage_memory(part, 0);
    CHECK(a.activations.value == exactly(4 * b.activations.value));
    CHECK(a.logits.value == exactly(4 * b.logits.value));
  }

  // Each expert-parallel rank gets as many tokens back as it sent: the sum doesn't depend on ep.
  TEST_CASE("routed tokens") {
    Layout layout;
    layout.dp = 8;
    const double alone = estimate_stage_memory(make_job(mixtral_8x7b(), layout), 0).mlp.value;
    layout.ep = 8;
    CHECK(estimate_stage_memory(make_job(mixtral_8x7b(), layout), 0).mlp.value == exactly(alone));
  }

  // A mixture layer keeps its input, router scores and probabilities, and for each of its experts
  // the token sent, the token to send back, gate, up and product; and that product again where the
  // token's share of the expert multiplies it.
  TEST_CASE("a mixture layer") {
    Job job = make_job(mixtral_8x7b());
    const double token = 2 * 4096 + 2 * 4 * 8 + 2 * (2 * 2 * 4096 + 2 * 3 * 14336);
    CHECK(estimate_stage_memory(job, 0).mlp.value == exactly(32 * job.micro_tokens() * token));
    job.calibration.moe_imbalance = 1.2;
    CHECK(estimate_stage_memory(job, 0).mlp.value == exactly(32 * job.micro_tokens() * token));
    job.layout.ep = job.layout.dp = job.cluster.count = job.training.global_batch = 8;  // one each
    const double fullest = 2 * 4096 + 2 * 4 * 8 + 2.4 * (2 * 2 * 4096 + 2 * 3 * 14336);
    CHECK(estimate_stage_memory(job, 0).mlp.value == exactly(32 * job.micro_tokens() * fullest));
    job.stack.weighs_inside_experts = true;
    const double inside = 2 * 4096 + 2 * 4 * 8 + 2.4 * (2 * 2 * 4096 + 2 * 4 * 14336);
    CHECK(estimate_stage_memory(job, 0).mlp.value == exactly(32 * job.micro_tokens() * inside));
  }

  // Where the stack keeps the outputs of products, selective recomputation keeps those and the
  // layer's input: 2*(h + q + k + v + out + h + 2f + h) and the softmax statistics.
  TEST_CASE("keeping the products") {
    Job job = make_job(llama_3_1_8b());
    job.stack.selective_keeps_products = true;
    job.training.recompute = Recompute::selective;
    const double kept = 2 * (3 * 4096 + 4096 + 2 * 1024 + 4096 + 2 * 14336) + 4 * 32;
    CHECK(per_layer(job) == exactly(kept / 4096));
    job.layout = tensor_parallel(8, true);
    settle(job);
    CHECK(per_layer(job) == exactly(kept / 8 / 4096));
    job.layout.sequence_parallel = false;
    CHECK(per_layer(job) == exactly((kept / 8 + 2 * 3 * 4096 * 7.0 / 8) / 4096));
  }

  // Of these, every second from the first on: 2*(h + q + v + out + f + h).
  TEST_CASE("keeping every second product") {
    Job job = make_job(llama_3_1_8b());
    job.stack.selective_keeps_products = job.stack.selective_keeps_half = true;
    job.training.recompute = Recompute::selective;
    CHECK(per_layer(job) == exactly((2 * (4 * 4096 + 1024 + 14336) + 4 * 32) / 4096.0));
    Job plain = make_job(gpt_175b());
    plain.stack.selective_keeps_products = plain.stack.selective_keeps_half = true;
    plain.training.recompute = Recompute::selective;
    CHECK(estimate_stage_memory(plain, 0).mlp.value == exactly(96 * sbh(plain) * 2 * 4));
  }

  // Likewise of a two-matrix MLP, and of experts: the first products, and what goes back to each
  // token.
  TEST_CASE("keeping the products of other MLPs") {
    Job plain = make_job(gpt_175b());
    plain.stack.selective_keeps_products = true;
    plain.training.recompute = Recompute::selective;
    CHECK(estimate_stage_memory(plain, 0).mlp.value == exactly(96 * sbh(plain) * 2 * (4 + 1)));
    Model m = mixtral_8x7b();
    m.moe.shared_ffn_hidden = 1024;
    Job moe = make_job(m);
    moe.stack.selective_keeps_products = true;
    moe.training.recompute = Recompute::selective;
    const double token = 4096 + 2 * (2 * 14336 + 4096) + 2 * 1024;
    CHECK(estimate_stage_memory(moe, 0).mlp.value == exactly(32 * moe.micro_tokens() * 2 * token));
  }

  // A shared expert keeps what an MLP of its width keeps.
  TEST_CASE("a shared expert") {
    Model m = mixtral_8x7b();
    const double routed = estimate_stage_memory(make_job(m), 0).mlp.value;
    m.moe.shared_ffn_hidden = 1024;
    CHECK(estimate_stage_memory(make_job(m), 0).mlp.value - routed ==
          exactly(32 * 2048.0 * 2 * (4096 + 3 * 1024)));
  }

  // Layers that are linear in the sequence keep about half of what attention does.
  TEST_CASE("linear attention") {
    Job job = make_job(llama_3_1_8b());
    const double all = estimate_stage_memory(job, 0).attention.value;
    job.model.linear_attention.layers = 24;
    job.model.linear_attention.params_per_layer = 1000;
    settle(job);
    CHECK(estimate_stage_memory(job, 0).attention.value == exactly(all * (0.25 + 0.75 / 2)));
    CHECK(estimate_stage_memory(job, 0).parameters == exactly(real(job.parameters.total)));
  }

  // With a frozen base, inputs are kept only where an adapter reads them.
  TEST_CASE("LoRA keeps what its adapters read") {
    Job job = make_job(llama_3_1_8b());
    const double full = per_layer(job);
    job.training.kind = TrainingKind::lora;
    settle(job);
    CHECK(per_layer(job) == exactly(full));
    job.training.lora.targets = lora_target::attention;
    settle(job);
    // Neither the MLP's input nor the product before its last matrix.
    CHECK(full - per_layer(job) == exactly(2.0 * (4096 + 14336) / 4096));
    job.training.lora.targets = lora_target::o;
    settle(job);
    CHECK(full - per_layer(job) == exactly(2.0 * (4096 + 4096 + 14336) / 4096));
  }

  // Adapters that cast their input keep a copy each: q, k, v share one that is not kept itself
  // then, and so do gate and up. A dropped input has a mask of a byte besides.
  TEST_CASE("copied and dropped inputs of adapters") {
    Job job = make_job(llama_3_1_8b());
    job.training.kind = TrainingKind::lora;
    settle(job);
    const double same = per_layer(job);
    job.stack.adapter_copies_input = true;
    // The output projection reads the attention's output, which is kept anyway.
    const double copies = 2.0 * (2 * 4096 + 4096 + 4096) / 4096;
    CHECK(per_layer(job) - same == exactly(copies));
    job.layout = tensor_parallel(4, true);
    settle(job);
    const double split = per_layer(job);
    job.stack.adapter_copies_input = false;
    CHECK(split - per_layer(job) == exactly(copies / 4));
    job.layout = {};
    settle(job);
    job.stack.adapter_dropout = true;
    const double masks = (3 * 4096 + 4096 + 2 * 4096 + 14336) / 4096.0;
    CHECK(per_layer(job) - same == exactly(copies + masks));
    job.stack.fused_qkv = true;
    // One adapter instead of three; the product's queries and keys stay behind its values.
    const double fused = 2.0 * (4096 + 1024) / 4096 - 2 * 3.0;
    CHECK(per_layer(job) - same == exactly(copies + masks + fused));
  }

  // Latent attention keeps its latents, and queries, keys and values of all heads.
  TEST_CASE("DeepSeek-V3's attention") {
    const Job job = make_job(deepseek_v3());
    const double latents = 2 * 2.0 * (1536 + 512 + 64);
    const double heads = 2 * 128.0 * (192 + 192 + 128 + 128) + 4 * 128;
    CHECK(estimate_stage_memory(job, 0).attention.value ==
          exactly(61 * job.micro_tokens() * (2 * 7168 + latents + heads)));
  }

  // Linear in the micro-batch, and in the sequence where attention is fused.
  TEST_CASE("linear in tokens") {
    Job job = make_job(llama_3_1_8b());
    const double once = estimate_stage_memory(job, 0).activations.value;
    job.training.micro_batch = job.training.global_batch = 4;
    CHECK(estimate_stage_memory(job, 0).activations.value == exactly(4 * once));
    job.training.micro_batch = job.training.global_batch = 1;
    job.training.sequence_length *= 4;
    CHECK(estimate_stage_memory(job, 0).activations.value == exactly(4 * once));
  }

  // fp32 activations are twice as wide, masks are not.
  TEST_CASE("width of values") {
    Job job = paper_job(gpt_22b());
    job.states.activation = 4;
    CHECK(per_layer(job) == exactly(2 * (34 + scores(job)) - 2));
  }

  // Offloaded checkpoints leave two on the GPU, one in use and one on its way.
  TEST_CASE("offloaded checkpoints") {
    Job job = make_job(llama_3_1_8b());
    job.training.recompute = Recompute::full;
    job.layout.offload = Offload::activations;
    const Memory memory = estimate_memory(job);
    const double checkpoint = 2 * 2048 * 4096;
    CHECK(memory.stage.checkpoints.value == exactly(2 * checkpoint));
    CHECK(memory.host.value == exactly(30 * checkpoint));
  }
}

TEST_SUITE("logits") {
  // 2 bytes in 16 bits, 4 in fp32, 4 of log-softmax, 4 of gradient: s*b*V*14 in a plain trainer.
  TEST_CASE("the plain chain") {
    Job job = make_job(llama_3_1_8b());
    job.stack.logits_bytes = 14;
    CHECK(estimate_stage_memory(job, 0).logits.value == exactly(14 * 2048.0 * 128256));
  }

  // The head is split by tensor parallelism and padded as the stack pads it.
  TEST_CASE("split and padded") {
    Job job = make_job(gpt(12, 768, 12, 50257, 1024), tensor_parallel(2, true));
    job.stack.vocab_multiple = 128;
    CHECK(estimate_stage_memory(job, 0).logits.value == exactly(4 * 2048.0 * 50432 / 2));
  }

  // A head that computes in fp32 writes fp32 logits: 16 bytes in a plain trainer.
  TEST_CASE("an fp32 head") {
    Job job = make_job(llama_3_1_8b());
    job.stack.logits_bytes = 14;
    job.states.activation = 4;
    CHECK(estimate_stage_memory(job, 0).logits.value == exactly(16 * 2048.0 * 128256));
  }

  // A fused loss needs a fraction; recomputing layers doesn't lower the logits.
  TEST_CASE("fused loss and recomputation") {
    Job job = make_job(llama_3_1_8b());
    job.stack.logits_bytes = 14;
    job.stack.fused_logits_bytes = 1;
    const double plain = estimate_stage_memory(job, 0).logits.value;
    job.training.recompute = Recompute::full;
    CHECK(estimate_stage_memory(job, 0).logits.value == plain);
    job.training.fused_loss = true;
    job.training.recompute = Recompute::none;
    CHECK(estimate_stage_memory(job, 0).logits.value == exactly(plain / 14));
  }

  // The logits are gone when layers are recomputed: of the two peaks the higher one counts.
  // What is cached for batches of other lengths is given back before the card is full.
  TEST_CASE("blocks cached for other lengths") {
    Job job = make_job(llama_3_1_8b());
    job.cluster.gpu.usable_memory = {1e15};
    const StageMemory plain = estimate_stage_memory(job, 0);
    job.stack.ragged_reserve = 2;
    const StageMemory ragged = estimate_stage_memory(job, 0);
    CHECK(ragged.reserved.value == exactly((plain.reserved + plain.logits * 2).value));
    job.cluster.gpu.usable_memory = plain.device + plain.logits;
    CHECK(estimate_stage_memory(job, 0).device.value ==
          exactly((plain.device + plain.logits).value));
    job.cluster.gpu.usable_memory = plain.device * 0.5;
    CHECK(estimate_stage_memory(job, 0).device.value == exactly(plain.device.value));
  }

  // Half of the layers recomputed: their inputs alone, the rest whole, and one of them live.
  TEST_CASE("a share of the layers") {
    for (const Recompute kind : {Recompute::full, Recompute::selective}) {
      Job job = paper_job(gpt_22b());
      const StageMemory none = estimate_stage_memory(job, 0);
      job.training.recompute = kind;
      const StageMemory all = estimate_stage_memory(job, 0);
      job.training.recompute_share = 0.5;
      const StageMemory half = estimate_stage_memory(job, 0);
      const auto kept = [](const StageMemory& m) {
        return (m.attention + m.mlp + m.norms + m.checkpoints).value;
      };
      CHECK(kept(half) == exactly((kept(none) + kept(all)) / 2));
      CHECK(half.checkpoints.value == exactly(all.checkpoints.value / 2));
      CHECK(half.working_set.value == exactly(all.working_set.value));
    }
  }

  TEST_CASE("either the logits or the recomputed layer") {
    Job job = make_job(llama_3_1_8b());
    job.training.recompute = Recompute::full;
    const StageMemory logits_peak = estimate_stage_memory(job, 0);
    CHECK(logits_peak.logits.value > 0);
    CHECK(logits_peak.working_set.value == 0);
    job.training.fused_loss = true;
    const StageMemory layer_peak = estimate_stage_memory(job, 0);
    CHECK(layer_peak.logits.value == 0);
    CHECK(layer_peak.working_set.value > 0);
    CHECK(layer_peak.allocated < logits_peak.allocated);
  }
}

TEST_SUITE("quantised training") {
  // Measured by DaoyuanLi2816/can-i-finetune-this (commit 053ce9e1, MIT) on an RTX 4080: the peak
  // of Qwen2.5-1.5B under QLoRA, checkpointed, by sequence length. Hugging Face raises embeddings
  // and norms to fp32, so that hidden states and logits are fp32 too: 17.2 bytes a logit and token.
  TEST_CASE("Qwen2.5-1.5B on one card") {
    Model m = dense_model(28, 1536, 12, 2, 8960, 151936);
    m.bias_qkv = m.tied_embeddings = true;
    Job job = make_job(m);
    job.training.kind = TrainingKind::qlora;
    job.training.recompute = Recompute::full;
    job.training.lora.targets = lora_target::attention;
    job.stack.logits_bytes = 14;
    job.stack.adapter_bytes = 4;
    job.stack.fp32_embeddings = true;
    OptimizerEntry eight_bit;
    eight_bit.moments = 0;
    eight_bit.fixed_state_bytes = 2;
    const double nf4_double = 0.5 + 0.0159;
    job.states = state_bytes(PrecisionEntry{}, eight_bit, job.stack, job.training, nf4_double);
    settle(job);
    const auto peak = [&](std::int64_t sequence) {
      job.training.sequence_length = sequence;
      return estimate_memory(job).stage.allocated.value;
    };
    CHECK(peak(512) / kGiB == rounded(2.794, 0.03));
    CHECK(peak(1024) / kGiB == rounded(4.041, 0.03));
    CHECK(peak(2048) / kGiB == rounded(6.530, 0.03));
    CHECK(peak(4096) / kGiB == rounded(11.507, 0.03));
    CHECK((peak(4096) - peak(2048)) / 2048 / 151936 == rounded(17.2, 0.01));
  }
}

TEST_SUITE("pipeline stages") {
  // 1F1B: stage r holds p - r micro-batches, no more than there are.
  TEST_CASE("micro-batches in flight") {
    Layout layout;
    layout.pp = 8;
    Job job = make_job(llama_3_1_70b(), layout);
    for (const std::int64_t m : {1, 4, 8, 64}) {
      job.training.global_batch = m;
      for (std::int64_t r = 0; r < 8; ++r) {
        const std::int64_t held = 8 - r < m ? 8 - r : m;
        CHECK(estimate_stage_memory(job, r).micro_batches_in_flight == real(held));
      }
    }
  }

  // Interleaved: (p(v-1) + 2(p-r) - 1) / v shares of a stage; on the first p + (p-1)/v.
  TEST_CASE("interleaved micro-batches in flight") {
    Layout layout;
    layout.pp = 4;
    for (const std::int64_t v : {2, 5, 10}) {
      layout.virtual_stages = v;
      Job job = make_job(llama_3_1_70b(), layout);
      job.training.global_batch = 64;
      CHECK(estimate_stage_memory(job, 0).micro_batches_in_flight == exactly(4 + 3.0 / real(v)));
      for (std::int64_t r = 0; r < 4; ++r) {
        CHECK(estimate_stage_memory(job, r).micro_batches_in_flight ==
              exactly(real(4 * (v - 1) + 2 * (4 - r) - 1) / real(v)));
      }
      job.training.global_batch = 2;
      CHECK(estimate_stage_memory(job, 0).micro_batches_in_flight == 2);
    }
  }

  // Every layer, the embedding and the head are on exactly one stage; a tied head needs its table
  // again where first and last differ.
  TEST_CASE("stages sum to the model") {
    for (const std::int64_t p : {1, 2, 4, 5, 6, 7, 16, 61}) {
      Layout layout;
      layout.pp = p;
      for (const Model& m : {llama_3_1_70b(), gpt_175b(), deepseek_v3(), mixtral_8x7b()}) {
        if (p > m.layers) continue;
        const Job job = make_job(m, layout);
        double sum = 0;
        for (std::int64_t r = 0; r < p; ++r) sum += estimate_stage_memory(job, r).parameters;
        const double again = m.tied_embeddings && p > 1 ? real(m.vocab * m.hidden) : 0;
        CHECK(sum == exactly(real(job.parameters.total) + again));
      }
    }
  }

  // Layers that don't divide: no stage has two more than another, the ends have the fewer.
  TEST_CASE("uneven stages") {
    Layout layout;
    layout.pp = 16;
    const Job job = make_job(dense_model(126, 16384, 128, 8, 53248, 128256), layout);
    const double layer = real(job.parameters.attention_matrix + job.parameters.dense_mlp_matrix) +
                         job.parameters.norms;
    const double table = 128256.0 * 16384;
    CHECK(estimate_stage_memory(job, 0).parameters == exactly(7 * layer + table));
    CHECK(estimate_stage_memory(job, 15).parameters == exactly(7 * layer + table + 16384));
    for (std::int64_t r = 1; r < 15; ++r) {
      CHECK(estimate_stage_memory(job, r).parameters == exactly(8 * layer));
    }
  }

  // The table and the head are padded alike, and split by tensor parallelism.
  TEST_CASE("padded vocabulary") {
    const Model m = dense_model(12, 768, 12, 12, 3072, 50257);
    Job job = make_job(m, tensor_parallel(2, true));
    const double exact = estimate_stage_memory(job, 0).parameters;
    job.stack.vocab_multiple = 128;
    CHECK(estimate_stage_memory(job, 0).parameters - exact ==
          exactly(2 * (50432 - 50258) * 768 / 2.0));
  }

  // Key and value matrices are copied where there are more ranks than KV heads.
  TEST_CASE("copied key and value matrices") {
    Model m = llama_3_1_8b();
    m.kv_heads = 2;
    const double eight = estimate_stage_memory(make_job(m, tensor_parallel(8, true)), 0).parameters;
    const double split = 32 * (2 * 4096.0 * 4096 + 3 * 4096.0 * 14336) + 2 * 4096.0 * 128256;
    const double heads = 32 * 4096 * 2 * 128.0;  // one key and one value head a layer
    CHECK(eight == exactly(split / 8 + heads + (2 * 32 + 1) * 4096));
  }

  // Mixtures that alternate with dense layers: each stage has its share of both.
  TEST_CASE("alternating mixtures") {
    Model m = mixtral_8x7b();
    m.moe.layers = 16;
    Layout layout;
    layout.pp = 2;
    const Job job = make_job(m, layout);
    const double table = 32000.0 * 4096;
    CHECK(estimate_stage_memory(job, 0).parameters - table ==
          exactly(estimate_stage_memory(job, 1).parameters - table - 4096));
  }

  // DeepSeek-V3's three dense layers are the first: the first stages have fewer experts.
  TEST_CASE("dense layers come first") {
    Layout layout;
    layout.pp = 61;
    const Job job = make_job(deepseek_v3(), layout);
    CHECK(estimate_stage_memory(job, 2).parameters < 1e9);
    CHECK(estimate_stage_memory(job, 3).parameters > 11e9);
  }

  // The headline is the fullest stage: the first by its micro-batches in flight, or the last by
  // its logits.
  TEST_CASE("the fullest stage") {
    Layout layout;
    layout.pp = 4;
    Job job = make_job(llama_3_1_8b(), layout);
    job.training.global_batch = 64;
    CHECK(estimate_memory(job).stage_index == 0);
    job.training.recompute = Recompute::full;
    job.stack.logits_bytes = 14;
    job.training.sequence_length = 8192;
    CHECK(estimate_memory(job).stage_index == 3);
  }
}

TEST_SUITE("sums of memory") {
  // Reserved is a factor over allocated; the driver's context comes on top, more with collectives.
  TEST_CASE("allocated, reserved, device") {
    Job job = make_job(llama_3_1_8b());
    job.stack.reserved_factor = 1.05;
    job.stack.context = {1e9};
    job.stack.collective = {1.5e9};
    const StageMemory one = estimate_stage_memory(job, 0);
    CHECK(one.reserved.value == exactly(1.05 * one.allocated.value));
    CHECK(one.device.value == exactly(one.reserved.value + 1e9));
    Layout layout;
    layout.dp = 2;
    Job two = make_job(llama_3_1_8b(), layout);
    two.stack = job.stack;
    CHECK(estimate_stage_memory(two, 0).device.value == exactly(1.05 * allocated(two) + 2.5e9));
  }

  // It fits exactly as long as the device's figure is within what the driver gives.
  TEST_CASE("fits") {
    Job job = make_job(llama_3_1_8b());
    const Bytes device = estimate_memory(job).stage.device;
    job.cluster.gpu.usable_memory = device;
    CHECK(estimate_memory(job).fits);
    job.cluster.gpu.usable_memory = device - Bytes{1};
    CHECK_FALSE(estimate_memory(job).fits);
  }

  // Buckets are never more than the gradients that go through them; one rank needs none.
  TEST_CASE("buckets") {
    Layout layout;
    layout.dp = 8;
    Job job = make_job(llama_3_1_8b(), layout);
    job.stack.bucket = {1e9};
    CHECK(estimate_stage_memory(job, 0).buckets.value == 1e9);
    job.training.kind = TrainingKind::lora;
    settle(job);
    CHECK(estimate_stage_memory(job, 0).buckets.value == exactly(2 * 41943040.0));
    job.layout.dp = 1;
    settle(job);
    CHECK(estimate_stage_memory(job, 0).buckets.value == 0);
  }

  // The optimizer's own copies count only as far as they exceed the activations, which are gone by
  // then; an optimizer on the host has them there.
  TEST_CASE("copies while the optimizer steps") {
    Job job = make_job(llama_3_1_8b());
    const StageMemory plain = estimate_stage_memory(job, 0);
    job.stack.step_copy_bytes = 1;
    CHECK(estimate_stage_memory(job, 0).allocated.value == plain.allocated.value);
    job.stack.step_copy_bytes = 4;
    const double gone = (plain.activations + plain.logits).value;
    CHECK(estimate_stage_memory(job, 0).allocated.value ==
          exactly(plain.allocated.value - gone + 4 * 8030261248.0));
    job.layout.offload = Offload::optimizer;
    CHECK(estimate_stage_memory(job, 0).gathered.value == 0);
    job.layout.offload = Offload::none;
    job.states.gradients = 2 + 4;  // the copy is there already
    CHECK(estimate_stage_memory(job, 0).gathered.value == 0);
  }

  // Narrow copies of the matrices lie beside their 16-bit weights, however the states are sharded;
  // layers that are gathered for each use have none.
  TEST_CASE("copies for narrow products") {
    Job job = make_job(llama_3_1_8b());
    job.states.narrow_copies = 2;
    const double layers = 32 * 218'112'000.0;
    CHECK(estimate_stage_memory(job, 0).weights.value == exactly(2 * 8030261248.0 + 2 * layers));
    job.layout.dp = 8;
    job.layout.zero = 3;
    settle(job);
    CHECK(estimate_stage_memory(job, 0).weights.value == exactly(2 * 8030261248.0 / 8));
  }

  // Autocast holds 16-bit copies of fp32 weights through the step.
  TEST_CASE("casts in flight") {
    Job job = make_job(llama_3_1_8b());
    job.states.transient = 2;
    CHECK(estimate_stage_memory(job, 0).gathered.value == exactly(2 * 8030261248.0));
  }

  // One matrix of a quantised model is unpacked at a time, the widest.
  TEST_CASE("dequantised matrices") {
    Job job = make_job(llama_3_1_8b());
    job.training.kind = TrainingKind::qlora;
    settle(job);
    CHECK(estimate_stage_memory(job, 0).gathered.value == exactly(2 * 4096.0 * 14336));
    Job moe = make_job(mixtral_8x7b());
    moe.training.kind = TrainingKind::qlora;
    settle(moe);
    CHECK(estimate_stage_memory(moe, 0).gathered.value == exactly(2 * 4096.0 * 14336));
  }

  // On disk: weights and optimizer states of everything trained, 14 bytes a parameter; 2 for the
  // weights alone; of LoRA the adapters only.
  TEST_CASE("checkpoints") {
    Layout layout;
    layout.tp = 8;
    layout.pp = 4;
    layout.dp = 2;
    layout.zero = 1;
    const Memory full = estimate_memory(make_job(llama_3_1_70b(), layout));
    CHECK(full.checkpoint.value == exactly(14 * 70553706496.0));
    CHECK(full.weights_file.value == exactly(2 * 70553706496.0));
    Job job = make_job(llama_3_1_8b());
    job.training.kind = TrainingKind::lora;
    settle(job);
    CHECK(estimate_memory(job).checkpoint.value == exactly(14 * 41943040.0));
    CHECK(estimate_memory(job).weights_file.value == exactly(2 * 41943040.0));
  }
}

}  // namespace traintally
