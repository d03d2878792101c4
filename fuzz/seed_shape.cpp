#include <cstdint>
#include <filesystem>

#include "belfry/r1cs/shape_file.h"
#include "belfry/r1cs/synthesize.h"

namespace {

/// A header and three blocks: bits, fields, an input a block, coefficients of every kind.
struct SeedCircuit {
  template <class Cs>
  struct Header {
    typename Cs::Ref x;
    typename Cs::Ref bit;
  };

  [[nodiscard]] static std::uint64_t blocks() { return 3; }

  template <class Cs>
  Header<Cs> header(Cs& cs) const {
    using Lc = typename Cs::Lc;
    const auto x = cs.alloc_field(cs.given([] { return belfry::Fr::one(); }));
    const auto bit = cs.alloc_bit(cs.given([] { return true; }));
    cs.enforce(Lc{}.plus(bit), Lc{}.plus_one().minus(bit), Lc{});
    return {x, bit};
  }

  template <class Cs>
  void block(Cs& cs, const Header<Cs>& header, std::uint64_t) const {
    using Lc = typename Cs::Lc;
    const auto y = cs.alloc_field(cs.given([] { return belfry::Fr::one(); }));
    const auto input = cs.alloc_input(cs.given([] { return belfry::Fr::one(); }));
    const belfry::r1cs::Coefficient odd{belfry::Fr::from_u64(1234567)};
    cs.enforce(Lc{}.plus(header.x).plus(y, odd), Lc{}.plus(header.bit), Lc{}.plus(input));
    cs.enforce(Lc{}.plus(y), Lc{}.plus(y), Lc{}.plus(y));
  }
};

}  // namespace

/// usage: fuzz_seed_shape FILE
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const auto shape = belfry::r1cs::extract_shape("fuzz", SeedCircuit{});
  if (!shape) return 1;
  return belfry::r1cs::write_shape(*shape, argv[1]) ? 0 : 1;
}
