#include <traintally/resolve.hpp>

namespace traintally {

StateBytes state_bytes(const PrecisionEntry& precision, const OptimizerEntry& optimizer,
                       const StackHabits& stack, const Training& training, double quantized) {
  StateBytes bytes;
  bytes.activation = precision.activation_bytes;
  bytes.weights = precision.weight_bytes;
  bytes.gradients = precision.gradient_bytes > 0 ? precision.gradient_bytes : stack.gradient_bytes;
  if (precision.gradient_bytes <= 0 && precision.matmul != MatmulKind::fp16) {
    bytes.gradients += stack.bf16_gradient_extra_bytes;
  }
  bytes.narrower_input = precision.narrower_input_bytes;
  if (precision.narrower_input_bytes > 0 && !training.adapters()) {
    bytes.narrow_copies = stack.narrow_copies * precision.frozen_bytes;
  }
  bytes.master = optimizer.keeps_master ? precision.master_bytes : 0;
  double moment_bytes = precision.moment_bytes;
  bytes.transient = precision.transient_bytes;
  if (precision.mixed && stack.fp32_weights) {
    // The fp32 weights are the master copy; a 16-bit copy is made of the layers in use.
    bytes.transient = precision.weight_bytes;
    bytes.weights = bytes.master > 0 ? bytes.master : 4;
    bytes.master = 0;
  }
  if (training.adapters()) {
    bytes.frozen_weights = quantized > 0 ? quantized : precision.frozen_bytes;
    bytes.frozen_embeddings = precision.weight_bytes;
    if (quantized > 0 && stack.fp32_embeddings &&
        training.lora.quantization != Quantization::gptq) {
      // Raised to fp32, embeddings and norms make the hidden states fp32 from layer to layer, and
      // 4-bit products answer in the width of their input; int8 products answer in fp16.
      bytes.frozen_embeddings = 4;
      if (training.lora.quantization != Quantization::int8) bytes.activation = 4;
    }
    bytes.weights = stack.adapter_bytes;
    bytes.transient = 0;
    if (stack.adapter_bytes >= 4) {  // trained in fp32: they are their own master copy
      bytes.gradients = 4;
      bytes.master = 0;
      moment_bytes = 4;
    }
  }
  bytes.moments = optimizer.moments * moment_bytes + optimizer.fixed_state_bytes;
  return bytes;
}

}  // namespace traintally
