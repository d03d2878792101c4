#pragma once

#include <array>
#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/query_masks.h"
#include "belfry/groth16/prove/query_tail.h"
#include "belfry/groth16/prove/witness_selection.h"

namespace belfry::groth16 {

/// The bit masks of the three queries for several witnesses of one shape, on the device, in the
/// form that msm::DeviceSelectedSums reads: (masks, stride) words.
///
/// Queues work and returns; throws gpu::CudaError. One stream at a time.
class DeviceQueryMasks {
 public:
  /// Takes tables and masks from `arena`; touches no memory, so it also plans.
  /// @param masks  how many witnesses a pass has at most
  [[nodiscard]] static Result<DeviceQueryMasks> take(const r1cs::Shape& shape, QuotientBasis basis,
                                                     unsigned masks, gpu::Arena& arena);

  /// Uploads the tables. Once, before the first `make_async`. Waits.
  void upload_tables(const r1cs::Shape& shape, gpu::StreamRef stream) const;

  /// Clears all masks.
  void clear_async(gpu::StreamRef stream) const;
  /// Writes the masks of witness number `index`, which were cleared.
  /// @param ones  of all aux, each part from a fresh word on (r1cs::spread_bits_async)
  void make_async(unsigned index, gpu::DeviceSpan<const std::uint64_t> ones,
                  gpu::StreamRef stream) const;

  /// (masks, stride of the query).
  [[nodiscard]] gpu::DeviceSpan<const std::uint64_t> masks(Query query) const noexcept {
    return masks_[static_cast<std::size_t>(query)];
  }

 private:
  struct Part {
    std::array<gpu::DeviceSpan<std::uint64_t>, core::kQueries> density;
    std::array<gpu::DeviceSpan<std::uint32_t>, core::kQueries> points_before;
    std::uint32_t words = 0;

    [[nodiscard]] static Result<Part> take(const r1cs::PartView& part, gpu::Arena& arena);
    void upload(const PartMaskTables& tables, gpu::StreamRef stream) const;
    [[nodiscard]] core::PartMaskView view() const noexcept;
  };

  DeviceQueryMasks(const r1cs::Shape& shape, QuotientBasis basis, unsigned count)
      : count_(count), blocks_(shape.blocks()), offsets_(shape, basis) {}
  [[nodiscard]] std::array<std::uint64_t*, core::kQueries> mask_pointers(
      unsigned index) const noexcept;

  unsigned count_;
  std::uint64_t blocks_;
  PointOffsets offsets_;
  Part header_;
  Part block_;
  std::array<gpu::DeviceSpan<std::uint64_t>, core::kQueries> masks_;  // (masks, stride)
};

/// Queues: to[i] = the value that indices[i] names (QueryTail::values): an input, or the element
/// indices[i] - inputs.size(); zero for QueryTail::kNoValue.
void gather_values_async(gpu::DeviceSpan<const Fr> inputs, gpu::DeviceSpan<const Fr> fields,
                         gpu::DeviceSpan<const std::uint32_t> indices, gpu::DeviceSpan<Fr> to,
                         gpu::StreamRef stream);

}  // namespace belfry::groth16
