#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "belfry/r1cs/coefficient.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/synthesize.h"

namespace belfry::test {

/// A circuit without meaning whose matrices have everything that matrices can have: coefficients
/// ±2^k and others, empty rows, rows of one term and of hundreds, bits and elements in runs, blocks
/// that see some of the header. Its rows are satisfied by nothing: for products, not for proofs.
struct RandomSystem {
  std::uint64_t count = 3;   ///< blocks
  std::uint64_t rows = 200;  ///< of each part
  std::uint64_t seed = 1;

  [[nodiscard]] std::uint64_t blocks() const { return count; }

  template <class Cs>
  std::vector<typename Cs::Ref> header(Cs& cs) const {
    std::mt19937_64 rng(seed);
    std::vector<typename Cs::Ref> variables;
    fill(cs, rng, variables);
    return variables;
  }
  template <class Cs>
  void block(Cs& cs, const std::vector<typename Cs::Ref>& header, std::uint64_t) const {
    std::mt19937_64 rng(seed + 1);
    // Every seventh variable of the header.
    std::vector<typename Cs::Ref> variables;
    for (std::size_t i = 0; i < header.size(); i += 7) variables.push_back(header[i]);
    fill(cs, rng, variables);
  }

 private:
  template <class Cs>
  void fill(Cs& cs, std::mt19937_64& rng, std::vector<typename Cs::Ref>& variables) const {
    for (int i = 0; i < 3; ++i) {
      variables.push_back(cs.alloc_input(cs.given([] { return Fr::one(); })));
    }
    for (std::uint64_t row = 0; row < rows; ++row) {
      // Runs of one class, so that some words of the class bitmap are full and some are empty.
      const bool bit = (row / 90) % 3 != 1 && rng() % 40 != 0;
      variables.push_back(bit ? cs.alloc_bit(cs.given([] { return false; }))
                              : cs.alloc_field(cs.given([] { return Fr::zero(); })));
      const auto a = combination<Cs>(rng, variables);
      const auto b = combination<Cs>(rng, variables);
      cs.enforce(a, b, typename Cs::Lc{});
    }
  }
  template <class Cs>
  static typename Cs::Lc combination(std::mt19937_64& rng,
                                     const std::vector<typename Cs::Ref>& variables) {
    typename Cs::Lc out;
    const std::uint64_t kind = rng() % 60;
    std::uint64_t terms = kind == 0 ? 150 + rng() % 400 : kind % 5;
    for (; terms > 0; --terms) {
      const auto& variable = variables[rng() % variables.size()];
      out.plus(variable, coefficient(rng));
    }
    if (rng() % 4 == 0) out.plus_one(coefficient(rng));
    return out;
  }
  static r1cs::Coefficient coefficient(std::mt19937_64& rng) {
    switch (rng() % 4) {
      case 0:
        return r1cs::Coefficient::minus_one();
      case 1:
        return r1cs::Coefficient::power_of_two(static_cast<std::uint32_t>(rng() % 255));
      case 2:
        return Fr::from_u64(rng() % 9000);
      default:
        return r1cs::Coefficient::one();
    }
  }
};

/// Random bits, elements and inputs.
inline r1cs::PackedWitness random_witness(const r1cs::WitnessLayout& layout, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  r1cs::PackedWitness witness = *r1cs::PackedWitness::create(layout);
  const auto fill = [&rng](const r1cs::WitnessSlice& slice) {
    for (std::uint64_t& word : slice.bits) word = rng();
    if (slice.bit_count % 64 != 0) {
      slice.bits.back() &= (std::uint64_t{1} << (slice.bit_count % 64)) - 1;
    }
    for (Fr& x : slice.inputs) x = Fr{{rng(), rng(), rng(), rng() >> 2}};
    for (Fr& x : slice.fields) x = Fr{{rng(), rng(), rng(), rng() >> 2}};
  };
  fill(witness.header_slice());
  for (std::uint64_t i = 0; i < layout.blocks; ++i) fill(witness.block_slice(i));
  return witness;
}

}  // namespace belfry::test
