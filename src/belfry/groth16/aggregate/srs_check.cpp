#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

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

/// A list of powers, wherever it lies.
template <class Curve>
struct PowerList {
  using Points = std::vector<typename Curve::Affine>;
  SrsList name;
  std::uint64_t count;
  std::function<Result<Points>(std::uint64_t begin, std::size_t count)> read;
};

/// The lists of alpha and beta in both groups.
struct PowerLists {
  std::array<PowerList<curve::G1>, 2> g;
  std::array<PowerList<curve::G2>, 2> h;
};

template <class Curve>
Result<ShiftedSums<Curve>> shifted_sums(const PowerList<Curve>& list, const WorkView& work) {
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 14;
  using Affine = typename Curve::Affine;
  const std::uint64_t steps = list.count - 1;
  ShiftedSums<Curve> sums;
  for (std::uint64_t begin = 0; begin < steps; begin += kChunk) {
    BELFRY_CHECK(work.cancel.check(std::string(kCheckSrsStage)));
    const std::size_t length = std::min(kChunk, steps - begin);
    BELFRY_TRY(const auto points, list.read(begin, length + 1));
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

/// What a list should be, and what it is.
struct PowersFault {
  const char* message;
  const char* expected;
  const char* found;
};
constexpr PowersFault kNoPowers{"not the powers of one secret, the same in both groups",
                                "powers of one secret", "other points"};
constexpr PowersFault kOtherStart{"the lists of a group begin with different points",
                                  "the first point of the other list", "another point"};
constexpr PowersFault kSecretOne{"the secret is one: anyone forges aggregates",
                                 "two different points", "the same point twice"};
constexpr PowersFault kSameSecrets{"both secrets are the same",
                                   "another second point than in the list of alpha", "the same"};

Error wrong_powers(SrsList list, const PowersFault& fault) {
  return invalid(std::string(kCheckSrsStage), fault.message)
      .in_section(std::string(to_string(list)))
      .but(fault.expected, fault.found);
}

/// e(a, b) = e(c, d)
bool equal_pairings(const curve::G1Affine& a, const curve::G2Affine& b, const curve::G1Affine& c,
                    const curve::G2Affine& d) {
  const curve::G2Prepared left(b);
  const curve::G2Prepared right(d);
  const std::array terms{curve::PairingTerm{a, &left}, curve::PairingTerm{-c, &right}};
  return curve::multi_pairing(terms).is_one();
}

/// Both lists of a group begin with this point.
template <class Curve>
Result<void> check_start(const PowerList<Curve>& list, const typename Curve::Affine& start) {
  BELFRY_TRY(const auto points, list.read(0, 1));
  if (points[0] == start) return {};
  return fail(wrong_powers(list.name, kOtherStart));
}

/// `key` holds the first powers of the lists.
Result<void> check_lists(const PowerLists& lists, const AggregationVerifyingKey& key,
                         const WorkView& work) {
  const trace::Span span(work.tracer, kCheckSrsStage);
  BELFRY_CHECK(check_start(lists.g[1], key.g));
  BELFRY_CHECK(check_start(lists.h[1], key.h));
  BELFRY_CHECK(check_secrets(key));
  for (std::size_t k = 0; k < lists.g.size(); ++k) {
    BELFRY_TRY(const auto sums, shifted_sums(lists.g[k], work));
    if (!equal_pairings(sums.high.to_affine(), key.h, sums.low.to_affine(), key.h_powers[k])) {
      return fail(wrong_powers(lists.g[k].name, kNoPowers));
    }
  }
  for (std::size_t k = 0; k < lists.h.size(); ++k) {
    BELFRY_TRY(const auto sums, shifted_sums(lists.h[k], work));
    if (!equal_pairings(key.g, sums.high.to_affine(), key.g_powers[k], sums.low.to_affine())) {
      return fail(wrong_powers(lists.h[k].name, kNoPowers));
    }
  }
  return {};
}

template <class Curve>
PowerList<Curve> list_of(const AggregationSrs& srs, SrsList name, const Executor& executor) {
  return {.name = name,
          .count = srs.count(name),
          .read = [&srs, name, &executor](std::uint64_t begin, std::size_t count) {
            return srs.read<typename Curve::Affine>(name, begin, count, executor);
          }};
}

template <class Curve>
PowerList<Curve> list_of(const std::vector<typename Curve::Affine>& points, SrsList name) {
  using Points = std::vector<typename Curve::Affine>;
  return {.name = name,
          .count = points.size(),
          .read = [&points](std::uint64_t begin, std::size_t count) -> Result<Points> {
            const auto part = std::span(points).subspan(begin, count);
            return Points(part.begin(), part.end());
          }};
}

}  // namespace

Result<void> check_secrets(const AggregationVerifyingKey& key) {
  constexpr std::array kLists{SrsList::kGAlpha, SrsList::kGBeta};
  for (std::size_t k = 0; k < kLists.size(); ++k) {
    if (key.g_powers[k] == key.g || key.h_powers[k] == key.h) {
      return fail(wrong_powers(kLists[k], kSecretOne));
    }
  }
  if (key.g_powers[0] != key.g_powers[1] && key.h_powers[0] != key.h_powers[1]) return {};
  return fail(wrong_powers(SrsList::kGBeta, kSameSecrets));
}

Result<void> check_srs(const AggregationSrs& srs, const WorkView& work) {
  BELFRY_TRY(const AggregationVerifyingKey key, srs.verifying_key());
  const PowerLists lists{.g = {list_of<curve::G1>(srs, SrsList::kGAlpha, work.executor),
                               list_of<curve::G1>(srs, SrsList::kGBeta, work.executor)},
                         .h = {list_of<curve::G2>(srs, SrsList::kHAlpha, work.executor),
                               list_of<curve::G2>(srs, SrsList::kHBeta, work.executor)}};
  const auto checked = check_lists(lists, key, work);
  if (checked) return {};
  return fail(srs.placed(checked.error()));
}

Result<void> check_powers(const AggregationKey& key, const WorkView& work) {
  const PowerLists lists{.g = {list_of<curve::G1>(key.g_alpha, SrsList::kGAlpha),
                               list_of<curve::G1>(key.g_beta, SrsList::kGBeta)},
                         .h = {list_of<curve::G2>(key.h_alpha, SrsList::kHAlpha),
                               list_of<curve::G2>(key.h_beta, SrsList::kHBeta)}};
  return check_lists(lists, key.verifying_key(), work);
}

}  // namespace belfry::groth16
