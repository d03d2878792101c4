#include "belfry/cli/bench/floor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "belfry/cli/bench/peak.h"
#include "belfry/hash/poseidon.h"

namespace belfry::cli::bench {
namespace {

constexpr double kLanes = 8;

/// Multiply instructions of one Montgomery multiplication of n limbs.
constexpr double scalar_products(double limbs) { return 2 * limbs * limbs + limbs; }
/// The same in eight lanes: low and high halves are separate instructions, the factor needs one.
constexpr double lane_products(double limbs) { return (4 * limbs * limbs + limbs) / kLanes; }

constexpr double kFpLanes = 8;
constexpr double kFpLimbs = 6;
constexpr double kFrLanes = 5;
constexpr double kFrLimbs = 4;

}  // namespace

FloorModel::FloorModel(Isa isa, unsigned threads) : threads_(threads) {
  const double rate = peak_multiplies_per_second(isa) * threads;
  const bool lanes = isa == Isa::kIfma;
  fp_ = (lanes ? lane_products(kFpLanes) : scalar_products(kFpLimbs)) / rate;
  fr_ = (lanes ? lane_products(kFrLanes) : scalar_products(kFrLimbs)) / rate;
  cycle_ = (lanes ? 2 : 1) / rate;
}

double FloorModel::ntt_seconds(unsigned log_size) const noexcept {
  return std::ldexp(1.0, static_cast<int>(log_size) - 1) * log_size * fr_;
}

double FloorModel::quotient_seconds(unsigned log_size) const noexcept {
  constexpr double kTransforms = 6;
  return kTransforms * ntt_seconds(log_size);
}

double FloorModel::poseidon_seconds(std::size_t arity) const {
  // Of the 2·n² + n word products of a multiplication, n² are the product and the rest reduces it;
  // n = 4 and n = 5 differ by 2 %.
  constexpr double kProduct = kFrLimbs / (2 * kFrLimbs + 1);
  constexpr double kReduction = 1 - kProduct;
  const hash::PoseidonConstants& constants = hash::poseidon_constants(arity);
  const auto width = static_cast<double>(constants.width);
  const auto partial = static_cast<double>(constants.partial_rounds);
  const double boxes = hash::kPoseidonFullRounds * width + partial;
  // A full round has a sum for each element, a partial one has one and a product for each other.
  const double sums = boxes * (width * kProduct + kReduction);
  constexpr double kBoxProducts = 3;
  return fr_ * (sums + kBoxProducts * boxes + partial * (width - 1));
}

double FloorModel::additions_g1_seconds(double n) const noexcept {
  constexpr double kMultiplications = 6;
  return n * kMultiplications * fp_;
}

double FloorModel::additions_g2_seconds(double n) const noexcept {
  constexpr double kMultiplications = 5 * 3 + 2;
  return n * kMultiplications * fp_;
}

double FloorModel::msm_g1_seconds(std::uint64_t n) const noexcept {
  return additions_g1_seconds(least_msm_additions(n));
}

double FloorModel::msm_g2_seconds(std::uint64_t n) const noexcept {
  return additions_g2_seconds(least_msm_additions(n));
}

double proof_seconds(const FloorModel& floor, const ProofSizes& sizes) noexcept {
  const double bits = floor.additions_g1_seconds(sizes.bits_l + sizes.bits_a + sizes.bits_b) +
                      floor.additions_g2_seconds(sizes.bits_b);
  const double fields = 2 * floor.msm_g1_seconds(sizes.fields) +
                        floor.msm_g1_seconds(sizes.fields_b) + floor.msm_g2_seconds(sizes.fields_b);
  return bits + fields + floor.msm_g1_seconds(std::uint64_t{1} << sizes.log_rows) +
         floor.quotient_seconds(sizes.log_rows);
}

double least_msm_additions(std::uint64_t n) noexcept {
  constexpr unsigned kScalarBits = 255;
  constexpr unsigned kWidest = 24;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned c = 1; c <= kWidest; ++c) {
    const unsigned windows = (kScalarBits + c - 1) / c;
    const double buckets = std::ldexp(1.0, static_cast<int>(c) - 1);
    least = std::min(least, windows * (static_cast<double>(n) + 2 * buckets));
  }
  return least;
}

}  // namespace belfry::cli::bench
