#include <gtest/gtest.h>

#include "belfry/groth16/params/params.h"
#include "groth16/support.h"
#include "support/whole_error.h"

namespace belfry::groth16 {
namespace {

using belfry::test::read_vector;
using belfry::test::TempDir;
using test::Bytes;

TEST(VerifyingKeyFile, EveryTruncationNamesWhatIsMissing) {
  const Bytes bytes = read_vector("mini/tiny/tiny.vk");
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    const auto key = parse_verifying_key(ByteSpan(bytes).first(size), "key.vk");
    ASSERT_FALSE(key) << size;
    belfry::test::expect_whole_error(key.error(), std::to_string(size));
    EXPECT_EQ(key.error().file, "key.vk");
    EXPECT_LE(key.error().offset, size);
  }
}

TEST(VerifyingKeyFile, AHugeCountIsRefusedBeforeAnythingIsAllocated) {
  Bytes bytes = read_vector("mini/tiny/tiny.vk");
  store_be(bytes.data() + 864, std::uint32_t{0xffffffff});
  const auto key = parse_verifying_key(bytes, "key.vk");
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().section, "ic");
  EXPECT_EQ(key.error().offset, 864U);
  EXPECT_EQ(key.error().found, "4294967295");
}

TEST(VerifyingKeyFile, TrailingBytesTextAndEmptinessAreRefused) {
  const TempDir dir;
  const auto path = dir.path() / "key.vk";
  Bytes bytes = read_vector("mini/tiny/tiny.vk");
  test::write_bytes(path, bytes);
  EXPECT_TRUE(read_verifying_key(path));
  const auto refuse = [&path](ByteSpan content) {
    test::write_bytes(path, content);
    const auto key = read_verifying_key(path);
    EXPECT_FALSE(key);
    if (key) return Error{ErrorCode::kInternal, "", "accepted"};
    belfry::test::expect_whole_error(key.error());
    return key.error();
  };
  bytes.push_back(0);
  EXPECT_EQ(refuse(bytes).section, "end");
  EXPECT_EQ(refuse({}).message, "the file is empty");
  EXPECT_EQ(refuse(as_bytes("not found\n")).message, "the file looks like text");
  store_be(bytes.data() + 864, std::uint32_t{0});
  bytes.resize(868);
  EXPECT_EQ(refuse(bytes).section, "ic");
}

}  // namespace
}  // namespace belfry::groth16
