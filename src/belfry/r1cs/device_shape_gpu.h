#pragma once

#include <array>
#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/r1cs/coded_shape.h"
#include "belfry/r1cs/multiply_core.h"

namespace belfry::r1cs {

/// A coded shape in device memory. A value that names ranges of an arena: cheap to copy, valid as
/// long as they are.
class DeviceShape {
 public:
  /// Takes the ranges alone, for plans: touches no device. kResourceExhausted if they do not fit.
  [[nodiscard]] static Result<DeviceShape> reserve(const CodedShape& shape, gpu::Arena& arena);
  /// Takes the ranges and queues the copies; `shape` stays until the stream has passed. Throws
  /// gpu::CudaError.
  [[nodiscard]] static Result<DeviceShape> upload(const CodedShape& shape, gpu::Arena& arena,
                                                  gpu::StreamRef stream);

  [[nodiscard]] const WitnessLayout& layout() const noexcept { return layout_; }
  [[nodiscard]] const core::SystemSizes& sizes() const noexcept { return sizes_; }

  /// Words of a bitmap of all aux, each part from a fresh word on, and the first of a part: 0 is
  /// the header, 1 + i block i.
  [[nodiscard]] std::uint64_t ones_words() const noexcept { return sizes_.aux_words(); }
  [[nodiscard]] std::uint64_t ones_offset(std::uint64_t part) const noexcept {
    return part == 0 ? 0 : sizes_.header.aux_words + (part - 1) * sizes_.block.aux_words;
  }

  /// What kernels read; `which` is A or B.
  [[nodiscard]] core::MatrixPointers header_matrix(Matrix which) const noexcept {
    return pointers(header_, which);
  }
  [[nodiscard]] core::MatrixPointers block_matrix(Matrix which) const noexcept {
    return pointers(block_, which);
  }
  [[nodiscard]] core::SpreadPointers header_spread() const noexcept { return spread(header_); }
  [[nodiscard]] core::SpreadPointers block_spread() const noexcept { return spread(block_); }
  [[nodiscard]] gpu::DeviceSpan<const Fr> coefficients() const noexcept { return coefficients_; }
  [[nodiscard]] gpu::DeviceSpan<const std::uint32_t> bindings() const noexcept { return bindings_; }

 private:
  struct MatrixSpans {
    gpu::DeviceSpan<const std::uint32_t> words;
    gpu::DeviceSpan<const std::uint32_t> chunks;
    gpu::DeviceSpan<const std::uint64_t> lengths;
    gpu::DeviceSpan<const std::uint32_t> long_starts;
  };
  struct PartSpans {
    std::array<MatrixSpans, 2> matrices;
    gpu::DeviceSpan<const std::uint64_t> aux_is_bit;
    gpu::DeviceSpan<const std::uint32_t> bits_before;
  };

  [[nodiscard]] static core::MatrixPointers pointers(const PartSpans& part, Matrix which) noexcept;
  [[nodiscard]] static core::SpreadPointers spread(const PartSpans& part) noexcept {
    return {part.aux_is_bit.data(), part.bits_before.data()};
  }
  template <class Place>
  [[nodiscard]] static Result<PartSpans> place_part(const CodedPart& part, const Place& place);
  template <class Place>
  [[nodiscard]] static Result<DeviceShape> place_all(const CodedShape& shape, const Place& place);

  WitnessLayout layout_;
  core::SystemSizes sizes_{};
  PartSpans header_;
  PartSpans block_;
  gpu::DeviceSpan<const Fr> coefficients_;
  gpu::DeviceSpan<const std::uint32_t> bindings_;
};

}  // namespace belfry::r1cs
