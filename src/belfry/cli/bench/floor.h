#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/cpu.h"

namespace belfry::cli::bench {

/// The least time that work can take on this machine, if its multiply units did nothing else and
/// never waited. Every figure of `belfry bench` is told as a share of it (100 % is perfect).
///
/// One field multiplication of n limbs costs 2·n² products and n more for the Montgomery factors;
/// vpmadd52 makes half a product, for eight lanes. Fp has 8 limbs of 52 bits or 6 of 64, Fr 5 or 4.
class FloorModel {
 public:
  /// Measures the peak of this machine; the work is spread over `threads` cores.
  FloorModel(Isa isa, unsigned threads);

  [[nodiscard]] double fp_multiply_seconds() const noexcept { return fp_; }
  [[nodiscard]] double fr_multiply_seconds() const noexcept { return fr_; }

  /// A transform of m = 2^log_size elements: m/2 · log_size multiplications in Fr.
  [[nodiscard]] double ntt_seconds(unsigned log_size) const noexcept;
  /// The quotient of three vectors: six transforms (ntt::quotient).
  [[nodiscard]] double quotient_seconds(unsigned log_size) const noexcept;
  /// A cycle of each core, spread over them: two vpmadd52 or one multiplication of words.
  [[nodiscard]] double cycle_seconds() const noexcept { return cycle_; }
  [[nodiscard]] unsigned threads() const noexcept { return threads_; }
  /// A Poseidon hash of `arity` elements in the optimised form (hash/poseidon.h), sums of products
  /// reduced once.
  [[nodiscard]] double poseidon_seconds(std::size_t arity) const;
  /// n affine additions with a shared inversion: 5 multiplications and a squaring each.
  [[nodiscard]] double additions_g1_seconds(double n) const noexcept;
  /// The same in G2: 3 times the multiplications (Karatsuba), 2 for a square.
  [[nodiscard]] double additions_g2_seconds(double n) const noexcept;
  /// n points with full scalars: ⌈255/c⌉ additions a point and two for each of the 2^(c−1) buckets
  /// of a window, for the best c.
  [[nodiscard]] double msm_g1_seconds(std::uint64_t n) const noexcept;
  [[nodiscard]] double msm_g2_seconds(std::uint64_t n) const noexcept;

 private:
  unsigned threads_;
  double fp_;
  double fr_;
  double cycle_;
};

/// What the prover of the CPU sums and transforms for one partition.
struct ProofSizes {
  double bits_l = 0;  ///< ones among the bits of L; likewise of A and B
  double bits_a = 0;
  double bits_b = 0;
  std::uint64_t fields = 0;  ///< full scalars of L and of A
  std::uint64_t fields_b = 0;
  unsigned log_rows = 0;
};

/// Bit sums over L, A, B, whole sums for field elements and H, and the quotient.
[[nodiscard]] double proof_seconds(const FloorModel& floor, const ProofSizes& sizes) noexcept;

/// Additions of the cheapest bucket method for n full scalars.
[[nodiscard]] double least_msm_additions(std::uint64_t n) noexcept;

}  // namespace belfry::cli::bench
