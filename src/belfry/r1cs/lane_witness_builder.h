#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "belfry/base/error.h"
#include "belfry/r1cs/lane_values.h"
#include "belfry/r1cs/witness_builder.h"

namespace belfry::r1cs {

/// The interpreter that computes the values of eight equal blocks side by side, so that what costs
/// most in them (Poseidon) runs in the lanes of vector instructions. A value is that of each block.
/// Writes the same as eight `WitnessBuilder`s.
///
/// Knows the operations that lane_values.h has: enough for paths in trees. What else circuits do
/// does not compile. A circuit that does not fit the slices writes nothing outside of them and
/// `finish` fails. Not thread-safe.
class LaneWitnessBuilder {
 public:
  static constexpr bool kComputesValues = true;
  using Ref = NoVariable;
  using Lc = NoLinearCombination;
  using FieldValue = LaneFr;
  using BitValue = LaneBit;
  using Slices = std::array<WitnessSlice, kWitnessLanes>;

  /// Equal slices: those of blocks of one witness.
  explicit LaneWitnessBuilder(const Slices& slices) noexcept : slices_(slices) {}
  LaneWitnessBuilder(const LaneWitnessBuilder&) = delete;
  LaneWitnessBuilder& operator=(const LaneWitnessBuilder&) = delete;
  ~LaneWitnessBuilder() = default;

  /// A value that comes from outside the circuit.
  template <class Function>
  [[nodiscard]] static auto given(Function&& function) {
    return function();
  }

  NoVariable alloc_bit(LaneBit value);
  NoVariable alloc_field(const LaneFr& value) {
    if (field_ < slices_.front().fields.size()) {
      for (std::size_t k = 0; k < kWitnessLanes; ++k) slices_[k].fields[field_] = value.lanes[k];
    }
    ++field_;
    return {};
  }
  NoVariable alloc_input(const LaneFr& value);
  /// Allocates `count` elements at once and says where the caller has to write them, a place for
  /// each lane; nothing if they do not fit.
  [[nodiscard]] std::optional<std::array<Fr*, kWitnessLanes>> append_fields(std::uint64_t count);
  static constexpr void enforce(const NoLinearCombination&, const NoLinearCombination&,
                                const NoLinearCombination&) noexcept {}
  static constexpr void step(std::string_view) noexcept {}

  /// Writes what is pending. kInvalidInput if the circuit made other counts than the slices have.
  [[nodiscard]] Result<void> finish();

 private:
  void flush();

  Slices slices_;
  std::array<std::uint64_t, kWitnessLanes> pending_{};
  std::uint64_t bit_ = 0;
  std::uint64_t field_ = 0;
  std::uint64_t input_ = 0;
};

}  // namespace belfry::r1cs
