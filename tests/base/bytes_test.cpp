#include "belfry/base/bytes.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace belfry {
namespace {

TEST(LoadStore, PlacesBytesByEndianness) {
  std::array<std::uint8_t, 9> raw{};
  store_le<std::uint32_t>(raw.data() + 1, 0x01020304U);
  EXPECT_EQ((std::array<std::uint8_t, 9>{0, 4, 3, 2, 1}), raw);
  EXPECT_EQ(load_le<std::uint32_t>(raw.data() + 1), 0x01020304U);
  EXPECT_EQ(load_be<std::uint32_t>(raw.data() + 1), 0x04030201U);
  store_be<std::uint64_t>(raw.data(), 0xF102030405060708U);
  EXPECT_EQ((std::array<std::uint8_t, 9>{0xF1, 2, 3, 4, 5, 6, 7, 8, 0}), raw);
  EXPECT_EQ(load_be<std::uint64_t>(raw.data()), 0xF102030405060708U);
  EXPECT_EQ(load_le<std::uint64_t>(raw.data()), 0x08070605040302F1U);
  EXPECT_EQ(load_be<std::uint16_t>(raw.data()), 0xF102U);
}

TEST(Hex, RoundTripsAndAcceptsEitherCase) {
  const std::vector<std::uint8_t> bytes{0x00, 0x9a, 0xff};
  EXPECT_EQ(to_hex(bytes), "009aff");
  EXPECT_EQ(from_hex("009aff"), bytes);
  EXPECT_EQ(from_hex("009AfF"), bytes);
  EXPECT_EQ(from_hex(""), std::vector<std::uint8_t>{});
}

TEST(Hex, RefusesOddLengthPrefixAndOtherCharacters) {
  for (const char* text : {"0", "0x00", "g0", "0g", " 00", "00 ", "0\n"}) {
    EXPECT_FALSE(from_hex(text).has_value()) << text;
  }
}

TEST(Hex, ThirtyTwoBytesAreExact) {
  EXPECT_TRUE(bytes32_from_hex(std::string(64, 'a')).has_value());
  EXPECT_FALSE(bytes32_from_hex(std::string(62, 'a')).has_value());
  EXPECT_FALSE(bytes32_from_hex(std::string(66, 'a')).has_value());
  EXPECT_FALSE(bytes32_from_hex(std::string(64, 'x')).has_value());
}

TEST(ByteReader, WalksToTheEnd) {
  const std::vector<std::uint8_t> raw{1, 2, 3, 4, 5, 6, 7};
  ByteReader reader(raw, "test.read", "file.bin");
  EXPECT_EQ(reader.take_le<std::uint16_t>("a").value(), 0x0201);
  EXPECT_EQ(reader.take_be<std::uint32_t>("b").value(), 0x03040506U);
  EXPECT_EQ(reader.offset(), 6U);
  EXPECT_EQ(reader.remaining(), 1U);
  EXPECT_EQ(reader.take(1, "c").value().front(), 7);
  EXPECT_TRUE(reader.take(0, "nothing").has_value());
  EXPECT_TRUE(reader.finish().has_value());
}

TEST(ByteReader, NamesTheFieldThatIsCut) {
  const std::vector<std::uint8_t> raw{1, 2, 3};
  ByteReader reader(raw, "test.read", "file.bin");
  ASSERT_TRUE(reader.take(1, "first").has_value());
  const auto cut = reader.take_le<std::uint32_t>("second");
  ASSERT_FALSE(cut.has_value());
  EXPECT_EQ(cut.error().code, ErrorCode::kInvalidInput);
  EXPECT_EQ(cut.error().stage, "test.read");
  EXPECT_EQ(cut.error().file, "file.bin");
  EXPECT_EQ(cut.error().section, "second");
  EXPECT_EQ(cut.error().offset, 1U);
  EXPECT_EQ(cut.error().expected, "4 more bytes");
  EXPECT_EQ(cut.error().found, "2");
  EXPECT_EQ(reader.offset(), 1U) << "a failed read takes nothing";
}

TEST(ByteReader, HugeSizesDoNotWrapAround) {
  const std::vector<std::uint8_t> raw{1, 2, 3};
  ByteReader reader(raw, "test.read", "file.bin");
  ASSERT_TRUE(reader.take(2, "first").has_value());
  EXPECT_FALSE(reader.take(~std::uint64_t{0}, "count").has_value());
}

TEST(ByteReader, SaysWhenTheFileIsEmptyOrTooLong) {
  ByteReader empty({}, "test.read", "file.bin");
  EXPECT_EQ(empty.take(1, "magic").error().message, "the file is empty");
  const std::vector<std::uint8_t> raw{1, 2};
  ByteReader reader(raw, "test.read", "file.bin");
  ASSERT_TRUE(reader.take(1, "all").has_value());
  const auto end = reader.finish();
  ASSERT_FALSE(end.has_value());
  EXPECT_EQ(end.error().section, "end");
  EXPECT_EQ(end.error().expected, "1 bytes");
  EXPECT_EQ(end.error().found, "2");
}

}  // namespace
}  // namespace belfry
