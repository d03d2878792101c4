#pragma once

#include <cstdint>
#include <vector>

#include "belfry/r1cs/synthesize.h"

namespace belfry::groth16::test {

/// A satisfied system with a header and equal blocks, bits and field elements mixed, so that dense
/// and sparse variables, inputs in blocks and bindings all occur. Values follow from indices.
class BlocksSystem {
 public:
  BlocksSystem(std::uint64_t blocks, unsigned bits) : blocks_(blocks), bits_(bits) {}

  [[nodiscard]] std::uint64_t blocks() const { return blocks_; }

  template <class Cs>
  auto header(Cs& cs) const {
    using Lc = typename Cs::Lc;
    const auto x = cs.alloc_input(cs.given([] { return Fr::from_u64(6); }));
    const auto y = cs.alloc_field(cs.given([] { return Fr::from_u64(3); }));
    const auto z = cs.alloc_field(cs.given([] { return Fr::from_u64(2); }));
    cs.enforce(Lc{}.plus(y), Lc{}.plus(z), Lc{}.plus(x));
    add_bits(cs, 1);
    return y;
  }

  /// Block k: an input 3·(k + 7), an aux k + 7, and bits of which every third has no B row.
  template <class Cs, class Ref>
  void block(Cs& cs, const Ref& three, std::uint64_t k) const {
    using Lc = typename Cs::Lc;
    const auto value = [k] { return Fr::from_u64(k + 7); };
    const auto out = cs.alloc_input(cs.given([k] { return Fr::from_u64(3 * (k + 7)); }));
    const auto in = cs.alloc_field(cs.given(value));
    cs.enforce(Lc{}.plus(in), Lc{}.plus(three), Lc{}.plus(out));
    // An input in a B row, and an aux that occurs in C alone.
    const auto product =
        cs.alloc_field(cs.given([&] { return value() * Fr::from_u64(3 * (k + 7)); }));
    cs.enforce(Lc{}.plus(in), Lc{}.plus(out), Lc{}.plus(product));
    add_bits(cs, k + 3);
  }

 private:
  template <class Cs>
  void add_bits(Cs& cs, std::uint64_t seed) const {
    using Lc = typename Cs::Lc;
    for (unsigned i = 0; i < bits_; ++i) {
      const bool value = (seed * (i + 1) * 0x9e3779b97f4a7c15ULL >> 61) % 2 != 0;
      const auto bit = cs.alloc_bit(cs.given([value] { return value; }));
      if (i % 3 == 0) {
        cs.enforce(Lc{}.plus(bit), Lc{}.plus_one(), Lc{}.plus(bit));
      } else if (i % 3 == 1) {
        cs.enforce(Lc{}.plus(bit), Lc{}.plus(bit), Lc{}.plus(bit));
      } else {
        cs.enforce(Lc{}.plus_one(), Lc{}.plus(bit), Lc{}.plus(bit));
      }
    }
  }

  std::uint64_t blocks_;
  unsigned bits_;
};

}  // namespace belfry::groth16::test
