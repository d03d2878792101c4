#pragma once

#include <bit>
#include <cstdint>
#include <span>

#include "belfry/gadgets/uint32_bits.h"

namespace belfry::gadgets {

/// Uint32 where only values are computed: a word of values, a mask of the constant bits and a mask
/// of the bits that are negations. The masks depend on the circuit alone; they decide which bits
/// are allocated, as the table rows of Boolean do. Tests hold it against Uint32Bits. See Uint32.
template <class Cs>
class Uint32Words {
 public:
  using Bool = Boolean<Cs>;
  static constexpr std::size_t kBits = 32;

  /// Constant zero.
  Uint32Words() = default;
  [[nodiscard]] static Uint32Words constant(std::uint32_t value) noexcept {
    return Uint32Words(value, kAll, 0);
  }
  /// 32 new bits, least significant first.
  [[nodiscard]] static Uint32Words alloc(Cs& cs, std::uint32_t value) {
    return allocated(cs, value, kBits);
  }
  /// The first bit is the most significant one.
  [[nodiscard]] static Uint32Words from_bits_be(std::span<const Bool, kBits> bits) noexcept {
    Uint32Words out(0, 0, 0);
    for (const Bool& bit : bits) {
      out.value_ = (out.value_ << 1) | std::uint32_t{bit.value()};
      out.constant_ = (out.constant_ << 1) | std::uint32_t{bit.is_constant()};
      out.negated_ = (out.negated_ << 1) | std::uint32_t{bit.kind() == Bool::Kind::kNot};
    }
    return out;
  }
  void append_bits_be(Booleans<Cs>& out) const {
    for (std::size_t i = kBits; i-- > 0;) out.push_back(bit(i));
  }

  [[nodiscard]] Bool bit(std::size_t i) const {
    const bool value = ((value_ >> i) & 1) != 0;
    if (((constant_ >> i) & 1) != 0) return Bool::constant(value);
    const bool negated = ((negated_ >> i) & 1) != 0;
    const AllocatedBit<Cs> behind{{}, value != negated};
    return negated ? Bool::is_not(behind) : Bool::is(behind);
  }

  [[nodiscard]] Uint32Words rotr(unsigned k) const noexcept {
    const int shift = static_cast<int>(k);
    return Uint32Words(std::rotr(value_, shift), std::rotr(constant_, shift),
                       std::rotr(negated_, shift));
  }
  [[nodiscard]] Uint32Words shr(unsigned k) const noexcept {
    const unsigned shift = k % kBits;
    return Uint32Words(value_ >> shift, (constant_ >> shift) | ~(kAll >> shift), negated_ >> shift);
  }

  [[nodiscard]] static Uint32Words xor_of(Cs& cs, const Uint32Words& a, const Uint32Words& b) {
    const std::uint32_t value = a.value_ ^ b.value_;
    const std::uint32_t constant = a.constant_ & b.constant_;
    const std::uint32_t allocated = ~(a.constant_ | b.constant_);
    // xor with constant true negates; two negations cancel.
    const std::uint32_t flips = (a.constant_ & a.value_) ^ (b.constant_ & b.value_);
    const std::uint32_t negated = (a.negated_ ^ b.negated_ ^ flips) & ~constant;
    append(cs, value ^ negated, allocated);
    return Uint32Words(value, constant, negated);
  }
  [[nodiscard]] static Uint32Words ch_of(Cs& cs, const Uint32Words& a, const Uint32Words& b,
                                         const Uint32Words& c) {
    if ((a.constant_ | b.constant_ | c.constant_) != 0) {
      return bit_by_bit(cs, a, b, c, &Bool::ch_of);
    }
    return allocated(cs, (a.value_ & b.value_) ^ (~a.value_ & c.value_), kBits);
  }
  [[nodiscard]] static Uint32Words maj_of(Cs& cs, const Uint32Words& a, const Uint32Words& b,
                                          const Uint32Words& c) {
    if ((a.constant_ | b.constant_ | c.constant_) != 0) {
      return bit_by_bit(cs, a, b, c, &Bool::maj_of);
    }
    // Each bit of the result is followed by the product of b and c at its place.
    const std::uint32_t product = b.value_ & c.value_;
    const std::uint32_t value = product | (a.value_ & (b.value_ ^ c.value_));
    cs.append_bits(spread(value) | (spread(product) << 1), 2 * kBits);
    return Uint32Words(value, 0, 0);
  }
  [[nodiscard]] static Uint32Words add_many(MultiEq<Cs>& multi_eq,
                                            std::span<const Uint32Words> operands) {
    std::uint64_t sum = 0;
    std::uint32_t all_constant = kAll;
    for (const auto& operand : operands) {
      sum += operand.value_;
      all_constant &= operand.constant_;
    }
    if (all_constant == kAll) return constant(static_cast<std::uint32_t>(sum));
    return allocated(multi_eq.cs(), sum, sum_bits(operands.size()));
  }

 private:
  static constexpr std::uint32_t kAll = ~std::uint32_t{0};

  constexpr Uint32Words(std::uint32_t value, std::uint32_t constant, std::uint32_t negated) noexcept
      : value_(value), constant_(constant), negated_(negated) {}

  /// `count` new bits; the word is the low 32 of them.
  static Uint32Words allocated(Cs& cs, std::uint64_t values, unsigned count) {
    cs.append_bits(values, count);
    return Uint32Words(static_cast<std::uint32_t>(values), 0, 0);
  }
  static void append(Cs& cs, std::uint32_t values, std::uint32_t mask) {
    if (mask == kAll) {
      cs.append_bits(values, kBits);
    } else {
      cs.append_masked(values, mask);
    }
  }
  template <class Operation>
  static Uint32Words bit_by_bit(Cs& cs, const Uint32Words& a, const Uint32Words& b,
                                const Uint32Words& c, Operation operation) {
    Uint32Words out(0, 0, 0);
    for (std::size_t i = 0; i < kBits; ++i) {
      const Bool bit = operation(cs, a.bit(i), b.bit(i), c.bit(i));
      out.value_ |= std::uint32_t{bit.value()} << i;
      out.constant_ |= std::uint32_t{bit.is_constant()} << i;
      out.negated_ |= std::uint32_t{bit.kind() == Bool::Kind::kNot} << i;
    }
    return out;
  }
  /// Bit i of the word at place 2i.
  [[nodiscard]] static constexpr std::uint64_t spread(std::uint32_t word) noexcept {
    // Halves move apart, then quarters, and so on; the masks keep every second group.
    constexpr std::uint64_t kGroups16 = 0x0000ffff0000ffff;
    constexpr std::uint64_t kGroups8 = 0x00ff00ff00ff00ff;
    constexpr std::uint64_t kGroups4 = 0x0f0f0f0f0f0f0f0f;
    constexpr std::uint64_t kGroups2 = 0x3333333333333333;
    constexpr std::uint64_t kGroups1 = 0x5555555555555555;
    std::uint64_t x = word;
    x = (x | (x << 16)) & kGroups16;
    x = (x | (x << 8)) & kGroups8;
    x = (x | (x << 4)) & kGroups4;
    x = (x | (x << 2)) & kGroups2;
    return (x | (x << 1)) & kGroups1;
  }

  std::uint32_t value_ = 0;
  std::uint32_t constant_ = kAll;
  std::uint32_t negated_ = 0;
};

}  // namespace belfry::gadgets
