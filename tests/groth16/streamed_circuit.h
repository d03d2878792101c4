#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "belfry/groth16/prove/prove.h"
#include "belfry/groth16/prove/query_tail.h"
#include "groth16/blocks_system.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/temp_dir.h"

namespace belfry::groth16::test {

/// A circuit, its parameters, and witnesses that differ.
class StreamedCircuit {
 public:
  StreamedCircuit(std::uint64_t blocks, unsigned bits, std::size_t partitions)
      : system_(blocks, bits), shape_(value_of(r1cs::extract_shape("blocks", system_))) {
    (void)value_of(
        make_test_parameters(shape_, recorded_trapdoor(), dir_.path(), "blocks", {executor_}));
    parameters_.emplace(value_of(Parameters::open(dir_ / "blocks.params")));
    witnesses_.assign(partitions,
                      value_of(r1cs::compute_witness(shape_.layout(), system_, executor_)));
    std::mt19937_64 rng(partitions);
    for (std::size_t k = 1; k < partitions; ++k) {
      // Rows of bits hold for any bits, the others if y·t, z/t and in/t stand for y, z and in.
      const Fr t = belfry::test::random_fr(rng);
      const Fr inverse = t.inverse();
      const auto header = witnesses_[k].header_slice().fields;
      header[0] *= t;
      header[1] *= inverse;
      for (std::uint64_t block = 0; block < blocks; ++block) {
        const auto slice = witnesses_[k].block_slice(block);
        for (Fr& field : slice.fields) field *= inverse;
        for (std::uint64_t i = 0; i < slice.bit_count; ++i) {
          slice.bits[i / 64] ^= (rng() & 1) << (i % 64);
        }
      }
    }
    expect();
  }

  /// Other witnesses, for which rows need not hold.
  void replace(std::vector<r1cs::PackedWitness> witnesses) {
    witnesses_ = std::move(witnesses);
    expect();
  }

  [[nodiscard]] const r1cs::Shape& shape() const { return shape_; }
  [[nodiscard]] const Parameters& parameters() const { return *parameters_; }
  [[nodiscard]] const std::vector<r1cs::PackedWitness>& witnesses() const { return witnesses_; }
  /// What the CPU finds.
  [[nodiscard]] const PartialSums& expected(std::size_t k) const { return expected_->sums()[k]; }
  [[nodiscard]] std::filesystem::path path(const char* name) const { return dir_ / name; }
  [[nodiscard]] const Executor& executor() const { return executor_; }

 private:
  void expect() {
    constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
    expected_.emplace(value_of(
        start(*make_cpu_backend(executor_), {*parameters_, shape_, witnesses_}, kNoLimit)));
  }

  belfry::test::TempDir dir_;
  Executor executor_{4};
  BlocksSystem system_;
  r1cs::Shape shape_;
  std::optional<Parameters> parameters_;
  std::vector<r1cs::PackedWitness> witnesses_;
  std::optional<PendingProofs> expected_;
};

/// In the basis of the domain L and H differ; their sum does not.
inline void expect_sums(const PartialSums& found, const PartialSums& expected,
                        QuotientBasis basis) {
  EXPECT_EQ(found.a, expected.a);
  EXPECT_EQ(found.b_g1, expected.b_g1);
  EXPECT_EQ(found.b_g2, expected.b_g2);
  const auto both = [](const PartialSums& sums) {
    return (curve::G1Jacobian::from_affine(sums.l) + sums.h).to_affine();
  };
  EXPECT_EQ(both(found), both(expected));
  EXPECT_TRUE(basis == QuotientBasis::kDomain || found.h == expected.h);
}

}  // namespace belfry::groth16::test
