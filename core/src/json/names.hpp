#pragma once

#include <traintally/offer.hpp>
#include <traintally/scenario.hpp>
#include <traintally/training.hpp>

#include "reader.hpp"

namespace traintally::names {

inline constexpr Named<Method> methods[] = {{"detailed", Method::detailed},
                                            {"published", Method::published}};
inline constexpr Named<TrainingKind> kinds[] = {{"pretrain", TrainingKind::pretrain},
                                                {"full", TrainingKind::full},
                                                {"lora", TrainingKind::lora},
                                                {"qlora", TrainingKind::qlora}};
inline constexpr Named<Quantization> quantizations[] = {{"none", Quantization::none},
                                                        {"nf4", Quantization::nf4},
                                                        {"nf4-double", Quantization::nf4_double},
                                                        {"int8", Quantization::int8},
                                                        {"gptq", Quantization::gptq}};
inline constexpr Named<Recompute> recomputes[] = {
    {"none", Recompute::none}, {"selective", Recompute::selective}, {"full", Recompute::full}};
inline constexpr Named<Offload> offloads[] = {{"none", Offload::none},
                                              {"optimizer", Offload::optimizer},
                                              {"parameters", Offload::parameters},
                                              {"activations", Offload::activations}};
inline constexpr Named<BillingMode> billing_modes[] = {{"on_demand", BillingMode::on_demand},
                                                       {"daily", BillingMode::daily},
                                                       {"monthly", BillingMode::monthly},
                                                       {"annual", BillingMode::annual},
                                                       {"spot", BillingMode::spot}};
/// Groups first: a set is written with the largest names that it has.
inline constexpr Named<unsigned> lora_targets[] = {{"all-linear", lora_target::all_linear},
                                                   {"attention", lora_target::attention},
                                                   {"mlp", lora_target::mlp},
                                                   {"q_proj", lora_target::q},
                                                   {"k_proj", lora_target::k},
                                                   {"v_proj", lora_target::v},
                                                   {"o_proj", lora_target::o},
                                                   {"gate_proj", lora_target::gate},
                                                   {"up_proj", lora_target::up},
                                                   {"down_proj", lora_target::down}};
inline constexpr Named<MatmulKind> matmul_kinds[] = {
    {"fp32", MatmulKind::fp32}, {"tf32", MatmulKind::tf32}, {"fp16", MatmulKind::fp16},
    {"bf16", MatmulKind::bf16}, {"fp8", MatmulKind::fp8},   {"fp4", MatmulKind::fp4}};

}  // namespace traintally::names
