#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace belfry::reference {

/// Integers modulo a prime, one bit at a time: slow, obvious, and independent of everything in
/// src/belfry/field. `Prime::kHex` is the modulus as text.
template <class Prime>
class SlowField {
 public:
  static SlowField zero() { return {}; }
  static SlowField one() { return from_hex("1"); }
  static SlowField from_u64(std::uint64_t value) {
    SlowField out;
    out.limbs_[0] = static_cast<std::uint32_t>(value);
    out.limbs_[1] = static_cast<std::uint32_t>(value >> 32);
    return out;
  }
  /// Big-endian digits of an integer below the modulus.
  static SlowField from_hex(std::string_view digits) {
    SlowField out;
    std::size_t place = 0;
    for (std::size_t i = digits.size(); i-- > 0; ++place) {
      const char c = digits[i];
      const auto nibble = static_cast<std::uint32_t>(c <= '9' ? c - '0' : c - 'a' + 10);
      out.limbs_[place / 8] |= nibble << (4 * (place % 8));
    }
    return out;
  }
  /// Big-endian digits, as many as `count`.
  [[nodiscard]] std::string hex(std::size_t count) const {
    std::string out(count, '0');
    for (std::size_t place = 0; place < count; ++place) {
      out[count - 1 - place] = "0123456789abcdef"[(limbs_[place / 8] >> (4 * (place % 8))) & 15];
    }
    return out;
  }

  [[nodiscard]] bool is_zero() const { return limbs_ == Limbs{}; }
  friend bool operator==(const SlowField&, const SlowField&) = default;
  friend SlowField operator+(const SlowField& a, const SlowField& b) {
    SlowField out;
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      carry += std::uint64_t{a.limbs_[i]} + b.limbs_[i];
      out.limbs_[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    return out.less_than(modulus()) ? out : minus(out, modulus());
  }
  friend SlowField operator-(const SlowField& a, const SlowField& b) {
    return b.is_zero() ? a : a + minus(modulus(), b);
  }
  SlowField operator-() const { return zero() - *this; }
  /// Double and add.
  friend SlowField operator*(const SlowField& a, const SlowField& b) {
    SlowField out;
    for (std::size_t bit = 32 * kLimbs; bit-- > 0;) {
      out = out + out;
      if (b.bit(bit)) out = out + a;
    }
    return out;
  }
  /// Fermat.
  [[nodiscard]] SlowField inverse() const {
    const SlowField exponent = minus(modulus(), from_u64(2));
    SlowField out = one();
    for (std::size_t bit = 32 * kLimbs; bit-- > 0;) {
      out = out * out;
      if (exponent.bit(bit)) out = out * *this;
    }
    return out;
  }

 private:
  static constexpr std::size_t kLimbs = 13;  // 416 bits: a sum of two residues fits
  using Limbs = std::array<std::uint32_t, kLimbs>;

  static const SlowField& modulus() {
    static const SlowField kModulus = from_hex(Prime::kHex);
    return kModulus;
  }
  [[nodiscard]] bool bit(std::size_t i) const { return ((limbs_[i / 32] >> (i % 32)) & 1) != 0; }
  [[nodiscard]] bool less_than(const SlowField& b) const {
    for (std::size_t i = kLimbs; i-- > 0;) {
      if (limbs_[i] != b.limbs_[i]) return limbs_[i] < b.limbs_[i];
    }
    return false;
  }
  /// a - b as integers, a >= b.
  static SlowField minus(const SlowField& a, const SlowField& b) {
    SlowField out;
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < kLimbs; ++i) {
      const std::int64_t t = std::int64_t{a.limbs_[i]} - b.limbs_[i] + borrow;
      out.limbs_[i] = static_cast<std::uint32_t>(t);
      borrow = t < 0 ? -1 : 0;
    }
    return out;
  }

  Limbs limbs_{};
};

struct FpPrime {
  static constexpr std::string_view kHex =
      "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffff"
      "aaab";
};
struct FrPrime {
  static constexpr std::string_view kHex =
      "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001";
};
using SlowFp = SlowField<FpPrime>;
using SlowFr = SlowField<FrPrime>;

/// Fp[u]/(u² + 1), by the book.
struct SlowFp2 {
  SlowFp c0, c1;

  static SlowFp2 zero() { return {}; }
  static SlowFp2 one() { return {SlowFp::one(), SlowFp::zero()}; }
  static SlowFp2 from_u64(std::uint64_t value) { return {SlowFp::from_u64(value), {}}; }
  [[nodiscard]] bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  friend bool operator==(const SlowFp2&, const SlowFp2&) = default;
  friend SlowFp2 operator+(const SlowFp2& a, const SlowFp2& b) {
    return {a.c0 + b.c0, a.c1 + b.c1};
  }
  friend SlowFp2 operator-(const SlowFp2& a, const SlowFp2& b) {
    return {a.c0 - b.c0, a.c1 - b.c1};
  }
  SlowFp2 operator-() const { return {-c0, -c1}; }
  friend SlowFp2 operator*(const SlowFp2& a, const SlowFp2& b) {
    return {a.c0 * b.c0 - a.c1 * b.c1, a.c0 * b.c1 + a.c1 * b.c0};
  }
  [[nodiscard]] SlowFp2 inverse() const {
    const SlowFp n = (c0 * c0 + c1 * c1).inverse();
    return {c0 * n, -(c1 * n)};
  }
};

/// Fp12 as Fp2[w]/(w⁶ - (1 + u)), without the steps of the tower between.
struct SlowFp12 {
  static constexpr std::size_t kDegree = 6;
  std::array<SlowFp2, kDegree> c{};

  friend bool operator==(const SlowFp12&, const SlowFp12&) = default;
  friend SlowFp12 operator*(const SlowFp12& a, const SlowFp12& b) {
    const SlowFp2 non_residue{SlowFp::one(), SlowFp::one()};
    SlowFp12 out;
    for (std::size_t i = 0; i < kDegree; ++i) {
      for (std::size_t j = 0; j < kDegree; ++j) {
        SlowFp2 t = a.c[i] * b.c[j];
        if (i + j >= kDegree) t = t * non_residue;
        out.c[(i + j) % kDegree] = out.c[(i + j) % kDegree] + t;
      }
    }
    return out;
  }
};

}  // namespace belfry::reference
