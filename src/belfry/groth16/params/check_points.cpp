#include <algorithm>
#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "belfry/base/random.h"
#include "belfry/groth16/params/bucket_sums.h"
#include "belfry/groth16/params/check.h"
#include "belfry/groth16/params/point_reader.h"
#include "belfry/hash/chacha.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.params.check";
constexpr std::uint64_t kStripPoints = 1 << 15;
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
template <class Point>
struct SectionView {
  const Parameters& parameters;
  Section section;
  Choices choices;
  std::uint64_t strip;  ///< points that a worker reads at a time

  [[nodiscard]] std::uint64_t size() const { return parameters.layout(section).count; }
  [[nodiscard]] curve::Decoded<Point> point(std::uint64_t index) const {
    constexpr std::size_t kSize = curve::kUncompressedSize<Point>;
    return curve::decode_unchecked<Point>(
        parameters.section_bytes(section).subspan(index * kSize).template first<kSize>());
  }
  [[nodiscard]] Error error_at(std::uint64_t index, Error error) const {
    const SectionLayout& where = parameters.layout(section);
    return std::move(error)
        .in_file(parameters.path().string())
        .in_section(std::string(to_string(section)) + "[" + std::to_string(index) + "]")
        .at(where.points_offset() + index * where.point_bytes);
  }
};

/// Hands points [begin, end) to `take(index, point)`; the first that is no finite point of the
/// curve, or that `take` refuses, ends it.
template <class Point, class Take>
Result<void> read_strip(const SectionView<Point>& view, std::uint64_t begin, std::uint64_t end,
                        Take&& take) {
  for (std::uint64_t i = begin; i < end; ++i) {
    const curve::Decoded<Point> point = view.point(i);
    if (!point) return fail(view.error_at(i, point_error(kStage, point.error())));
    if (point->is_infinity()) return fail(view.error_at(i, infinity_error(kStage)));
    if (!take(*point)) {
      return fail(view.error_at(i, point_error(kStage, curve::PointFault::kNotInSubgroup)));
    }
  }
  return {};
}

/// Reads a section strip by strip: lane k takes every lanes-th strip, `take(lane, first)` makes
/// what gets its points.
template <class Point, class MakeTake>
Result<void> read_section(const SectionView<Point>& view, std::size_t lanes, const WorkView& work,
                          trace::Span& span, MakeTake&& make_take) {
  const std::uint64_t strips = (view.size() + view.strip - 1) / view.strip;
  std::vector<Result<void>> outcomes(strips);
  work.executor.for_each(lanes, [&](std::size_t lane) {
    for (std::uint64_t i = lane; i < strips; i += lanes) {
      if (work.cancel.cancelled()) return;
      const std::uint64_t begin = i * view.strip;
      const std::uint64_t end = std::min(begin + view.strip, view.size());
      outcomes[i] = read_strip(view, begin, end, make_take(lane, begin));
      span.advance((end - begin) * view.parameters.layout(view.section).point_bytes);
    }
  });
  BELFRY_CHECK(work.cancel.check(std::string(kStage)));
  for (auto& outcome : outcomes) BELFRY_CHECK(std::move(outcome));
  return {};
}

/// All points in buckets. Each lane owns sums, so nothing is shared.
template <class Point>
Result<BucketSums<Point>> sum_section(const SectionView<Point>& view, const WorkView& work,
                                      trace::Span& span) {
  const std::size_t lanes = 2 * std::size_t{work.executor.threads()};
  std::vector<BucketSums<Point>> sums(lanes);
  BELFRY_CHECK(
      read_section(view, lanes, work, span, [&view, &sums](std::size_t lane, std::uint64_t first) {
        return [&own = sums[lane], choices = view.choices.from(first)](const Point& point) mutable {
          own.add(choices.next_u64(), point);
          return true;
        };
      }));
  for (std::size_t lane = 1; lane < lanes; ++lane) sums[0].merge(sums[lane]);
  return std::move(sums[0]);
}

/// A short section: every point by itself.
template <class Point>
Result<void> check_each(const SectionView<Point>& view, const WorkView& work, trace::Span& span) {
  const std::size_t lanes = 2 * std::size_t{work.executor.threads()};
  return read_section(view, lanes, work, span, [](std::size_t, std::uint64_t) {
    return [](const Point& point) { return curve::in_subgroup(point); };
  });
}

/// Stores the smaller of both, whoever else does the same.
void lower(std::atomic<std::uint64_t>& least, std::uint64_t value) noexcept {
  std::uint64_t known = least.load();
  while (value < known && !least.compare_exchange_weak(known, value)) {
  }
}

/// A sum left the subgroup, so one of its points did: the first of them.
template <class Point>
Error find_culprit(const SectionView<Point>& view, std::size_t round, std::size_t bucket,
                   const Executor& executor) {
  const std::uint64_t none = view.size();
  std::atomic<std::uint64_t> first = none;
  executor.parallel_for(view.size(), kStripPoints, [&](std::size_t begin, std::size_t end) {
    hash::ChaCha choices = view.choices.from(begin);
    for (std::size_t i = begin; i < end && i < first.load(); ++i) {
      if (BucketSums<Point>::bucket(choices.next_u64(), round) != bucket) continue;
      const curve::Decoded<Point> point = view.point(i);
      if (point && curve::in_subgroup(*point)) continue;
      lower(first, i);
    }
  });
  if (first == none) {
    return Error{ErrorCode::kInvalidInput, std::string(kStage),
                 "the file changed while it was checked"}
        .in_file(view.parameters.path().string());
  }
  return view.error_at(first, point_error(kStage, curve::PointFault::kNotInSubgroup));
}

template <class Point>
Result<void> check_section(const Parameters& parameters, Section section, const WorkView& work,
                           trace::Span& span) {
  Bytes32 seed;
  BELFRY_CHECK(fill_random(seed));
  constexpr std::size_t kSums = BucketSums<Point>::kRounds * BucketSums<Point>::kBuckets;
  const bool is_short = parameters.layout(section).count <= kSums;
  const SectionView<Point> view{parameters, section, Choices(seed),
                                is_short ? kShortStripPoints : kStripPoints};
  if (is_short) return check_each(view, work, span);
  BELFRY_TRY(const BucketSums<Point> sums, sum_section(view, work, span));
  std::atomic<std::size_t> bad = kSums;
  work.executor.for_each(kSums, [&](std::size_t i) {
    if (!sums.is_good(i / BucketSums<Point>::kBuckets, i % BucketSums<Point>::kBuckets)) bad = i;
  });
  if (bad == kSums) return {};
  return fail(find_culprit(view, bad / BucketSums<Point>::kBuckets,
                           bad % BucketSums<Point>::kBuckets, work.executor));
}

}  // namespace

Result<void> check_points(const Parameters& parameters, const WorkView& work) {
  trace::Span span(work.tracer, "groth16.check_points");
  span.expect(parameters.bytes().size(), "bytes");
  for (const Section section : {Section::kH, Section::kL, Section::kA, Section::kBG1}) {
    BELFRY_CHECK(check_section<curve::G1Affine>(parameters, section, work, span));
  }
  return check_section<curve::G2Affine>(parameters, Section::kBG2, work, span);
}

}  // namespace belfry::groth16
