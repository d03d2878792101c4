#include "belfry/gadgets/boolean.h"

#include <gtest/gtest.h>

#include <array>

#include "support/circuits.h"

namespace belfry::test {
namespace {

using gadgets::AllocatedBit;
using gadgets::Boolean;

TEST(AllocatedBit, MatchesTheReference) {
  test::golden().check("bit_alloc", [](auto& cs) { (void)bit(cs, true); });
  const auto binary = [](auto operation) {
    return [operation](auto& cs) {
      const auto a = bit(cs, true);
      const auto b = bit(cs, true);
      operation(cs, a, b);
    };
  };
  test::golden().check("bit_xor", binary([](auto& cs, const auto& a, const auto& b) {
                         (void)AllocatedBit<CsOf<decltype(cs)>>::xor_of(cs, a, b);
                       }));
  test::golden().check("bit_and", binary([](auto& cs, const auto& a, const auto& b) {
                         (void)AllocatedBit<CsOf<decltype(cs)>>::and_of(cs, a, b);
                       }));
  test::golden().check("bit_and_not", binary([](auto& cs, const auto& a, const auto& b) {
                         (void)AllocatedBit<CsOf<decltype(cs)>>::and_not_of(cs, a, b);
                       }));
  test::golden().check("bit_nor", binary([](auto& cs, const auto& a, const auto& b) {
                         (void)AllocatedBit<CsOf<decltype(cs)>>::nor_of(cs, a, b);
                       }));
  test::golden().check("bit_alloc_conditionally", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto forbidden = bit(cs, true);
    (void)AllocatedBit<Cs>::alloc_conditionally(cs, cs.given([] { return false; }), forbidden);
  });
}

/// Const(false), Const(true), Is, Not of a bit.
template <class Cs>
std::array<Boolean<Cs>, 4> variants(const AllocatedBit<Cs>& bit) {
  return {Boolean<Cs>::constant(false), Boolean<Cs>::constant(true), Boolean<Cs>::is(bit),
          Boolean<Cs>::is_not(bit)};
}

/// The values that the variants have for bits a = 1, b = 0 of the table.
constexpr std::array<bool, 4> kValuesOfOne{false, true, true, false};
constexpr std::array<bool, 4> kValuesOfZero{false, true, false, true};

TEST(Boolean, AllCasesMatchTheReference) {
  test::golden().check("boolean_ops", [](auto& cs) {
    using Cs = CsOf<decltype(cs)>;
    const auto va = variants(bit(cs, true));
    const auto vb = variants(bit(cs, false));
    const auto vc = variants(bit(cs, true));
    for (std::size_t i = 0; i < va.size(); ++i) {
      for (std::size_t j = 0; j < vb.size(); ++j) {
        (void)Boolean<Cs>::xor_of(cs, va[i], vb[j]);
        (void)Boolean<Cs>::and_of(cs, va[i], vb[j]);
        const bool constant = va[i].is_constant() && vb[j].is_constant();
        if (!constant && kValuesOfOne[i] == kValuesOfZero[j]) {
          Boolean<Cs>::enforce_equal(cs, va[i], vb[j]);
        }
        for (const auto& c : vc) {
          (void)Boolean<Cs>::ch_of(cs, va[i], vb[j], c);
          (void)Boolean<Cs>::maj_of(cs, va[i], vb[j], c);
        }
      }
    }
  });
}

/// Truth tables over all values and all forms of the operands.
TEST(Boolean, ComputesItsFunctions) {
  for (unsigned values = 0; values < 8; ++values) {
    const bool x = (values & 1) != 0, y = (values & 2) != 0, z = (values & 4) != 0;
    run_gadget(
        [&](auto& cs) {
          using Cs = CsOf<decltype(cs)>;
          const auto va = variants(bit(cs, x));
          const auto vb = variants(bit(cs, y));
          const auto vc = variants(bit(cs, z));
          for (const auto& a : va) {
            for (const auto& b : vb) {
              for (const auto& c : vc) {
                const auto results =
                    std::array{Boolean<Cs>::xor_of(cs, a, b), Boolean<Cs>::and_of(cs, a, b),
                               Boolean<Cs>::ch_of(cs, a, b, c), Boolean<Cs>::maj_of(cs, a, b, c)};
                if constexpr (Cs::kComputesValues) {
                  const bool p = a.value(), q = b.value(), r = c.value();
                  EXPECT_EQ(results[0].value(), p != q);
                  EXPECT_EQ(results[1].value(), p && q);
                  EXPECT_EQ(results[2].value(), p ? q : r);
                  EXPECT_EQ(results[3].value(), int{p} + int{q} + int{r} >= 2);
                }
              }
            }
          }
        },
        "truth tables");
  }
}

TEST(Boolean, SameVariableTwiceIsOneTerm) {
  const System system = run_gadget(
      [](auto& cs) {
        const auto a = bit(cs, true);
        (void)AllocatedBit<CsOf<decltype(cs)>>::xor_of(cs, a, a);
      },
      "xor of a bit with itself");
  // C of the second row: 2a - c.
  EXPECT_EQ(system.shape.header().matrix(r1cs::Matrix::kC).lengths[1], 2);
}

}  // namespace
}  // namespace belfry::test
