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

/// Decodes points [begin, end) into `sums`; the first that is no finite point of the curve ends it.
template <class Point>
Result<void> add_strip(const SectionView<Point>& view, std::uint64_t begin, std::uint64_t end,
                       BucketSums<Point>& sums) {
  hash::ChaCha choices = view.choices.from(begin);
  for (std::uint64_t i = begin; i < end; ++i) {
    const curve::Decoded<Point> point = view.point(i);
    if (!point) return fail(view.error_at(i, point_error(kStage, point.error())));
    if (point->is_infinity()) return fail(view.error_at(i, infinity_error(kStage)));
    sums.add(choices.next_u64(), *point);
  }
  return {};
}

/// All points in buckets. Each lane owns sums and takes every n-th strip, so nothing is shared.
template <class Point>
Result<BucketSums<Point>> sum_section(const SectionView<Point>& view, const WorkView& work,
                                      trace::Span& span) {
  const std::uint64_t strips = (view.size() + kStripPoints - 1) / kStripPoints;
  const std::size_t lanes = 2 * std::size_t{work.executor.threads()};
  std::vector<BucketSums<Point>> sums(lanes);
  std::vector<Result<void>> outcomes(strips);
  work.executor.for_each(lanes, [&](std::size_t lane) {
    for (std::uint64_t strip = lane; strip < strips; strip += lanes) {
      if (work.cancel.cancelled()) return;
      const std::uint64_t begin = strip * kStripPoints;
      const std::uint64_t end = std::min(begin + kStripPoints, view.size());
      outcomes[strip] = add_strip(view, begin, end, sums[lane]);
      span.advance((end - begin) * view.parameters.layout(view.section).point_bytes);
    }
  });
  BELFRY_CHECK(work.cancel.check(std::string(kStage)));
  for (auto& outcome : outcomes) BELFRY_CHECK(std::move(outcome));
  for (std::size_t lane = 1; lane < lanes; ++lane) sums[0].merge(sums[lane]);
  return std::move(sums[0]);
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
      std::uint64_t known = first.load();
      while (i < known && !first.compare_exchange_weak(known, i)) {
      }
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
  const SectionView<Point> view{parameters, section, Choices(seed)};
  BELFRY_TRY(const BucketSums<Point> sums, sum_section(view, work, span));
  constexpr std::size_t kSums = BucketSums<Point>::kRounds * BucketSums<Point>::kBuckets;
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
