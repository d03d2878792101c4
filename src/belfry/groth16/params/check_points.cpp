#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "belfry/base/random.h"
#include "belfry/curve/subgroup.h"
#include "belfry/groth16/params/bucket_sums.h"
#include "belfry/groth16/params/check.h"
#include "belfry/groth16/params/point_reader.h"
#include "belfry/groth16/params/section_source.h"
#include "belfry/hash/chacha.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kCheckPointsStage = "groth16.params.check";
/// Points that a worker reads at a time: they, their sums and one half of them for the trees of
/// additions lie in the second-level cache; each of the 256 trees of a round gets 16.
constexpr std::uint64_t kStripPoints = 1 << 12;
constexpr std::uint64_t kShortStripPoints = 1 << 5;

/// The random bucket choices of a section, one word a point, the same each time they are read.
class Choices {
 public:
  explicit Choices(const Bytes32& seed) : stream_(hash::ChaCha::chacha8(seed)) {}
  /// A stream that begins with the choice of point `first`.
  [[nodiscard]] hash::ChaCha from(std::uint64_t first) const {
    hash::ChaCha stream = stream_;
    stream.seek(first * sizeof(std::uint64_t));
    return stream;
  }

 private:
  hash::ChaCha stream_;
};

/// One section under test. A view.
template <class Curve>
struct SectionView {
  using Affine = typename Curve::Affine;

  const Parameters& parameters;
  Section section;
  Choices choices;

  [[nodiscard]] std::uint64_t size() const { return parameters.layout(section).count; }
  [[nodiscard]] curve::Decoded<Affine> point(std::uint64_t index) const {
    constexpr std::size_t kSize = curve::kUncompressedSize<Affine>;
    return curve::decode_unchecked<Affine>(
        parameters.section_bytes(section).subspan(index * kSize).template first<kSize>());
  }
  [[nodiscard]] Error error_at(std::uint64_t index, Error error) const {
    const SectionLayout& where = parameters.layout(section);
    return std::move(error)
        .in_file(parameters.path().string())
        .in_section(std::string(to_string(section)) + "[" + std::to_string(index) + "]")
        .at(where.points_offset() + index * where.point_bytes);
  }
  [[nodiscard]] Error changed() const {
    return invalid(std::string(kCheckPointsStage), "the file changed while it was checked")
        .in_file(parameters.path().string());
  }
};

/// Whether a point is looked at for the subgroup too, by itself.
enum class Membership : bool { kIgnored, kTested };

/// Looks at points [begin, end) one by one; the first that is no finite point of the curve, or not
/// in the subgroup where that is tested, is the error.
template <class Curve>
Result<void> check_each(const SectionView<Curve>& view, std::uint64_t begin, std::uint64_t end,
                        Membership membership) {
  for (std::uint64_t i = begin; i < end; ++i) {
    const auto point = view.point(i);
    if (!point) return fail(view.error_at(i, point_error(kCheckPointsStage, point.error())));
    if (point->is_infinity()) return fail(view.error_at(i, infinity_error(kCheckPointsStage)));
    if (membership == Membership::kTested && !curve::in_subgroup(*point)) {
      return fail(
          view.error_at(i, point_error(kCheckPointsStage, curve::PointFault::kNotInSubgroup)));
    }
  }
  return {};
}

/// Strips of a section, read in parallel: lane k takes every lanes-th.
struct StripPlan {
  std::uint64_t strip;  ///< points
  std::size_t lanes;
};

/// Calls check(lane, begin, end) for every strip; the error of the first bad one counts.
template <class Curve, class Check>
Result<void> for_each_strip(const SectionView<Curve>& view, const StripPlan& plan,
                            const WorkView& work, trace::Span& span, Check&& check) {
  const std::uint64_t strips = (view.size() + plan.strip - 1) / plan.strip;
  std::vector<Result<void>> outcomes(strips);
  work.executor.for_each(plan.lanes, [&](std::size_t lane) {
    for (std::uint64_t i = lane; i < strips; i += plan.lanes) {
      if (work.cancel.cancelled()) return;
      const std::uint64_t begin = i * plan.strip;
      const std::uint64_t end = std::min(begin + plan.strip, view.size());
      outcomes[i] = check(lane, begin, end);
      span.advance((end - begin) * view.parameters.layout(view.section).point_bytes);
    }
  });
  BELFRY_CHECK(work.cancel.check(std::string(kCheckPointsStage)));
  for (auto& outcome : outcomes) BELFRY_CHECK(std::move(outcome));
  return {};
}

/// What one lane adds up, and the strip that it reads at a time.
template <class Curve>
class Lane {
 public:
  explicit Lane(const msm::PointKernels<Curve>& kernels)
      : sums_(kernels, kStripPoints), points_(kernels, kStripPoints) {
    choices_.reserve(kStripPoints);
  }

  /// Decodes points [begin, end) and adds them up. The kernels only tell that a point is bad;
  /// whoever looks at each says which.
  Result<void> add(const SectionView<Curve>& view, const msm::Fetch& fetch, std::uint64_t begin,
                   std::uint64_t end) {
    if (!fetch(begin, end - begin, points_.at(0))) {
      BELFRY_CHECK(check_each(view, begin, end, Membership::kIgnored));
      return fail(view.changed());
    }
    hash::ChaCha stream = view.choices.from(begin);
    choices_.resize(end - begin);
    for (std::uint64_t& choice : choices_) choice = stream.next_u64();
    sums_.add(choices_, points_);
    return {};
  }
  [[nodiscard]] BucketSums<Curve>& sums() noexcept { return sums_; }

 private:
  BucketSums<Curve> sums_;
  msm::StoredPoints<Curve> points_;
  std::vector<std::uint64_t> choices_;
};

/// All points in buckets. Each lane owns sums, so nothing is shared.
template <class Curve>
Result<BucketSums<Curve>> sum_section(const SectionView<Curve>& view, const WorkView& work,
                                      trace::Span& span) {
  const auto& kernels = msm::point_kernels<Curve>(best_isa());
  const SectionSource<Curve> source(view.parameters, view.section);
  const msm::Fetch fetch = msm::fetch_all(kernels, source);
  const std::size_t lane_count = 2 * std::size_t{work.executor.threads()};
  std::vector<Lane<Curve>> lanes;
  lanes.reserve(lane_count);
  for (std::size_t i = 0; i < lane_count; ++i) lanes.emplace_back(kernels);
  BELFRY_CHECK(for_each_strip(view, {kStripPoints, lanes.size()}, work, span,
                              [&](std::size_t lane, std::uint64_t begin, std::uint64_t end) {
                                return lanes[lane].add(view, fetch, begin, end);
                              }));
  for (std::size_t i = 1; i < lanes.size(); ++i) lanes[0].sums().merge(lanes[i].sums());
  return std::move(lanes[0].sums());
}

/// Stores the smaller of both, whoever else does the same.
void lower(std::atomic<std::uint64_t>& least, std::uint64_t value) noexcept {
  std::uint64_t known = least.load();
  while (value < known && !least.compare_exchange_weak(known, value)) {
  }
}

/// Which sums left the subgroup.
template <class Curve>
std::vector<std::uint8_t> bad_sums(const BucketSums<Curve>& sums, const Executor& executor) {
  constexpr std::size_t kBuckets = BucketSums<Curve>::kBuckets;
  std::vector<std::uint8_t> bad(BucketSums<Curve>::kRounds * kBuckets);
  executor.for_each(bad.size(), [&](std::size_t i) {
    bad[i] = std::uint8_t{!curve::in_subgroup(sums.sum(i / kBuckets, i % kBuckets))};
  });
  return bad;
}

/// Some sums left the subgroup, so some of their points did: the first of them. (A point outside
/// misses all bad sums with probability 2^-64 at most.)
template <class Curve>
Error find_culprit(const SectionView<Curve>& view, std::span<const std::uint8_t> bad,
                   const Executor& executor) {
  using Sums = BucketSums<Curve>;
  const auto suspect = [&bad](std::uint64_t choice) {
    bool any = false;
    for (std::size_t round = 0; round < Sums::kRounds; ++round) {
      any |= bad[round * Sums::kBuckets + Sums::bucket(choice, round)] != 0;
    }
    return any;
  };
  const std::uint64_t none = view.size();
  std::atomic<std::uint64_t> first = none;
  executor.parallel_for(view.size(), kStripPoints, [&](std::size_t begin, std::size_t end) {
    hash::ChaCha choices = view.choices.from(begin);
    for (std::size_t i = begin; i < end && i < first.load(); ++i) {
      if (!suspect(choices.next_u64())) continue;
      const auto point = view.point(i);
      if (point && curve::in_subgroup(*point)) continue;
      lower(first, i);
    }
  });
  if (first == none) return view.changed();
  return view.error_at(first, point_error(kCheckPointsStage, curve::PointFault::kNotInSubgroup));
}

template <class Curve>
Result<void> check_section(const Parameters& parameters, Section section, const WorkView& work,
                           trace::Span& span) {
  Bytes32 seed;
  BELFRY_CHECK(fill_random(seed));
  const SectionView<Curve> view{parameters, section, Choices(seed)};
  if (view.size() <= BucketSums<Curve>::kRounds * BucketSums<Curve>::kBuckets) {
    const StripPlan plan{kShortStripPoints, 2 * std::size_t{work.executor.threads()}};
    return for_each_strip(view, plan, work, span,
                          [&view](std::size_t, std::uint64_t begin, std::uint64_t end) {
                            return check_each(view, begin, end, Membership::kTested);
                          });
  }
  BELFRY_TRY(const BucketSums<Curve> sums, sum_section(view, work, span));
  const std::vector<std::uint8_t> bad = bad_sums(sums, work.executor);
  if (std::find(bad.begin(), bad.end(), 1) == bad.end()) return {};
  return fail(find_culprit<Curve>(view, bad, work.executor));
}

}  // namespace

Result<void> check_points(const Parameters& parameters, const WorkView& work) {
  trace::Span span(work.tracer, "groth16.check_points");
  span.expect(parameters.bytes().size(), "bytes");
  for (const Section section : {Section::kH, Section::kL, Section::kA, Section::kBG1}) {
    BELFRY_CHECK(check_section<curve::G1>(parameters, section, work, span));
  }
  return check_section<curve::G2>(parameters, Section::kBG2, work, span);
}

}  // namespace belfry::groth16
