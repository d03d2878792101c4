#pragma once

#include <bit>
#include <span>
#include <tuple>
#include <vector>

#include "belfry/base/assert.h"
#include "belfry/gadgets/number.h"

namespace belfry::gadgets {

template <class Cs>
using Numbers = std::vector<AllocatedNumber<Cs>>;

/// A new aux: `yes` if the condition holds, else `no`; (no - yes)·condition = no - aux. One row,
/// also for a constant condition. Source of this file: spec gadgets.md 13.4-13.6.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> pick(Cs& cs, const Boolean<Cs>& condition,
                                       const AllocatedNumber<Cs>& yes,
                                       const AllocatedNumber<Cs>& no) {
  using Lc = typename Cs::Lc;
  const auto picked =
      AllocatedNumber<Cs>::alloc(cs, r1cs::choose(condition.value(), yes.value(), no.value()));
  cs.enforce(Lc{}.plus(no.ref()).minus(yes.ref()), condition.lc(),
             Lc{}.plus(no.ref()).minus(picked.ref()));
  return picked;
}

/// from[n] with n = Σ 2^i·bits_i; `from` has 2^|bits| elements. |from| - 1 rows.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> select(Cs& cs, std::span<const AllocatedNumber<Cs>> from,
                                         std::span<const Boolean<Cs>> bits) {
  BELFRY_ASSERT(from.size() == std::size_t{1} << bits.size(), "one element per index");
  Numbers<Cs> state(from.begin(), from.end());
  for (std::size_t i = bits.size(); i-- > 0;) {
    const std::size_t half = std::size_t{1} << i;
    for (std::size_t j = 0; j < half; ++j) state[j] = pick(cs, bits[i], state[half + j], state[j]);
    state.erase(state.begin() + static_cast<std::ptrdiff_t>(half), state.end());
  }
  return state.front();
}

namespace detail {

/// The insertions of special sizes, written as the reference emits them: a is the element, b, c,
/// ... are the others (spec gadgets.md 13.6).
template <class Cs>
class Insertion {
 public:
  using Number = AllocatedNumber<Cs>;
  using Bool = Boolean<Cs>;

  Insertion(Cs& cs, const Number& element, std::span<const Bool> bits,
            std::span<const Number> others)
      : cs_(cs), element_(element), bits_(bits), others_(others) {}

  [[nodiscard]] Numbers<Cs> two() {
    const Number& a = element_;
    const Number& b = others_[0];
    const Number o0 = choose(bits_[0], b, a);
    const Number o1 = choose(bits_[0], a, b);
    return {o0, o1};
  }

  [[nodiscard]] Numbers<Cs> four() {
    const Number& a = element_;
    const Number& b = others_[0];
    const Number& c = others_[1];
    const Number& d = others_[2];
    Numbers<Cs> out;
    out.push_back(choose(bits_[1], b, choose(bits_[0], b, a)));
    out.push_back(choose(bits_[1], c, choose(bits_[0], a, b)));
    out.push_back(choose(bits_[1], choose(bits_[0], d, a), c));
    out.push_back(choose(bits_[1], choose(bits_[0], a, d), d));
    return out;
  }

  [[nodiscard]] Numbers<Cs> eight() {
    BELFRY_ASSERT(bits_[0].kind() == Bool::Kind::kIs && bits_[1].kind() == Bool::Kind::kIs,
                  "the low index bits are allocated");
    const Number& a = element_;
    const auto [b, c, d, e, f, g, h] = std::tie(others_[0], others_[1], others_[2], others_[3],
                                                others_[4], others_[5], others_[6]);
    const Bool nor = Bool::is(AllocatedBit<Cs>::nor_of(cs_, bits_[0].bit(), bits_[1].bit()));
    const Bool both = Bool::is(AllocatedBit<Cs>::and_of(cs_, bits_[0].bit(), bits_[1].bit()));
    const auto low = [this](const Number& yes, const Number& no) {
      return choose(bits_[0], yes, no);
    };
    const auto middle = [this](const Number& yes, const Number& no) {
      return choose(bits_[1], yes, no);
    };
    const auto high = [this](const Number& yes, const Number& no) {
      return choose(bits_[2], yes, no);
    };
    Numbers<Cs> out;
    out.push_back(high(b, choose(nor, a, b)));
    out.push_back(high(c, middle(c, low(a, b))));
    out.push_back(high(d, middle(low(d, a), c)));
    out.push_back(high(e, choose(both, a, d)));
    out.push_back(high(choose(nor, a, f), e));
    out.push_back(high(middle(g, low(a, f)), f));
    out.push_back(high(middle(low(h, a), g), g));
    out.push_back(high(choose(both, a, h), h));
    return out;
  }

  /// Any power of two: each place selects among what it holds for each index.
  [[nodiscard]] Numbers<Cs> any() {
    const std::size_t size = others_.size() + 1;
    Numbers<Cs> out;
    for (std::size_t place = 0; place < size; ++place) {
      Numbers<Cs> choices;
      for (std::size_t n = 0; n < size; ++n) choices.push_back(held(place, n));
      out.push_back(select(cs_, std::span<const Number>(choices), bits_));
    }
    return out;
  }

 private:
  /// What stands at `place` once the element is inserted at place n.
  [[nodiscard]] const Number& held(std::size_t place, std::size_t n) const {
    if (place == n) return element_;
    return others_[place < n ? place : place - 1];
  }
  [[nodiscard]] Number choose(const Bool& condition, const Number& yes, const Number& no) {
    return pick(cs_, condition, yes, no);
  }

  Cs& cs_;
  const Number& element_;
  std::span<const Bool> bits_;
  std::span<const Number> others_;
};

}  // namespace detail

/// `others` with `element` at place n = Σ 2^i·bits_i; |others| + 1 = 2^|bits|. 2, 8 and 22 rows for
/// sizes 2, 4, 8, which have forms of their own (8: the two low bits are allocated ones);
/// size·(size - 1) rows else.
template <class Cs>
[[nodiscard]] Numbers<Cs> insert(Cs& cs, const AllocatedNumber<Cs>& element,
                                 std::span<const Boolean<Cs>> bits,
                                 std::span<const AllocatedNumber<Cs>> others) {
  constexpr std::size_t kEight = 8;
  const std::size_t size = others.size() + 1;
  BELFRY_ASSERT(size >= 2 && size == std::size_t{1} << bits.size(), "one place per index");
  detail::Insertion<Cs> insertion(cs, element, bits, others);
  if (size == 2) return insertion.two();
  if (size == 4) return insertion.four();
  if (size == kEight) return insertion.eight();
  return insertion.any();
}

}  // namespace belfry::gadgets
