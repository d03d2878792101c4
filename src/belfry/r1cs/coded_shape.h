#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/r1cs/multiply_core.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// One matrix of a part as devices read it (multiply_core.h).
struct CodedMatrix {
  std::vector<std::uint32_t> words;
  std::vector<std::uint32_t> chunks;
  std::vector<std::uint64_t> lengths;
  std::vector<std::uint32_t> long_starts;

  [[nodiscard]] core::MatrixPointers pointers() const noexcept {
    return {words.data(), chunks.data(), lengths.data(), long_starts.data()};
  }
};

/// A header or a block as devices read it.
struct CodedPart {
  core::PartSizes sizes{};
  std::array<CodedMatrix, 2> matrices;     ///< A, B
  std::vector<std::uint64_t> aux_is_bit;   ///< class bitmap
  std::vector<std::uint32_t> bits_before;  ///< aux of class bit before each word of it

  [[nodiscard]] core::SpreadPointers spread() const noexcept {
    return {aux_is_bit.data(), bits_before.data()};
  }
};

/// A shape in the form that products on the device read: matrices A and B, their terms complete in
/// themselves and their columns renumbered so that a witness is read as it is packed. In host
/// memory; immutable; thread-safe.
///
/// 32 GiB PoRep: 125 MB, about 0.2 s to make. Source: layout of multiply_core.h.
class CodedShape {
 public:
  /// kInvalidInput if a part has 2^31 words of terms or more in one matrix, or the system 2^32
  /// rows.
  [[nodiscard]] static Result<CodedShape> create(const Shape& shape);

  [[nodiscard]] const CodedPart& header() const noexcept { return header_; }
  [[nodiscard]] const CodedPart& block() const noexcept { return block_; }
  [[nodiscard]] const WitnessLayout& layout() const noexcept { return layout_; }
  /// Values of the codes 0 to 254, then those of the dictionary.
  [[nodiscard]] std::span<const Fr> coefficients() const noexcept { return coefficients_; }
  /// As Shape::bindings for all blocks, as columns of the coded header.
  [[nodiscard]] std::span<const std::uint32_t> bindings() const noexcept { return bindings_; }
  [[nodiscard]] const core::SystemSizes& sizes() const noexcept { return sizes_; }

 private:
  CodedPart header_;
  CodedPart block_;
  WitnessLayout layout_;
  std::vector<Fr> coefficients_;
  std::vector<std::uint32_t> bindings_;
  core::SystemSizes sizes_{};
};

}  // namespace belfry::r1cs
