// The order of streamed tiles, and that no buffer is filled while something still reads it.
#include "belfry/groth16/prove/tile_schedule.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace belfry::groth16 {
namespace {

TEST(TileMixture, PlacesEveryTileOnce) {
  for (const std::uint64_t bits : {0U, 1U, 4U, 22U, 100U}) {
    for (const std::uint64_t h : {1U, 3U, 22U, 80U}) {
      const TileMixture mixture{bits, h};
      std::uint64_t sum = 0;
      for (std::uint64_t i = 0; i < h; ++i) {
        EXPECT_LE(mixture.after(i), (bits + h - 1) / h);
        sum += mixture.after(i);
      }
      EXPECT_EQ(sum, bits);
    }
  }
}

/// A pass over streamed points: `first` tiles of L before H, then `bits` of A among those of H.
std::vector<TileJob> schedule(std::uint64_t first, std::uint64_t bits, std::uint64_t h,
                              std::size_t witnesses) {
  TileSchedule out;
  if (first > 0) out.append(Section::kL, {first * 128 - 5, 128});
  if (bits > 0) out.add_bits(Section::kA, {bits * 64 - 1, 64});
  out.append_mixture({h * 128 - 3, 128}, witnesses);
  return std::move(out).take();
}

TEST(TileSchedule, BringsEverySectionWholeAndHOnceAWitness) {
  for (const auto& [first, bits, h, witnesses] :
       {std::array{0U, 0U, 1U, 1U}, std::array{3U, 5U, 2U, 1U}, std::array{0U, 43U, 4U, 10U},
        std::array{2U, 9U, 1U, 3U}, std::array{5U, 0U, 3U, 2U}}) {
    std::map<Section, std::uint64_t> next;
    std::map<Section, std::uint64_t> sum;
    for (const TileJob& job : schedule(first, bits, h, witnesses)) {
      if (job.section == Section::kH && job.first == 0) next[Section::kH] = 0;
      EXPECT_EQ(job.first, next[job.section]);
      next[job.section] += job.count;
      sum[job.section] += job.count;
      EXPECT_EQ(job.pool == TilePool::kBits, job.section == Section::kA);
    }
    EXPECT_EQ(sum[Section::kL], first == 0 ? 0 : first * 128 - 5);
    EXPECT_EQ(sum[Section::kA], bits == 0 ? 0 : bits * 64 - 1);
    EXPECT_EQ(sum[Section::kH], std::uint64_t{witnesses} * (h * 128 - 3));
  }
}

/// TileFeed begins a tile when the one before it is queued: its buffer was released by then.
TEST(TileSchedule, FillsNoBufferThatIsStillToBeRead) {
  const auto jobs = schedule(5, 43, 4, 10);
  for (std::size_t i = 1; i < jobs.size(); ++i) {
    const bool same = jobs[i].pool == jobs[i - 1].pool && jobs[i].buffer == jobs[i - 1].buffer;
    EXPECT_FALSE(same) << i;
  }
}

/// So a tile of H waits for the one two before it alone, and bits arrive while H is summed.
TEST(TileSchedule, BitsTakeNoBufferOfH) {
  std::array<std::size_t, 2> last{2, 2};
  for (const TileJob& job : schedule(1, 43, 4, 10)) {
    std::size_t& before = last[static_cast<std::size_t>(job.pool)];
    EXPECT_NE(job.buffer, before);
    EXPECT_LT(job.buffer, kBuffersOfPool);
    before = job.buffer;
  }
}

TEST(TileSchedule, StreamedTilesHaveWholeWordsOfMasks) {
  for (unsigned log = DeviceProverOptions::kLeastTileLog; log <= 27; ++log) {
    const DeviceProverOptions options{.tile_log = log};
    EXPECT_LE(options.bit_tile(), options.streamed_tile());
    EXPECT_EQ(options.bit_tile() / 2 % 64, 0U) << "points of G2 take twice the bytes";
  }
}

}  // namespace
}  // namespace belfry::groth16
