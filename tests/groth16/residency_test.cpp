// Which way to lie in memory is chosen under which budget: no device is asked, sizes are a model of
// a 32 GiB PoRep.
#include "belfry/groth16/prove/residency.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace belfry::groth16 {
namespace {

constexpr std::uint64_t kGB = 1'000'000'000;
constexpr std::uint64_t kG1 = 96;
constexpr unsigned kLogRows = 27;

/// A circuit as far as memory goes; bytes as plans on a device say (docs/perf).
struct Model {
  /// ResidencyQuestion::tiled_sums, as recorded of WindowPoSt.
  [[nodiscard]] double tiled_sums() const { return elements ? 4.2 : 0; }

  std::string_view name;
  unsigned log_rows;
  unsigned masks;
  std::uint64_t fixed;    ///< shape, masks, lists, points of elements where they are few
  std::uint64_t witness;  ///< one
  std::uint64_t points;   ///< L, A, B1, B2
  bool elements;          ///< most points have one, so they are summed over the tiles
};
constexpr Model kPorep{"porep", kLogRows, 10, 1'500'000'000, 80'000'000, 34'530'000'000, false};
constexpr Model kWindow{"window", kLogRows, 1, 1'300'000'000, 4'060'000'000, 47'800'000'000, true};
constexpr Model kUpdate{"update", kLogRows, 10, 1'500'000'000, 2'600'000'000, 32'000'000'000, true};
constexpr Model kWinning{"winning", 19, 1, 20'000'000, 12'000'000, 150'000'000, true};

/// Bytes a sum of products takes beside points and scalars: docs/perf/gpu_msm.md at 2^22 to 2^27,
/// with few bucket sets at once.
std::uint64_t sum_bytes(std::uint64_t points) {
  constexpr std::uint64_t kBuckets = 2 * kGB;
  constexpr std::uint64_t kEach = 115;
  return kBuckets + points * kEach;
}

std::uint64_t needed(const DeviceProverOptions& options, const Model& model = kPorep) {
  constexpr std::uint64_t kScalar = 32;
  const std::uint64_t rows = std::uint64_t{1} << model.log_rows;
  const bool all = options.residency == Residency::kAll;
  const std::uint64_t tiles = 2 * options.streamed_tile() * kG1;
  std::uint64_t stays = model.fixed + options.masks * model.witness + (all ? model.points : 0);
  if (options.residency != Residency::kNone) stays += rows * kG1 * options.h_copies;
  if (options.residency == Residency::kNone) stays += tiles;
  const std::uint64_t arrays = options.room == QuotientRoom::kRoomy     ? 4
                               : options.room == QuotientRoom::kCompact ? 3
                                                                        : 2;
  const std::uint64_t own = options.residency == Residency::kH ? tiles : 0;
  const std::uint64_t first = all ? rows : options.streamed_tile();
  std::uint64_t stage = own + first * 75;
  if (model.elements) stage = std::max(stage, own + first * kScalar + sum_bytes(first));
  const std::uint64_t h_tile = options.tile_log == 0 ? rows : std::uint64_t{1} << options.tile_log;
  const std::uint64_t between =
      options.residency == Residency::kNone ? 2 * options.bit_tile() * kG1 : 0;
  return stays +
         std::max({stage, arrays * rows * kScalar, rows * kScalar + between + sum_bytes(h_tile)});
}

Result<DeviceProverOptions> choose(std::uint64_t budget, unsigned copies = 1,
                                   QuotientBasis basis = QuotientBasis::kDomain,
                                   const Model& model = kPorep) {
  return choose_residency({.basis = basis,
                           .log_rows = model.log_rows,
                           .masks = model.masks,
                           .h_copies = copies,
                           .tiled_sums = model.tiled_sums()},
                          [&](const DeviceProverOptions& options) -> Result<void> {
                            if (needed(options, model) <= budget) return {};
                            return fail(ErrorCode::kResourceExhausted, "test",
                                        std::to_string(needed(options, model)));
                          });
}

/// What is chosen for four circuits on the cards there are; "" where nothing fits.
TEST(ResidencyOfAProof, FollowsTheCircuit) {
  struct Row {
    const Model& model;
    std::array<std::string_view, 6> residency;  ///< under 12, 16, 24, 48, 80, 141 GB
    std::array<unsigned, 6> masks;
  };
  constexpr std::array<std::uint64_t, 6> kBudgets{12, 16, 24, 48, 80, 141};
  for (const Row& row :
       {Row{kPorep, {"none", "none", "none", "h", "all", "all"}, {10, 10, 10, 10, 10, 10}},
        Row{kWindow, {"", "none", "none", "h", "h", "all"}, {0, 1, 1, 1, 1, 1}},
        Row{kUpdate, {"", "none", "none", "none", "h", "all"}, {0, 1, 1, 10, 10, 10}},
        Row{kWinning, {"all", "all", "all", "all", "all", "all"}, {1, 1, 1, 1, 1, 1}}}) {
    for (std::size_t i = 0; i < kBudgets.size(); ++i) {
      const auto found = choose(kBudgets[i] * kGB, 1, QuotientBasis::kDomain, row.model);
      const std::string where = std::string(row.model.name) + ", " + std::to_string(kBudgets[i]);
      EXPECT_EQ(found ? to_string(found->residency) : "", row.residency[i]) << where;
      if (!found) {
        EXPECT_EQ(found.error().code, ErrorCode::kResourceExhausted) << where;
        continue;
      }
      EXPECT_EQ(found->masks, row.masks[i]) << where;
      EXPECT_LE(needed(*found, row.model), kBudgets[i] * kGB) << where;
    }
  }
}

TEST(ResidencyOfAProof, FollowsTheBudget) {
  struct Row {
    std::uint64_t gigabytes;
    Residency residency;
    QuotientRoom room;
    bool whole;  ///< H in one sum
  };
  for (const Row& row : {Row{141, Residency::kAll, QuotientRoom::kRoomy, true},
                         Row{80, Residency::kAll, QuotientRoom::kRoomy, true},
                         Row{48, Residency::kH, QuotientRoom::kRoomy, true},
                         Row{30, Residency::kH, QuotientRoom::kCompact, false},
                         Row{26, Residency::kNone, QuotientRoom::kRoomy, false},
                         Row{17, Residency::kNone, QuotientRoom::kCompact, false},
                         Row{13, Residency::kNone, QuotientRoom::kSpilled, false}}) {
    const auto found = choose(row.gigabytes * kGB);
    ASSERT_TRUE(found) << row.gigabytes;
    EXPECT_EQ(to_string(found->residency), to_string(row.residency)) << row.gigabytes;
    EXPECT_EQ(found->room, row.room) << row.gigabytes;
    EXPECT_EQ(found->tile_log == 0, row.whole) << row.gigabytes;
    EXPECT_EQ(found->masks, 10U) << row.gigabytes;
    EXPECT_LE(needed(*found), row.gigabytes * kGB);
  }
}

/// Seconds beside the resident proof that a choice was measured to take (docs/perf/gpu_proof.md,
/// gpu_shapes.md): a larger tile for less room pays where most sums go over tiles.
TEST(ResidencyOfAProof, WeighsTilesAgainstRoom) {
  const auto place_of = [](const std::vector<DeviceProverOptions>& choices, QuotientRoom room,
                           unsigned tile_log) {
    const auto found =
        std::find_if(choices.begin(), choices.end(), [&](const DeviceProverOptions& options) {
          return options.residency == Residency::kNone && options.room == room &&
                 options.tile_log == tile_log;
        });
    EXPECT_NE(found, choices.end());
    return found - choices.begin();
  };
  constexpr auto kRoomy = QuotientRoom::kRoomy;
  constexpr auto kCompact = QuotientRoom::kCompact;
  constexpr auto kSpilled = QuotientRoom::kSpilled;
  const auto porep = residency_choices({.basis = QuotientBasis::kDomain, .log_rows = 27});
  EXPECT_LT(place_of(porep, kRoomy, 24), place_of(porep, kCompact, 25));
  EXPECT_LT(place_of(porep, kCompact, 23), place_of(porep, kRoomy, 22));
  EXPECT_LT(place_of(porep, kCompact, 22), place_of(porep, kSpilled, 23));
  const auto window = residency_choices(
      {.basis = QuotientBasis::kDomain, .log_rows = 27, .tiled_sums = kWindow.tiled_sums()});
  EXPECT_LT(place_of(window, kCompact, 25), place_of(window, kRoomy, 24));
  EXPECT_LT(place_of(window, kSpilled, 23), place_of(window, kRoomy, 22));
}

TEST(ResidencyOfAProof, CountsSumsThatGoOverTiles) {
  std::array<QueryTail, 3> tails{};
  tails[0] = {.covers_all = true, .points = {}, .values = {}, .elements = 1 << 20};
  EXPECT_DOUBLE_EQ(tiled_sums(tails, 20), 1.0);
  tails[1] = {.covers_all = false, .points = {}, .values = {}, .elements = 1 << 20};
  EXPECT_DOUBLE_EQ(tiled_sums(tails, 20), 1.0);
  tails[2] = {.covers_all = true, .points = {}, .values = {}, .elements = 1 << 19};
  EXPECT_GT(tiled_sums(tails, 20), 2.0);  // G1 and, at more than twice the price, G2
}

TEST(ResidencyOfAProof, CopiesAreTakenWhereTheyFit) {
  EXPECT_EQ(choose(141 * kGB, 4)->h_copies, 4U);
  EXPECT_EQ(choose(80 * kGB, 4)->h_copies, 1U);
  EXPECT_EQ(choose(80 * kGB, 4)->residency, Residency::kAll);
}

TEST(ResidencyOfAProof, EndsWithTheLastErrorOrAnyOther) {
  const auto none = choose(5 * kGB);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kResourceExhausted);
  unsigned calls = 0;
  const auto other = choose_residency({QuotientBasis::kDomain, kLogRows, 10, 1},
                                      [&](const DeviceProverOptions&) -> Result<void> {
                                        ++calls;
                                        return fail(ErrorCode::kInternal, "test", "no");
                                      });
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, ErrorCode::kInternal);
  EXPECT_EQ(calls, 1U);
}

TEST(ResidencyOfAProof, NeverNeedsMoreFurtherDownAResidency) {
  // Within one residency and room smaller tiles need less.
  for (const auto basis : {QuotientBasis::kCoefficients, QuotientBasis::kDomain}) {
    const auto choices = residency_choices({basis, kLogRows, 10, 1});
    for (std::size_t i = 1; i < choices.size(); ++i) {
      const DeviceProverOptions& a = choices[i - 1];
      const DeviceProverOptions& b = choices[i];
      if (a.residency != b.residency || a.masks != b.masks || a.room != b.room) continue;
      EXPECT_LE(needed(b), needed(a));
    }
    EXPECT_EQ(choices.back().masks, 1U);
    EXPECT_EQ(choices.back().residency, Residency::kNone);
  }
}

TEST(ResidencyOfAProof, SmallDomainsHaveSmallTiles) {
  for (const DeviceProverOptions& options : residency_choices({QuotientBasis::kDomain, 9, 1, 1})) {
    EXPECT_LE(options.tile_log, 9U);
    EXPECT_FALSE(options.residency == Residency::kNone && options.tile_log == 0);
  }
}

TEST(PointTiles, CoverAllPointsOnce) {
  for (const std::uint64_t points : {0U, 1U, 127U, 128U, 129U, 1000U}) {
    for (const std::uint64_t tile : {0U, 128U, 256U}) {
      const PointTiles tiles{points, tile};
      std::uint64_t next = 0;
      for (std::uint64_t k = 0; k < tiles.count(); ++k) {
        EXPECT_EQ(tiles.begin(k), next);
        next += tiles.size(k);
        EXPECT_TRUE(k + 1 == tiles.count() || tiles.size(k) == tile);
      }
      EXPECT_EQ(next, points);
    }
  }
}

TEST(Serving, ALastSmallerBatchNeedsNothingNew) {
  const DeviceProverOptions have{.masks = 4, .residency = Residency::kH, .tile_log = 22};
  DeviceProverOptions wanted = have;
  for (unsigned masks = 1; masks <= 5; ++masks) {
    wanted.masks = masks;
    EXPECT_EQ(serves(have, wanted), masks <= 4) << masks;
  }
  wanted.masks = 2;
  const auto differs = [&](auto member, auto value) {
    DeviceProverOptions other = wanted;
    other.*member = value;
    return !serves(have, other);
  };
  EXPECT_TRUE(differs(&DeviceProverOptions::residency, Residency::kAll));
  EXPECT_TRUE(differs(&DeviceProverOptions::room, QuotientRoom::kCompact));
  EXPECT_TRUE(differs(&DeviceProverOptions::tile_log, 21U));
  EXPECT_TRUE(differs(&DeviceProverOptions::lanes, 2U));
  EXPECT_TRUE(differs(&DeviceProverOptions::h_copies, 2U));
}

TEST(Rooms, HaveNames) {
  EXPECT_EQ(to_string(QuotientRoom::kRoomy), "roomy");
  EXPECT_EQ(to_string(QuotientRoom::kCompact), "compact");
  EXPECT_EQ(to_string(QuotientRoom::kSpilled), "spilled");
}

}  // namespace
}  // namespace belfry::groth16
