#include "belfry/filecoin/native/fr32.h"

#include <gtest/gtest.h>

#include <vector>

#include "belfry/filecoin/native/node_file.h"
#include "filecoin/sealed_sector.h"
#include "support/vectors.h"

namespace belfry::filecoin {
namespace {

std::vector<std::uint8_t> padded(const std::vector<std::uint8_t>& data) {
  std::vector<Node> nodes(fr32_nodes(data.size()));
  fr32_pad(data, 0, nodes);
  const ByteSpan bytes = bytes_of(nodes);
  return {bytes.begin(), bytes.end()};
}

/// Bit by bit, as formats.md 3.3 says it.
std::vector<std::uint8_t> padded_slowly(const std::vector<std::uint8_t>& data) {
  std::vector<std::uint8_t> out(fr32_nodes(data.size()) * 32);
  for (std::size_t bit = 0; bit < 8 * data.size(); ++bit) {
    const std::size_t to = bit / 254 * 256 + bit % 254;
    const unsigned value = (data[bit / 8] >> (bit % 8)) & 1U;
    out[to / 8] = static_cast<std::uint8_t>(out[to / 8] | (value << (to % 8)));
  }
  return out;
}

TEST(Fr32, VectorsOfTheReference) {
  std::vector<std::uint8_t> data;
  for (int half = 0; half < 2; ++half) {
    for (std::uint8_t i = 1; i < 32; ++i) data.push_back(i);
    data.push_back(0xff);
  }
  data.insert(data.end(), {9, 9, 9, 0xff});
  const auto out = padded(data);
  ASSERT_EQ(out.size(), 96U);
  for (std::size_t i = 0; i < 31; ++i) EXPECT_EQ(out[i], i + 1);
  EXPECT_EQ(out[31], 0x3f);
  EXPECT_EQ(out[32], 0x07);
  for (std::size_t i = 33; i < 63; ++i) EXPECT_EQ(out[i], (i - 31) * 4);
  EXPECT_EQ(out[63], 0x3c);
  const std::vector<std::uint8_t> tail{0x9f, 0x90, 0x90, 0xf0, 0x0f};
  EXPECT_TRUE(std::equal(tail.begin(), tail.end(), out.begin() + 64));
  for (std::size_t i = 69; i < 96; ++i) EXPECT_EQ(out[i], 0);

  EXPECT_EQ(padded(std::vector<std::uint8_t>(30, 3)).size(), 32U);
  const auto ones = padded(std::vector<std::uint8_t>(127, 0xff));
  EXPECT_EQ(ones.size(), 128U);
  EXPECT_EQ(ones[31], 0x3f);
  EXPECT_EQ(ones[32], 0xff);
}

TEST(Fr32, EqualsBitByBitAtEveryLength) {
  for (std::size_t size = 0; size < 260; ++size) {
    const auto data = test::sector_data(size, 17);
    ASSERT_EQ(padded(data), padded_slowly(data)) << size;
  }
}

TEST(Fr32, AnyRangeAndZerosBehindTheEnd) {
  const auto data = test::sector_data(500, 3);
  std::vector<Node> all(32);
  fr32_pad(data, 0, all);
  for (std::size_t i = fr32_nodes(500); i < all.size(); ++i) EXPECT_EQ(all[i], Node());
  for (std::size_t first = 0; first < all.size(); ++first) {
    std::vector<Node> some(all.size() - first);
    fr32_pad(data, first, some);
    ASSERT_TRUE(std::equal(some.begin(), some.end(), all.begin() + static_cast<long>(first)));
  }
}

TEST(Fr32, PadsTheRecordedSector) {
  EXPECT_EQ(padded(test::sector_data(2032, 0)), test::read_vector("spec/padded-2kib.bin"));
  EXPECT_EQ(unpadded_size(2048), 2032U);
}

}  // namespace
}  // namespace belfry::filecoin
