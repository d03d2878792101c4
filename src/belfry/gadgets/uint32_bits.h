#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>

#include "belfry/base/assert.h"
#include "belfry/gadgets/multi_eq.h"

namespace belfry::gadgets {

/// Bits that hold a sum of `operands` 32-bit integers.
[[nodiscard]] constexpr std::uint32_t sum_bits(std::size_t operands) noexcept {
  return static_cast<std::uint32_t>(std::bit_width(std::uint64_t{operands} * ~std::uint32_t{0}));
}
/// Operands of one addition: at least two, at most this many.
inline constexpr std::size_t kMaxOperands = 10;

/// Uint32 as a list of Booleans: the definition, bit by bit, for either interpreter. See Uint32.
template <class Cs>
class Uint32Bits {
 public:
  using Bool = Boolean<Cs>;
  static constexpr std::size_t kBits = 32;

  /// Constant zero.
  Uint32Bits() = default;
  [[nodiscard]] static Uint32Bits constant(std::uint32_t value) {
    Uint32Bits out;
    for (std::size_t i = 0; i < kBits; ++i) out.bits_[i] = Bool::constant(((value >> i) & 1) != 0);
    return out;
  }
  /// 32 new bits, least significant first. `value` is a std::uint32_t, or r1cs::Unknown.
  template <class Value>
  [[nodiscard]] static Uint32Bits alloc(Cs& cs, const Value& value) {
    Uint32Bits out;
    for (std::size_t i = 0; i < kBits; ++i) {
      typename Cs::BitValue bit{};
      if constexpr (Cs::kComputesValues) bit = ((value >> i) & 1) != 0;
      out.bits_[i] = Bool::alloc(cs, bit);
    }
    return out;
  }
  /// The first bit is the most significant one.
  [[nodiscard]] static Uint32Bits from_bits_be(std::span<const Bool, kBits> bits) {
    Uint32Bits out;
    std::reverse_copy(bits.begin(), bits.end(), out.bits_.begin());
    return out;
  }
  void append_bits_be(Booleans<Cs>& out) const {
    out.insert(out.end(), bits_.rbegin(), bits_.rend());
  }

  [[nodiscard]] const Bool& bit(std::size_t i) const noexcept { return bits_[i]; }

  [[nodiscard]] Uint32Bits rotr(unsigned k) const {
    Uint32Bits out;
    for (std::size_t i = 0; i < kBits; ++i) out.bits_[i] = bits_[(i + k) % kBits];
    return out;
  }
  [[nodiscard]] Uint32Bits shr(unsigned k) const {
    Uint32Bits out;
    for (std::size_t i = k % kBits; i < kBits; ++i) out.bits_[i - k % kBits] = bits_[i];
    return out;
  }

  [[nodiscard]] static Uint32Bits xor_of(Cs& cs, const Uint32Bits& a, const Uint32Bits& b) {
    Uint32Bits out;
    for (std::size_t i = 0; i < kBits; ++i) out.bits_[i] = Bool::xor_of(cs, a.bits_[i], b.bits_[i]);
    return out;
  }
  [[nodiscard]] static Uint32Bits ch_of(Cs& cs, const Uint32Bits& a, const Uint32Bits& b,
                                        const Uint32Bits& c) {
    Uint32Bits out;
    for (std::size_t i = 0; i < kBits; ++i) {
      out.bits_[i] = Bool::ch_of(cs, a.bits_[i], b.bits_[i], c.bits_[i]);
    }
    return out;
  }
  [[nodiscard]] static Uint32Bits maj_of(Cs& cs, const Uint32Bits& a, const Uint32Bits& b,
                                         const Uint32Bits& c) {
    Uint32Bits out;
    for (std::size_t i = 0; i < kBits; ++i) {
      out.bits_[i] = Bool::maj_of(cs, a.bits_[i], b.bits_[i], c.bits_[i]);
    }
    return out;
  }
  [[nodiscard]] static Uint32Bits add_many(MultiEq<Cs>& multi_eq,
                                           std::span<const Uint32Bits> operands);

 private:
  [[nodiscard]] bool is_constant() const {
    return std::all_of(bits_.begin(), bits_.end(), [](const Bool& b) { return b.is_constant(); });
  }
  [[nodiscard]] std::uint32_t constant_value() const {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < kBits; ++i) {
      if (bits_[i].is_constant(true)) value |= std::uint32_t{1} << i;
    }
    return value;
  }
  /// The whole sum, where values exist.
  [[nodiscard]] static std::uint64_t sum_of(std::span<const Uint32Bits> operands) {
    std::uint64_t sum = 0;
    if constexpr (Cs::kComputesValues) {
      for (const auto& operand : operands) {
        for (std::size_t i = 0; i < kBits; ++i) sum += std::uint64_t{operand.bits_[i].value()} << i;
      }
    }
    return sum;
  }

  std::array<Bool, kBits> bits_{};
};

template <class Cs>
Uint32Bits<Cs> Uint32Bits<Cs>::add_many(MultiEq<Cs>& multi_eq,
                                        std::span<const Uint32Bits> operands) {
  using Lc = typename Cs::Lc;
  BELFRY_ASSERT(operands.size() >= 2 && operands.size() <= kMaxOperands,
                "addition of 2 to 10 words");
  if (std::all_of(operands.begin(), operands.end(),
                  [](const auto& x) { return x.is_constant(); })) {
    std::uint32_t sum = 0;
    for (const auto& operand : operands) sum += operand.constant_value();
    return constant(sum);
  }
  Lc lhs;
  for (const auto& operand : operands) {
    for (std::uint32_t i = 0; i < kBits; ++i) {
      operand.bits_[i].add_to(lhs, Coefficient::power_of_two(i));
    }
  }
  const std::uint64_t sum = sum_of(operands);
  const std::uint32_t bits = sum_bits(operands.size());
  Lc rhs;
  Uint32Bits out;
  for (std::uint32_t i = 0; i < bits; ++i) {
    typename Cs::BitValue value{};
    if constexpr (Cs::kComputesValues) value = ((sum >> i) & 1) != 0;
    const Bool bit = Bool::alloc(multi_eq.cs(), value);
    bit.add_to(rhs, Coefficient::power_of_two(i));
    if (i < kBits) out.bits_[i] = bit;
  }
  multi_eq.enforce_equal(bits, lhs, rhs);
  return out;
}

}  // namespace belfry::gadgets
