#pragma once

#include <cstdint>
#include <vector>

#include "belfry/gadgets/number.h"
#include "belfry/gadgets/pack.h"

namespace belfry::test {

/// A small circuit with a header and equal blocks that see header variables of every kind: ONE, an
/// input, a field element, a bit. Values are products and bits of consecutive numbers.
struct BlockedCircuit {
  std::uint64_t count = 3;
  /// Differences between blocks, which a circuit must not have.
  bool uneven_rows = false;
  bool uneven_coefficients = false;
  bool uneven_classes = false;
  /// Whether the blocks see bits of the header in turns. Such shapes need a TurningCircuit.
  bool turns = false;

  template <class Cs>
  struct Header {
    gadgets::AllocatedNumber<Cs> input;
    gadgets::AllocatedNumber<Cs> secret;
    gadgets::Booleans<Cs> bits;
  };

  [[nodiscard]] std::uint64_t blocks() const { return count; }

  template <class Cs>
  Header<Cs> header(Cs& cs) const {
    using Number = gadgets::AllocatedNumber<Cs>;
    const auto secret = Number::alloc(cs, cs.given([] { return Fr::from_u64(77); }));
    const auto input = secret.inputize(cs);
    // An input that no block sees, so that slots are no prefix of the header's columns.
    const auto other = Number::alloc(cs, cs.given([] { return Fr::from_u64(5); }));
    other.inputize(cs);
    return {input, secret, secret.to_bits_le(cs)};
  }

  /// The bits of the header that a block sees: two, or one and its neighbour in turns.
  template <class Cs>
  [[nodiscard]] std::vector<gadgets::Boolean<Cs>> seen_bits(const Header<Cs>& header,
                                                            std::uint64_t index) const {
    const std::size_t first = turns ? 3 * index : 0;
    return {header.bits[first], header.bits[first + 2]};
  }

  template <class Cs>
  void block(Cs& cs, const Header<Cs>& header, std::uint64_t index) const {
    using Number = gadgets::AllocatedNumber<Cs>;
    using Lc = typename Cs::Lc;
    cs.step("block");
    const auto x = Number::alloc(cs, cs.given([&] { return Fr::from_u64(1000 + index); }));
    const auto bits = x.to_bits_le(cs);
    const auto product = x.mul(cs, header.secret);
    const auto flag = gadgets::Boolean<Cs>::xor_of(cs, seen_bits(header, index)[0], bits[1]);
    gadgets::Num<Cs> sum(product);
    sum.add_bit(flag, 3);
    sum.add_bit(seen_bits(header, index)[1], 5);
    const bool other = uneven_coefficients && index > 0;
    sum.add_scaled(gadgets::Num<Cs>(header.input), Fr::from_u64(other ? 13 : 12));
    sum.add(gadgets::Num<Cs>::constant(Fr::from_u64(99)));
    const auto total = sum.allocate(cs);
    total.inputize(cs);
    gadgets::pack_into_inputs(cs, bits);
    if (uneven_rows && index > 0) cs.enforce(Lc{}, Lc{}, Lc{});
    if (uneven_classes && index > 0) {
      (void)cs.alloc_bit(cs.given([] { return true; }));
    } else {
      (void)cs.alloc_field(cs.given([] { return Fr::one(); }));
    }
  }
};

/// A BlockedCircuit whose blocks see bits of the header in turns, and say so.
struct TurningCircuit : BlockedCircuit {
  explicit TurningCircuit(std::uint64_t blocks) : BlockedCircuit{.count = blocks, .turns = true} {}

  template <class Cs>
  [[nodiscard]] std::vector<typename Cs::Ref> block_arguments(const Header<Cs>& header,
                                                              std::uint64_t index) const {
    std::vector<typename Cs::Ref> out;
    for (const auto& bit : seen_bits(header, index)) out.push_back(bit.bit().ref);
    return out;
  }
};

}  // namespace belfry::test
