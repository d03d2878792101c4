#include <algorithm>
#include <string>

#include "belfry/curve/pairing.h"
#include "belfry/groth16/aggregate/srs.h"
#include "belfry/groth16/random_scalar.h"
#include "belfry/msm/msm.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kCheckSrsStage = "groth16.aggregate.check_srs";

/// Random combinations of a list and of the same list one place on: for the powers of x the second
/// is x times the first.
template <class Curve>
struct ShiftedSums {
  typename Curve::Jacobian low = Curve::Jacobian::infinity();   // Σ w_i·P_i
  typename Curve::Jacobian high = Curve::Jacobian::infinity();  // Σ w_i·P_{i+1}
};

template <class Curve>
Result<ShiftedSums<Curve>> shifted_sums(const AggregationSrs& srs, SrsList list,
                                        const WorkView& work) {
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 14;
  using Affine = typename Curve::Affine;
  const std::uint64_t steps = srs.count(list) - 1;
  ShiftedSums<Curve> sums;
  for (std::uint64_t begin = 0; begin < steps; begin += kChunk) {
    BELFRY_CHECK(work.cancel.check(std::string(kCheckSrsStage)));
    const std::size_t length = std::min(kChunk, steps - begin);
    BELFRY_TRY(const auto points, srs.read<Affine>(list, begin, length + 1, work.executor));
    BELFRY_TRY(const std::vector<Fr> weights, draw_weights(length));
    const std::span<const Affine> all(points);
    BELFRY_TRY(const auto low, msm::multiply(msm::SpanSource<Curve>(all.first(length)),
                                             std::span(weights), work.executor));
    BELFRY_TRY(const auto high, msm::multiply(msm::SpanSource<Curve>(all.subspan(1)),
                                              std::span(weights), work.executor));
    sums.low += low;
    sums.high += high;
  }
  return sums;
}

Error wrong_powers(const AggregationSrs& srs, SrsList list, const char* what) {
  return invalid(std::string(kCheckSrsStage), what)
      .in_file(srs.path().string())
      .in_section(std::string(to_string(list)));
}

/// e(a, b) = e(c, d)
bool equal_pairings(const curve::G1Affine& a, const curve::G2Affine& b, const curve::G1Affine& c,
                    const curve::G2Affine& d) {
  const curve::G2Prepared left(b);
  const curve::G2Prepared right(d);
  const std::array terms{curve::PairingTerm{a, &left}, curve::PairingTerm{-c, &right}};
  return curve::multi_pairing(terms).is_one();
}

constexpr const char* kNoPowers = "not the powers of one secret, the same in both groups";

}  // namespace

Result<void> check_srs(const AggregationSrs& srs, const WorkView& work) {
  const trace::Span span(work.tracer, kCheckSrsStage);
  BELFRY_TRY(const AggregationVerifyingKey key, srs.verifying_key());
  BELFRY_TRY(const auto g, srs.read<curve::G1Affine>(SrsList::kGBeta, 0, 1, work.executor));
  BELFRY_TRY(const auto h, srs.read<curve::G2Affine>(SrsList::kHBeta, 0, 1, work.executor));
  constexpr const char* kGenerators = "the lists of a group begin with different points";
  if (g[0] != key.g) return fail(wrong_powers(srs, SrsList::kGBeta, kGenerators));
  if (h[0] != key.h) return fail(wrong_powers(srs, SrsList::kHBeta, kGenerators));
  constexpr std::array kG1Lists{SrsList::kGAlpha, SrsList::kGBeta};
  constexpr std::array kG2Lists{SrsList::kHAlpha, SrsList::kHBeta};
  for (std::size_t k = 0; k < kG1Lists.size(); ++k) {
    BELFRY_TRY(const auto sums, shifted_sums<curve::G1>(srs, kG1Lists[k], work));
    if (!equal_pairings(sums.high.to_affine(), key.h, sums.low.to_affine(), key.h_powers[k])) {
      return fail(wrong_powers(srs, kG1Lists[k], kNoPowers));
    }
  }
  for (std::size_t k = 0; k < kG2Lists.size(); ++k) {
    BELFRY_TRY(const auto sums, shifted_sums<curve::G2>(srs, kG2Lists[k], work));
    if (!equal_pairings(key.g, sums.high.to_affine(), key.g_powers[k], sums.low.to_affine())) {
      return fail(wrong_powers(srs, kG2Lists[k], kNoPowers));
    }
  }
  return {};
}

}  // namespace belfry::groth16
