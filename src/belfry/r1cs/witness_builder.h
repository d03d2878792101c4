#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/r1cs/linear_combination.h"
#include "belfry/r1cs/unknown.h"
#include "belfry/r1cs/variable.h"

namespace belfry::r1cs {

/// Where one part (the header or a block) of a packed witness is to be written. `bits` has whole
/// words, of which `bit_count` bits are used, least significant first.
struct WitnessSlice {
  std::span<Fr> inputs;
  std::span<std::uint64_t> bits;
  std::uint64_t bit_count = 0;
  std::span<Fr> fields;
};

/// The interpreter that computes values: bits go to a packed bit string, field elements and inputs
/// to arrays; constraints and linear combinations vanish at compile time.
///
/// Writes one part in place, so that the blocks of a witness can be filled in parallel, each by a
/// builder of its own. ONE is an input of the header and is written by `PackedWitness`, not by the
/// circuit. A circuit that does not fit the slice writes nothing outside of it and `finish` fails.
/// Not thread-safe. Source: spec gadgets.md 2, design.md 2.1.
class WitnessBuilder {
 public:
  static constexpr bool kComputesValues = true;
  using Ref = NoVariable;
  using Lc = NoLinearCombination;
  using FieldValue = Fr;
  using BitValue = bool;

  explicit WitnessBuilder(WitnessSlice slice) noexcept : slice_(slice) {}
  WitnessBuilder(const WitnessBuilder&) = delete;
  WitnessBuilder& operator=(const WitnessBuilder&) = delete;
  ~WitnessBuilder() = default;

  /// A value that comes from outside the circuit.
  template <class Function>
  [[nodiscard]] static auto given(Function&& function) {
    return function();
  }

  NoVariable alloc_bit(bool value) {
    append_bits(value ? 1 : 0, 1);
    return {};
  }
  NoVariable alloc_field(const Fr& value) {
    if (field_ < slice_.fields.size()) slice_.fields[field_] = value;
    ++field_;
    return {};
  }
  NoVariable alloc_input(const Fr& value) {
    if (input_ < slice_.inputs.size()) slice_.inputs[input_] = value;
    ++input_;
    return {};
  }
  static constexpr void enforce(const NoLinearCombination&, const NoLinearCombination&,
                                const NoLinearCombination&) noexcept {}
  static constexpr void step(std::string_view) noexcept {}

  /// Allocates `count` <= 64 bits at once, the lowest bit of `values` first; higher bits of
  /// `values` must be zero.
  void append_bits(std::uint64_t values, unsigned count) {
    pending_ |= values << used_;
    const unsigned filled = used_ + count;
    if (filled < kWordBits) {
      used_ = filled;
      return;
    }
    flush();
    used_ = filled - kWordBits;
    // A shift by 64 is not defined: nothing is left over exactly when the old word was empty or the
    // bits ended with it.
    pending_ = used_ == 0 ? 0 : values >> (count - used_);
  }
  /// Allocates the bits of `values` that `mask` names, ascending.
  void append_masked(std::uint64_t values, std::uint64_t mask);

  /// Writes what is pending. kInvalidInput if the circuit made other counts than the slice has.
  [[nodiscard]] Result<void> finish();

 private:
  static constexpr unsigned kWordBits = 64;

  void flush() {
    if (word_ < slice_.bits.size()) slice_.bits[word_] = pending_;
    ++word_;
  }

  WitnessSlice slice_;
  std::uint64_t pending_ = 0;
  unsigned used_ = 0;
  std::uint64_t word_ = 0;
  std::uint64_t field_ = 0;
  std::uint64_t input_ = 0;
};

}  // namespace belfry::r1cs
