#pragma once

#include <optional>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/device_clock_gpu.h"
#include "belfry/groth16/prove/prover_options.h"
#include "belfry/groth16/prove/query_tail.h"
#include "belfry/groth16/prove/tiled_sums_gpu.h"
#include "belfry/ntt/tree_gpu.h"
#include "belfry/r1cs/device_shape_gpu.h"
#include "belfry/r1cs/multiply_gpu.h"

namespace belfry::groth16 {

/// From a witness on the device to the scalars of the H points: coefficients of the quotient, or
/// its values on the domain as DeviceTree::domain_quotient_async leaves them.
///
/// In the lean rooms D(a) and D(b) are transformed alone and in place, and rows of A·w that were
/// overwritten are computed again: h = D(a)∘b + D(b)∘a.
///
/// Queues work and returns; throws gpu::CudaError. One stream at a time.
class DeviceQuotient {
 public:
  /// Takes the result, which the caller keeps while it is read.
  [[nodiscard]] Result<void> take_result(std::uint64_t rows, QuotientBasis basis, QuotientRoom room,
                                         gpu::Arena& arena);
  /// Takes the other arrays, which the caller gives back with a scope; pins host memory to run.
  [[nodiscard]] Result<void> take_rest(gpu::Arena& arena, ArenaUse use);

  /// Pinned host bytes that a run takes.
  [[nodiscard]] static std::uint64_t host_bytes(std::uint64_t rows, QuotientRoom room) noexcept {
    return room == QuotientRoom::kSpilled ? rows * sizeof(Fr) : 0;
  }

  /// (rows) what H is multiplied by; in the basis of coefficients the last one is zero.
  [[nodiscard]] gpu::DeviceSpan<Fr> result() const noexcept { return result_; }

  /// Marks "rows" and "quotient" on the clock; in the lean rooms rows count with the quotient.
  [[nodiscard]] Result<void> run_async(const r1cs::DeviceShape& shape, const ntt::DeviceTree& tree,
                                       const r1cs::DeviceWitness& witness, DeviceClock& clock,
                                       gpu::StreamRef stream);

 private:
  [[nodiscard]] Result<void> run_roomy(const r1cs::DeviceShape& shape, const ntt::DeviceTree& tree,
                                       const r1cs::DeviceWitness& witness, DeviceClock& clock,
                                       gpu::StreamRef stream) const;
  [[nodiscard]] Result<void> run_lean(const r1cs::DeviceShape& shape, const ntt::DeviceTree& tree,
                                      const r1cs::DeviceWitness& witness, gpu::StreamRef stream);

  QuotientBasis basis_ = QuotientBasis::kCoefficients;
  QuotientRoom room_ = QuotientRoom::kRoomy;
  gpu::DeviceSpan<Fr> result_;
  gpu::DeviceSpan<Fr> a_;  // roomy: A·w; in the basis of coefficients the result's place
  gpu::DeviceSpan<Fr> b_;  // B·w
  gpu::DeviceSpan<Fr> c_;  // a∘b, or scratch; compact: A·w once more; none if spilled
  std::optional<gpu::PinnedBuffer<Fr>> spill_;
};

}  // namespace belfry::groth16
