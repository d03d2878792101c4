#include "belfry/groth16/aggregate/srs.h"

#include <algorithm>
#include <string>
#include <utility>

#include "belfry/base/try_for_each.h"
#include "belfry/curve/encoding.h"
#include "belfry/groth16/aggregate/aggregate_proof.h"
#include "belfry/groth16/aggregate/folding.h"
#include "belfry/groth16/params/point_reader.h"
#include "belfry/groth16/params/text_guess.h"
#include "belfry/msm/fixed_base.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kSrsStage = "groth16.aggregate.srs";
/// Powers for the most proofs, and one.
constexpr std::uint64_t kMostPowers = kMostAggregatedProofs + 1;
constexpr std::uint64_t kFewestPowers = 2;
constexpr std::array kSrsOrder{SrsList::kGAlpha, SrsList::kGBeta, SrsList::kHAlpha,
                               SrsList::kHBeta};

bool is_in_g1(SrsList list) noexcept { return list == SrsList::kGAlpha || list == SrsList::kGBeta; }

std::uint64_t srs_point_bytes(SrsList list) noexcept {
  return is_in_g1(list) ? curve::kCompressedSize<curve::G1Affine>
                        : curve::kCompressedSize<curve::G2Affine>;
}

Result<std::uint64_t> take_powers(ByteReader& reader, SrsList list) {
  const std::string_view name = to_string(list);
  const Error where = reader.error(name, "not a number of powers");
  BELFRY_TRY(const std::uint64_t count, take_count(reader, srs_point_bytes(list), name));
  if (count >= kFewestPowers && count <= kMostPowers) return count;
  return fail(Error(where).but(
      "from " + std::to_string(kFewestPowers) + " to " + std::to_string(kMostPowers),
      std::to_string(count)));
}

/// A finite point of the subgroup, or an error without its place.
template <class Point>
Result<Point> decode_power(std::span<const std::uint8_t, curve::kCompressedSize<Point>> bytes) {
  const auto point = curve::decode_compressed<Point>(bytes);
  if (!point) return fail(point_error(kSrsStage, point.error()));
  if (point->is_infinity()) return fail(infinity_error(kSrsStage));
  return *point;
}

std::string name_of(SrsList list, std::uint64_t index) {
  return std::string(to_string(list)) + "[" + std::to_string(index) + "]";
}

template <class Point>
void append_powers(std::vector<std::uint8_t>& out, std::span<const Point> points) {
  std::array<std::uint8_t, sizeof(std::uint32_t)> count{};
  store_be(count.data(), static_cast<std::uint32_t>(points.size()));
  out.insert(out.end(), count.begin(), count.end());
  for (const Point& point : points) {
    const auto bytes = curve::encode_compressed(point);
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
}

/// Both lists of one group.
template <class Curve>
Result<void> append_lists(std::vector<std::uint8_t>& out, const SrsTrapdoor& trapdoor,
                          std::size_t count, const Executor& executor) {
  const msm::FixedBase<Curve> generator(Curve::generator(), 2 * count, executor);
  std::vector<typename Curve::Affine> points(count);
  for (const Fr& secret : {trapdoor.alpha, trapdoor.beta}) {
    BELFRY_CHECK(generator.multiply(powers(secret, count), points, executor));
    append_powers<typename Curve::Affine>(out, points);
  }
  return {};
}

}  // namespace

std::string_view to_string(SrsList list) noexcept {
  switch (list) {
    case SrsList::kGAlpha:
      return "g_alpha_powers";
    case SrsList::kGBeta:
      return "g_beta_powers";
    case SrsList::kHAlpha:
      return "h_alpha_powers";
    case SrsList::kHBeta:
      break;
  }
  return "h_beta_powers";
}

Result<AggregationSrs> AggregationSrs::open(const std::filesystem::path& path) {
  BELFRY_TRY(MappedFile file, MappedFile::open(path));
  const std::string name = path.string();
  BELFRY_CHECK(refuse_text(file.bytes(), kSrsStage, name));
  ByteReader reader(file.bytes(), kSrsStage, name);
  std::array<ListLayout, kSrsLists> layout;
  for (const SrsList list : kSrsOrder) {
    ListLayout& entry = layout[static_cast<std::size_t>(list)];
    BELFRY_TRY(entry.count, take_powers(reader, list));
    entry.offset = reader.offset();
    BELFRY_TRY(const ByteSpan skipped,
               reader.take(entry.count * srs_point_bytes(list), to_string(list)));
    (void)skipped;
  }
  BELFRY_CHECK(reader.finish());
  return AggregationSrs(std::move(file), layout);
}

template <class Point>
Result<std::vector<Point>> AggregationSrs::read(SrsList list, std::uint64_t begin,
                                                std::size_t count, const Executor& executor) const {
  constexpr std::size_t kGrain = 16;
  constexpr std::size_t kBytes = curve::kCompressedSize<Point>;
  std::vector<Point> points(count);
  const std::size_t tasks = (count + kGrain - 1) / kGrain;
  const std::uint64_t from = layout(list).offset;
  const auto read_task = [&](std::size_t task) -> Result<void> {
    const std::size_t end = std::min((task + 1) * kGrain, count);
    for (std::size_t i = task * kGrain; i < end; ++i) {
      const std::uint64_t at = from + (begin + i) * kBytes;
      auto point = decode_power<Point>(file_.bytes().subspan(at).template first<kBytes>());
      if (!point)
        return fail(std::move(point.error())
                        .in_file(path().string())
                        .in_section(name_of(list, begin + i))
                        .at(at));
      points[i] = *point;
    }
    return {};
  };
  BELFRY_CHECK(try_for_each(executor, tasks, read_task));
  return points;
}
template Result<std::vector<curve::G1Affine>> AggregationSrs::read(SrsList, std::uint64_t,
                                                                   std::size_t,
                                                                   const Executor&) const;
template Result<std::vector<curve::G2Affine>> AggregationSrs::read(SrsList, std::uint64_t,
                                                                   std::size_t,
                                                                   const Executor&) const;

Result<void> AggregationSrs::check_size(std::size_t proofs) const {
  for (const SrsList list : kSrsOrder) {
    const std::size_t needed = is_in_g1(list) ? 2 * proofs : proofs;
    if (count(list) >= needed) continue;
    return fail(invalid(std::string(kSrsStage), "the SRS is too small for so many proofs")
                    .in_file(path().string())
                    .in_section(std::string(to_string(list)))
                    .at(count_offset(list))
                    .but(std::to_string(needed) + " powers for " + std::to_string(proofs) +
                             " proofs, padding included",
                         std::to_string(count(list))));
  }
  return {};
}

Error AggregationSrs::placed(Error error) const {
  if (error.code != ErrorCode::kInvalidInput || !error.file.empty()) return error;
  error.file = path().string();
  for (const SrsList list : kSrsOrder) {
    if (error.section == to_string(list)) error.offset = count_offset(list);
  }
  return error;
}

Result<AggregationKey> AggregationSrs::proving_key(std::size_t proofs,
                                                   const Executor& executor) const {
  BELFRY_CHECK(check_size(proofs));
  AggregationKey key;
  BELFRY_TRY(key.g_alpha, read<curve::G1Affine>(SrsList::kGAlpha, 0, 2 * proofs, executor));
  BELFRY_TRY(key.g_beta, read<curve::G1Affine>(SrsList::kGBeta, 0, 2 * proofs, executor));
  BELFRY_TRY(key.h_alpha, read<curve::G2Affine>(SrsList::kHAlpha, 0, proofs, executor));
  BELFRY_TRY(key.h_beta, read<curve::G2Affine>(SrsList::kHBeta, 0, proofs, executor));
  return key;
}

Result<AggregationVerifyingKey> AggregationSrs::verifying_key() const {
  const Executor alone(1);
  BELFRY_TRY(const auto g_alpha, read<curve::G1Affine>(SrsList::kGAlpha, 0, 2, alone));
  BELFRY_TRY(const auto g_beta, read<curve::G1Affine>(SrsList::kGBeta, 1, 1, alone));
  BELFRY_TRY(const auto h_alpha, read<curve::G2Affine>(SrsList::kHAlpha, 0, 2, alone));
  BELFRY_TRY(const auto h_beta, read<curve::G2Affine>(SrsList::kHBeta, 1, 1, alone));
  const AggregationVerifyingKey key{.g = g_alpha[0],
                                    .h = h_alpha[0],
                                    .g_powers = {g_alpha[1], g_beta[0]},
                                    .h_powers = {h_alpha[1], h_beta[0]}};
  const auto checked = check_secrets(key);
  if (!checked) return fail(placed(checked.error()));
  return key;
}

Result<std::vector<std::uint8_t>> make_test_srs(const SrsTrapdoor& trapdoor, std::size_t count,
                                                const Executor& executor) {
  std::vector<std::uint8_t> out;
  BELFRY_CHECK(append_lists<curve::G1>(out, trapdoor, count, executor));
  BELFRY_CHECK(append_lists<curve::G2>(out, trapdoor, count, executor));
  return out;
}

}  // namespace belfry::groth16
