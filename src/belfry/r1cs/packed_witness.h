#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/large_array.h"
#include "belfry/field/fr.h"
#include "belfry/r1cs/witness_builder.h"

namespace belfry::r1cs {

/// How many values of each kind a part of a witness has.
struct PartLayout {
  std::uint64_t inputs = 0;  ///< those of the header count ONE
  std::uint64_t bits = 0;    ///< aux of class bit
  std::uint64_t fields = 0;  ///< aux of class field

  /// Words that hold the bits.
  [[nodiscard]] constexpr std::uint64_t words() const noexcept {
    constexpr std::uint64_t kWordBits = 64;
    return (bits + kWordBits - 1) / kWordBits;
  }
  friend bool operator==(const PartLayout&, const PartLayout&) = default;
};

/// The form of a witness: a header and equal blocks. Follows from the shape (`Shape::layout`).
struct WitnessLayout {
  PartLayout header;
  PartLayout block;
  std::uint64_t blocks = 0;

  [[nodiscard]] constexpr std::uint64_t inputs() const noexcept {
    return header.inputs + blocks * block.inputs;
  }
  [[nodiscard]] constexpr std::uint64_t words() const noexcept {
    return header.words() + blocks * block.words();
  }
  [[nodiscard]] constexpr std::uint64_t fields() const noexcept {
    return header.fields + blocks * block.fields;
  }
  friend bool operator==(const WitnessLayout&, const WitnessLayout&) = default;
};

/// The values of one part: inputs, the bits in order of allocation (least significant first in each
/// word, unused bits zero), the field elements in order of allocation. Which aux is which is said
/// by the shape's class bitmap (see aux_values.h).
struct WitnessPartView {
  std::span<const Fr> inputs;
  std::span<const std::uint64_t> bits;
  std::span<const Fr> fields;
};

/// The values of all variables of one proof: 99 in 100 are bits and take one bit each.
///
/// Inputs are consecutive over the parts, ONE first: inputs().subspan(1) are the public inputs. The
/// bits of every part begin at a fresh word, so that blocks are written in parallel and read where
/// they lie. Movable; copies, which tests alone make, end the process where memory does not
/// suffice. Concurrent access to different parts is safe. 32 GiB PoRep: 16 MB of bits, 67 MB of
/// elements. Source: design.md 2.1.
class PackedWitness {
 public:
  PackedWitness() = default;
  PackedWitness(const PackedWitness& other);
  PackedWitness& operator=(const PackedWitness& other);
  PackedWitness(PackedWitness&&) noexcept = default;
  PackedWitness& operator=(PackedWitness&&) noexcept = default;
  ~PackedWitness() = default;
  /// All zero, except ONE. The elements are memory that nobody has touched: whoever writes a part
  /// first fetches its pages. kResourceExhausted if there is no room for them.
  [[nodiscard]] static Result<PackedWitness> create(const WitnessLayout& layout);

  [[nodiscard]] const WitnessLayout& layout() const noexcept { return layout_; }
  /// All inputs, ONE first.
  [[nodiscard]] std::span<const Fr> inputs() const noexcept { return inputs_; }

  /// A part as it is read; the header's inputs begin with ONE. `block` < layout().blocks.
  [[nodiscard]] WitnessPartView header() const noexcept;
  [[nodiscard]] WitnessPartView block(std::uint64_t block) const noexcept;

  /// A part as a WitnessBuilder fills it; that of the header leaves ONE out.
  [[nodiscard]] WitnessSlice header_slice() noexcept;
  [[nodiscard]] WitnessSlice block_slice(std::uint64_t block) noexcept;

  /// Bytes held.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept;

 private:
  WitnessLayout layout_;
  std::vector<Fr> inputs_;
  std::vector<std::uint64_t> bits_;
  LargeArray<Fr> fields_;
};

}  // namespace belfry::r1cs
