#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/assert.h"
#include "belfry/r1cs/coefficient.h"
#include "belfry/r1cs/lane_values.h"
#include "belfry/r1cs/unknown.h"

namespace belfry::gadgets {

using r1cs::Coefficient;

/// A bit variable: an aux known to be 0 or 1. Each operation allocates one bit and emits one row,
/// in the operand order of spec gadgets.md 3.1. A value.
template <class Cs>
struct AllocatedBit {
  using Lc = typename Cs::Lc;
  using BitValue = typename Cs::BitValue;

  [[no_unique_address]] typename Cs::Ref ref;
  [[no_unique_address]] BitValue value;

  /// A new bit: (1 - c)·c = 0.
  [[nodiscard]] static AllocatedBit alloc(Cs& cs, BitValue value) {
    const AllocatedBit c{cs.alloc_bit(value), value};
    cs.enforce(Lc{}.plus_one().minus(c.ref), Lc{}.plus(c.ref), Lc{});
    return c;
  }
  /// A new bit that must be 0 where `forbidden` is 1: (1 - f - c)·c = 0.
  [[nodiscard]] static AllocatedBit alloc_conditionally(Cs& cs, BitValue value,
                                                        const AllocatedBit& forbidden) {
    const AllocatedBit c{cs.alloc_bit(value), value};
    cs.enforce(Lc{}.plus_one().minus(forbidden.ref).minus(c.ref), Lc{}.plus(c.ref), Lc{});
    return c;
  }
  /// a ⊕ b: 2a·b = a + b - c.
  [[nodiscard]] static AllocatedBit xor_of(Cs& cs, const AllocatedBit& a, const AllocatedBit& b) {
    const BitValue value = r1cs::bit_xor(a.value, b.value);
    const AllocatedBit c{cs.alloc_bit(value), value};
    cs.enforce(Lc{}.plus(a.ref, Coefficient::power_of_two(1)), Lc{}.plus(b.ref),
               Lc{}.plus(a.ref).plus(b.ref).minus(c.ref));
    return c;
  }
  /// a ∧ b: a·b = c.
  [[nodiscard]] static AllocatedBit and_of(Cs& cs, const AllocatedBit& a, const AllocatedBit& b) {
    const BitValue value = r1cs::bit_and(a.value, b.value);
    const AllocatedBit c{cs.alloc_bit(value), value};
    cs.enforce(Lc{}.plus(a.ref), Lc{}.plus(b.ref), Lc{}.plus(c.ref));
    return c;
  }
  /// a ∧ ¬b: a·(1 - b) = c.
  [[nodiscard]] static AllocatedBit and_not_of(Cs& cs, const AllocatedBit& a,
                                               const AllocatedBit& b) {
    const BitValue value = r1cs::bit_and(a.value, !b.value);
    const AllocatedBit c{cs.alloc_bit(value), value};
    cs.enforce(Lc{}.plus(a.ref), Lc{}.plus_one().minus(b.ref), Lc{}.plus(c.ref));
    return c;
  }
  /// ¬a ∧ ¬b: (1 - a)·(1 - b) = c.
  [[nodiscard]] static AllocatedBit nor_of(Cs& cs, const AllocatedBit& a, const AllocatedBit& b) {
    const BitValue value = r1cs::bit_and(!a.value, !b.value);
    const AllocatedBit c{cs.alloc_bit(value), value};
    cs.enforce(Lc{}.plus_one().minus(a.ref), Lc{}.plus_one().minus(b.ref), Lc{}.plus(c.ref));
    return c;
  }
};

/// A bit of a circuit: a constant, an allocated bit, or the negation of one. Wrapping and negating
/// emit nothing. Which case a Boolean is depends on the circuit alone, never on values. A value.
/// Source: spec gadgets.md 3.2-3.7.
template <class Cs>
class Boolean {
 public:
  using Lc = typename Cs::Lc;
  using BitValue = typename Cs::BitValue;
  using Bit = AllocatedBit<Cs>;

  enum class Kind : std::uint8_t { kFalse, kTrue, kIs, kNot };

  /// Constant false.
  Boolean() : Boolean(Kind::kFalse, constant_bit(false)) {}
  [[nodiscard]] static Boolean constant(bool value) {
    return Boolean(value ? Kind::kTrue : Kind::kFalse, constant_bit(value));
  }
  [[nodiscard]] static Boolean is(const Bit& bit) { return Boolean(Kind::kIs, bit); }
  [[nodiscard]] static Boolean is_not(const Bit& bit) { return Boolean(Kind::kNot, bit); }
  /// A freshly allocated bit.
  [[nodiscard]] static Boolean alloc(Cs& cs, BitValue value) { return is(Bit::alloc(cs, value)); }

  [[nodiscard]] Kind kind() const noexcept { return kind_; }
  [[nodiscard]] bool is_constant() const noexcept { return kind_ <= Kind::kTrue; }
  [[nodiscard]] bool is_constant(bool value) const noexcept {
    return kind_ == (value ? Kind::kTrue : Kind::kFalse);
  }
  /// The allocated bit behind kIs and kNot.
  [[nodiscard]] const Bit& bit() const noexcept { return bit_; }
  /// The value of this Boolean (not of the bit behind a negation).
  [[nodiscard]] BitValue value() const noexcept {
    return kind_ == Kind::kNot ? !bit_.value : bit_.value;
  }

  [[nodiscard]] Boolean operator!() const {
    switch (kind_) {
      case Kind::kFalse:
        return constant(true);
      case Kind::kTrue:
        return constant(false);
      case Kind::kIs:
        return is_not(bit_);
      case Kind::kNot:
        return is(bit_);
    }
    return *this;
  }

  /// lc += k · this.
  void add_to(Lc& lc, const Coefficient& k = Coefficient::one()) const {
    if (kind_ == Kind::kFalse) return;
    if (kind_ != Kind::kIs) lc.plus_one(k);
    if (kind_ == Kind::kIs) lc.plus(bit_.ref, k);
    if (kind_ == Kind::kNot) lc.plus(bit_.ref, -k);
  }
  /// k · this as a linear combination.
  [[nodiscard]] Lc lc(const Coefficient& k = Coefficient::one()) const {
    Lc out;
    add_to(out, k);
    return out;
  }

  [[nodiscard]] static Boolean xor_of(Cs& cs, const Boolean& a, const Boolean& b);
  [[nodiscard]] static Boolean and_of(Cs& cs, const Boolean& a, const Boolean& b);
  /// At most one row, 0·0 = a - b. Two different constants are a mistake of the circuit (asserted).
  static void enforce_equal(Cs& cs, const Boolean& a, const Boolean& b);
  /// (a ∧ b) ⊕ (¬a ∧ c).
  [[nodiscard]] static Boolean ch_of(Cs& cs, const Boolean& a, const Boolean& b, const Boolean& c);
  /// (a ∧ b) ⊕ (a ∧ c) ⊕ (b ∧ c).
  [[nodiscard]] static Boolean maj_of(Cs& cs, const Boolean& a, const Boolean& b, const Boolean& c);

 private:
  Boolean(Kind kind, const Bit& bit) : kind_(kind), bit_(bit) {}

  /// What stands in bit_ for a constant: its value, and a variable that is never read.
  [[nodiscard]] static Bit constant_bit(bool value) {
    if constexpr (Cs::kComputesValues) {
      return Bit{{}, value};
    } else {
      return Bit{Cs::Ref::one(), {}};
    }
  }
  [[nodiscard]] static Boolean general_ch(Cs& cs, const Boolean& a, const Boolean& b,
                                          const Boolean& c);
  [[nodiscard]] static Boolean general_maj(Cs& cs, const Boolean& a, const Boolean& b,
                                           const Boolean& c);

  Kind kind_;
  [[no_unique_address]] Bit bit_;
};

template <class Cs>
using Booleans = std::vector<Boolean<Cs>>;

template <class Cs>
Boolean<Cs> Boolean<Cs>::xor_of(Cs& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant(false)) return b;
  if (b.is_constant(false)) return a;
  if (a.is_constant(true)) return !b;
  if (b.is_constant(true)) return !a;
  if (a.kind_ == b.kind_) return is(Bit::xor_of(cs, a.bit_, b.bit_));
  // The operand that is no negation comes first.
  const bool swap = a.kind_ == Kind::kNot;
  return is_not(Bit::xor_of(cs, swap ? b.bit_ : a.bit_, swap ? a.bit_ : b.bit_));
}

template <class Cs>
Boolean<Cs> Boolean<Cs>::and_of(Cs& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant(false) || b.is_constant(false)) return constant(false);
  if (a.is_constant(true)) return b;
  if (b.is_constant(true)) return a;
  if (a.kind_ == Kind::kIs && b.kind_ == Kind::kIs) return is(Bit::and_of(cs, a.bit_, b.bit_));
  if (a.kind_ == Kind::kNot && b.kind_ == Kind::kNot) return is(Bit::nor_of(cs, a.bit_, b.bit_));
  const bool swap = a.kind_ == Kind::kNot;
  return is(Bit::and_not_of(cs, swap ? b.bit_ : a.bit_, swap ? a.bit_ : b.bit_));
}

template <class Cs>
void Boolean<Cs>::enforce_equal(Cs& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant() && b.is_constant()) {
    BELFRY_ASSERT(a.kind_ == b.kind_, "a circuit asks two different constants to be equal");
    return;
  }
  if (a.is_constant(true))
    return cs.enforce(Lc{}, Lc{}, Lc{}.plus_one().plus(b.lc(), Coefficient::minus_one()));
  if (b.is_constant(true))
    return cs.enforce(Lc{}, Lc{}, Lc{}.plus_one().plus(a.lc(), Coefficient::minus_one()));
  if (a.is_constant(false)) return cs.enforce(Lc{}, Lc{}, b.lc());
  if (b.is_constant(false)) return cs.enforce(Lc{}, Lc{}, a.lc());
  cs.enforce(Lc{}, Lc{}, a.lc().plus(b.lc(), Coefficient::minus_one()));
}

template <class Cs>
Boolean<Cs> Boolean<Cs>::ch_of(Cs& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  // The order of the cases decides which rows exist (spec gadgets.md 3.6). Three constants fall
  // into the first two rows or fold to a constant in and_of.
  if (a.is_constant() && b.is_constant() && c.is_constant()) return a.is_constant(true) ? b : c;
  if (a.is_constant(false)) return c;
  if (b.is_constant(false)) return and_of(cs, !a, c);
  if (c.is_constant(false)) return and_of(cs, a, b);
  if (c.is_constant(true)) return !and_of(cs, a, !b);
  if (b.is_constant(true)) return !and_of(cs, !a, !c);
  return general_ch(cs, a, b, c);
}

template <class Cs>
Boolean<Cs> Boolean<Cs>::general_ch(Cs& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  BitValue value{};
  if constexpr (Cs::kComputesValues) value = a.value() ? b.value() : c.value();
  const Bit ch{cs.alloc_bit(value), value};
  cs.enforce(b.lc().plus(c.lc(), Coefficient::minus_one()), a.lc(),
             Lc{}.plus(ch.ref).plus(c.lc(), Coefficient::minus_one()));
  return is(ch);
}

template <class Cs>
Boolean<Cs> Boolean<Cs>::maj_of(Cs& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  if (a.is_constant() && b.is_constant() && c.is_constant()) {
    return a.kind_ == b.kind_ ? a : c;
  }
  if (a.is_constant(false)) return and_of(cs, b, c);
  if (b.is_constant(false)) return and_of(cs, a, c);
  if (c.is_constant(false)) return and_of(cs, a, b);
  if (c.is_constant(true)) return !and_of(cs, !a, !b);
  if (b.is_constant(true)) return !and_of(cs, !a, !c);
  if (a.is_constant(true)) return !and_of(cs, !b, !c);
  return general_maj(cs, a, b, c);
}

template <class Cs>
Boolean<Cs> Boolean<Cs>::general_maj(Cs& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  BitValue value{};
  if constexpr (Cs::kComputesValues) value = a.value() == b.value() ? a.value() : c.value();
  // The result is allocated before the product that it needs.
  const Bit maj{cs.alloc_bit(value), value};
  const Boolean bc = and_of(cs, b, c);
  cs.enforce(bc.lc(Coefficient::power_of_two(1))
                 .plus(b.lc(), Coefficient::minus_one())
                 .plus(c.lc(), Coefficient::minus_one()),
             a.lc(), bc.lc().minus(maj.ref));
  return is(maj);
}

}  // namespace belfry::gadgets
