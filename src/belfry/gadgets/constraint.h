#pragma once

#include <span>

#include "belfry/gadgets/number.h"

namespace belfry::gadgets {

/// a · 1 = b. Source of this file: spec gadgets.md 13.1-13.3.
template <class Cs>
void enforce_equal(Cs& cs, const AllocatedNumber<Cs>& a, const AllocatedNumber<Cs>& b) {
  using Lc = typename Cs::Lc;
  cs.enforce(Lc{}.plus(a.ref()), Lc{}.plus_one(), Lc{}.plus(b.ref()));
}

/// (a + b) · 1 = sum.
template <class Cs>
void enforce_sum(Cs& cs, const AllocatedNumber<Cs>& a, const AllocatedNumber<Cs>& b,
                 const AllocatedNumber<Cs>& sum) {
  using Lc = typename Cs::Lc;
  cs.enforce(Lc{}.plus(a.ref()).plus(b.ref()), Lc{}.plus_one(), Lc{}.plus(sum.ref()));
}

/// (difference + b) · 1 = a.
template <class Cs>
void enforce_difference(Cs& cs, const AllocatedNumber<Cs>& a, const AllocatedNumber<Cs>& b,
                        const AllocatedNumber<Cs>& difference) {
  enforce_sum(cs, difference, b, a);
}

/// A new aux a + b.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> add(Cs& cs, const AllocatedNumber<Cs>& a,
                                      const AllocatedNumber<Cs>& b) {
  const auto sum = AllocatedNumber<Cs>::alloc(cs, a.value() + b.value());
  enforce_sum(cs, a, b, sum);
  return sum;
}

/// A new aux a - b.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> subtract(Cs& cs, const AllocatedNumber<Cs>& a,
                                           const AllocatedNumber<Cs>& b) {
  const auto difference = AllocatedNumber<Cs>::alloc(cs, a.value() - b.value());
  enforce_difference(cs, a, b, difference);
  return difference;
}

/// A replica node from its label (the key) and its data, and back.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> encode(Cs& cs, const AllocatedNumber<Cs>& key,
                                         const AllocatedNumber<Cs>& data) {
  return add(cs, key, data);
}
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> decode(Cs& cs, const AllocatedNumber<Cs>& key,
                                         const AllocatedNumber<Cs>& replica) {
  return subtract(cs, replica, key);
}

/// input_i ⊕ key_(i mod 256), the input as first operand. The key has 256 Booleans.
template <class Cs>
[[nodiscard]] Booleans<Cs> xor_with_key(Cs& cs, std::span<const Boolean<Cs>> key,
                                        std::span<const Boolean<Cs>> input) {
  constexpr std::size_t kKeyBits = 256;
  BELFRY_ASSERT(key.size() == kKeyBits, "a key has 256 bits");
  Booleans<Cs> out;
  out.reserve(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    out.push_back(Boolean<Cs>::xor_of(cs, input[i], key[i % kKeyBits]));
  }
  return out;
}

}  // namespace belfry::gadgets
