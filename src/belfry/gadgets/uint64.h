#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "belfry/gadgets/bits.h"
#include "belfry/gadgets/pack.h"

namespace belfry::gadgets {

/// A 64-bit integer of a circuit: 64 Booleans, least significant first. Source: spec
/// gadgets.md 6.3.
template <class Cs>
class Uint64 {
 public:
  static constexpr std::size_t kBits = 64;

  [[nodiscard]] static Uint64 constant(std::uint64_t value) {
    Booleans<Cs> bits;
    for (std::size_t i = 0; i < kBits; ++i) {
      bits.push_back(Boolean<Cs>::constant(((value >> i) & 1) != 0));
    }
    return Uint64(std::move(bits));
  }
  /// 64 new bits, least significant first. `value` is a std::uint64_t, or r1cs::Unknown.
  template <class Value>
  [[nodiscard]] static Uint64 alloc(Cs& cs, const Value& value) {
    return Uint64(alloc_u64_bits_le(cs, value));
  }
  /// The first bit is the least significant one.
  [[nodiscard]] static Uint64 from_bits_le(std::span<const Boolean<Cs>, kBits> bits) {
    return Uint64(Booleans<Cs>(bits.begin(), bits.end()));
  }

  [[nodiscard]] const Booleans<Cs>& bits_le() const noexcept { return bits_; }
  [[nodiscard]] Booleans<Cs> bits_be() const { return Booleans<Cs>(bits_.rbegin(), bits_.rend()); }
  /// One new input of the same value.
  void pack_into_input(Cs& cs) const { pack_into_inputs(cs, bits_); }

 private:
  explicit Uint64(Booleans<Cs> bits) : bits_(std::move(bits)) {}

  Booleans<Cs> bits_;
};

}  // namespace belfry::gadgets
