#pragma once

#include <cstdint>
#include <utility>

#include "belfry/field/fr.h"
#include "belfry/gadgets/boolean.h"
#include "belfry/r1cs/coefficient.h"
#include "belfry/r1cs/lane_values.h"
#include "belfry/r1cs/unknown.h"

namespace belfry::gadgets {

/// Bits of a full decomposition (the bit length of r), and bits that always fit into an element.
inline constexpr std::uint32_t kFieldBits = 255;
inline constexpr std::uint32_t kFieldCapacity = 254;

/// A variable of arbitrary value, normally an aux. A value. Source: spec gadgets.md 4.1-4.4.
template <class Cs>
class AllocatedNumber {
 public:
  using Lc = typename Cs::Lc;
  using Ref = typename Cs::Ref;
  using FieldValue = typename Cs::FieldValue;

  /// A new aux; no row.
  [[nodiscard]] static AllocatedNumber alloc(Cs& cs, const FieldValue& value) {
    return AllocatedNumber(cs.alloc_field(value), value);
  }
  /// A new input; no row.
  [[nodiscard]] static AllocatedNumber alloc_input(Cs& cs, const FieldValue& value) {
    return AllocatedNumber(cs.alloc_input(value), value);
  }

  [[nodiscard]] const Ref& ref() const noexcept { return ref_; }
  [[nodiscard]] const FieldValue& value() const noexcept { return value_; }

  /// A new input of the same value: input · 1 = this.
  AllocatedNumber inputize(Cs& cs) const {
    const AllocatedNumber input = alloc_input(cs, value_);
    cs.enforce(Lc{}.plus(input.ref_), Lc{}.plus_one(), Lc{}.plus(ref_));
    return input;
  }
  /// A new aux p: this · other = p.
  [[nodiscard]] AllocatedNumber mul(Cs& cs, const AllocatedNumber& other) const {
    const AllocatedNumber p = alloc(cs, value_ * other.value_);
    cs.enforce(Lc{}.plus(ref_), Lc{}.plus(other.ref_), Lc{}.plus(p.ref_));
    return p;
  }
  [[nodiscard]] AllocatedNumber square(Cs& cs) const {
    const AllocatedNumber s = alloc(cs, value_.square());
    cs.enforce(Lc{}.plus(ref_), Lc{}.plus(ref_), Lc{}.plus(s.ref_));
    return s;
  }
  /// A new aux 1/this: this · t = 1. Not satisfiable when this is zero.
  void assert_nonzero(Cs& cs) const {
    const AllocatedNumber t = alloc(cs, value_.inverse());
    cs.enforce(Lc{}.plus(ref_), Lc{}.plus(t.ref_), Lc{}.plus_one());
  }

  /// 255 new bits, least significant first: 0·0 = Σ 2^i·bit_i - this. Not unique: values of r and
  /// more are not excluded.
  [[nodiscard]] Booleans<Cs> to_bits_le(Cs& cs) const;
  /// The same with rows that exclude values above r - 1. Not used by mainnet circuits.
  [[nodiscard]] Booleans<Cs> to_bits_le_strict(Cs& cs) const;

 private:
  AllocatedNumber(const Ref& ref, const FieldValue& value) : ref_(ref), value_(value) {}

  [[no_unique_address]] Ref ref_;
  [[no_unique_address]] FieldValue value_;
};

/// A number that exists as a linear combination only; combining such numbers touches no constraint
/// system. Source: spec gadgets.md 4.5.
template <class Cs>
class Num {
 public:
  using Lc = typename Cs::Lc;
  using FieldValue = typename Cs::FieldValue;

  /// Zero, without terms.
  Num() = default;
  explicit Num(const AllocatedNumber<Cs>& number) : value_(number.value()) {
    lc_.plus(number.ref());
  }
  /// constant · ONE.
  [[nodiscard]] static Num constant(const Fr& constant) {
    Num out;
    out.lc_.plus_one(constant);
    if constexpr (Cs::kComputesValues) out.value_ = constant;
    return out;
  }

  [[nodiscard]] const Lc& lc() const noexcept { return lc_; }
  [[nodiscard]] const FieldValue& value() const noexcept { return value_; }

  /// this += 2^exponent · bit; exponent < 255.
  void add_bit(const Boolean<Cs>& bit, std::uint32_t exponent) {
    bit.add_to(lc_, Coefficient::power_of_two(exponent));
    if constexpr (Cs::kComputesValues) {
      r1cs::add_where(value_, bit.value(), r1cs::powers_of_two()[exponent]);
    }
  }
  /// this += factor · bit.
  void add_bit_scaled(const Boolean<Cs>& bit, const Fr& factor) {
    bit.add_to(lc_, factor);
    value_ = value_ + r1cs::to_field(bit.value()) * factor;
  }
  /// this += other.
  void add(const Num& other) {
    lc_.plus(other.lc_);
    value_ = value_ + other.value_;
  }
  /// this += factor · other.
  void add_scaled(const Num& other, const Fr& factor) {
    lc_.plus(other.lc_, factor);
    value_ = value_ + other.value_ * factor;
  }
  /// this *= factor.
  void scale(const Fr& factor) {
    lc_.scale(factor);
    value_ = value_ * factor;
  }
  /// A new aux equal to this: this · 1 = aux.
  [[nodiscard]] AllocatedNumber<Cs> allocate(Cs& cs) const {
    const auto out = AllocatedNumber<Cs>::alloc(cs, value_);
    cs.enforce(lc_, Lc{}.plus_one(), Lc{}.plus(out.ref()));
    return out;
  }

 private:
  [[no_unique_address]] Lc lc_;
  [[no_unique_address]] FieldValue value_{};
};

/// (b, a) if the condition holds, else (a, b): two new aux, two rows, also for a constant
/// condition. Source: spec gadgets.md 4.2.
template <class Cs>
[[nodiscard]] std::pair<AllocatedNumber<Cs>, AllocatedNumber<Cs>> conditionally_reverse(
    Cs& cs, const AllocatedNumber<Cs>& a, const AllocatedNumber<Cs>& b,
    const Boolean<Cs>& condition) {
  using Lc = typename Cs::Lc;
  const auto first =
      AllocatedNumber<Cs>::alloc(cs, r1cs::choose(condition.value(), b.value(), a.value()));
  cs.enforce(Lc{}.plus(a.ref()).minus(b.ref()), condition.lc(),
             Lc{}.plus(a.ref()).minus(first.ref()));
  const auto second =
      AllocatedNumber<Cs>::alloc(cs, r1cs::choose(condition.value(), a.value(), b.value()));
  cs.enforce(Lc{}.plus(b.ref()).minus(a.ref()), condition.lc(),
             Lc{}.plus(b.ref()).minus(second.ref()));
  return {first, second};
}

namespace detail {

/// Bit i of a canonical value.
[[nodiscard]] inline bool bit_of(const Fr::Limbs& canonical, std::uint32_t i) noexcept {
  return ((canonical[i / 64] >> (i % 64)) & 1) != 0;
}
[[nodiscard]] inline Fr::Limbs canonical_of(const Fr& value) noexcept {
  return value.to_canonical();
}
[[nodiscard]] constexpr r1cs::Unknown canonical_of(r1cs::Unknown) noexcept { return {}; }
[[nodiscard]] constexpr r1cs::Unknown bit_of(r1cs::Unknown, std::uint32_t) noexcept { return {}; }

}  // namespace detail

/// 255 new bits of the canonical value, least significant first, tied to no number. Source: spec
/// gadgets.md 3.8.
template <class Cs>
[[nodiscard]] Booleans<Cs> alloc_field_bits_le(Cs& cs, const typename Cs::FieldValue& value) {
  const auto canonical = detail::canonical_of(value);
  Booleans<Cs> bits;
  bits.reserve(kFieldBits + 1);
  for (std::uint32_t i = 0; i < kFieldBits; ++i) {
    bits.push_back(Boolean<Cs>::alloc(cs, detail::bit_of(canonical, i)));
  }
  return bits;
}

template <class Cs>
Booleans<Cs> AllocatedNumber<Cs>::to_bits_le(Cs& cs) const {
  Booleans<Cs> bits = alloc_field_bits_le(cs, value_);
  Lc sum;
  for (std::uint32_t i = 0; i < kFieldBits; ++i) bits[i].add_to(sum, Coefficient::power_of_two(i));
  cs.enforce(Lc{}, Lc{}, sum.minus(ref_));
  return bits;
}

template <class Cs>
Booleans<Cs> AllocatedNumber<Cs>::to_bits_le_strict(Cs& cs) const {
  using Bit = AllocatedBit<Cs>;
  const Fr::Limbs largest = (-Fr::one()).to_canonical();
  const auto canonical = detail::canonical_of(value_);
  Booleans<Cs> bits(kFieldBits);
  // `last` says that all bits so far equal those of r - 1 at the runs of ones seen; the top bit of
  // r - 1 is one, so it exists before the first zero.
  std::vector<Bit> run;
  std::vector<Bit> last;
  for (std::uint32_t i = kFieldBits; i-- > 0;) {
    const auto value = detail::bit_of(canonical, i);
    if (detail::bit_of(largest, i)) {
      run.push_back(Bit::alloc(cs, value));
      bits[i] = Boolean<Cs>::is(run.back());
      continue;
    }
    if (!run.empty()) {
      run.insert(run.end(), last.begin(), last.end());
      Bit all = run.front();
      for (std::size_t j = 1; j < run.size(); ++j) all = Bit::and_of(cs, all, run[j]);
      last.assign(1, all);
      run.clear();
    }
    bits[i] = Boolean<Cs>::is(Bit::alloc_conditionally(cs, value, last.front()));
  }
  Lc sum;
  for (std::uint32_t i = 0; i < kFieldBits; ++i) bits[i].add_to(sum, Coefficient::power_of_two(i));
  cs.enforce(Lc{}, Lc{}, sum.minus(ref_));
  return bits;
}

}  // namespace belfry::gadgets
