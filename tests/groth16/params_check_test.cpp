// The full check of a file, with the key beside it and its cached verdict.
#include <chrono>

#include "belfry/groth16/params/check.h"
#include "groth16/parameters_file.h"

namespace belfry::groth16 {
namespace {

using test::Bytes;
using test::ParametersFile;

TEST_F(ParametersFile, ANeighbouringKeyMustBeTheSame) {
  test::write_bytes(path_, good_);
  const auto vk = dir_.path() / "file.vk";
  Bytes key(good_.begin(), good_.begin() + static_cast<std::ptrdiff_t>(verifying_key_bytes(4)));
  test::write_bytes(vk, key);
  EXPECT_TRUE(check_file(path_, {}, {executor_}));
  for (const std::size_t size : {key.size() - 1, key.size() + 1}) {
    Bytes other = key;
    other.resize(size);
    test::write_bytes(vk, other);
    const auto outcome = check_file(path_, {}, {executor_});
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().file, vk.string());
  }
  key[100] ^= 1;
  test::write_bytes(vk, key);
  const auto outcome = check_file(path_, {}, {executor_});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().offset, 100u);
}

TEST_F(ParametersFile, CancelEndsTheCheck) {
  CancelSource source;
  source.cancel();
  const auto outcome = check_points(parameters_, {executor_, nullptr, source.token()});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
}

TEST_F(ParametersFile, CancelEndsTheDigestOfAFileWhoseVerdictIsKnown) {
  test::write_bytes(path_, good_);
  const auto cache = dir_.path() / "cache";
  ASSERT_TRUE(check_file(path_, cache, {executor_}));
  CancelSource source;
  source.cancel();
  const auto outcome = check_file(path_, cache, {executor_, nullptr, source.token()});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::kCancelled);
  EXPECT_EQ(file_digest(good_, CancelToken()), file_digest(good_));
}

TEST_F(ParametersFile, AVerdictIsKeptAndBoundToTheBytes) {
  test::write_bytes(path_, good_);
  const auto cache = dir_.path() / "cache";
  EXPECT_FALSE(test::value_of(check_file(path_, cache, {executor_})).from_cache);
  EXPECT_TRUE(test::value_of(check_file(path_, cache, {executor_})).from_cache);

  // The same size and time, but a bad point: the digest tells.
  const auto time = std::filesystem::last_write_time(path_);
  Bytes bad = good_;
  bad[parameters_.layout(Section::kL).points_offset() + 5] ^= 1;
  test::write_bytes(path_, bad);
  std::filesystem::last_write_time(path_, time);
  EXPECT_FALSE(check_file(path_, cache, {executor_}));

  // The good bytes with another time are another file.
  test::write_bytes(path_, good_);
  std::filesystem::last_write_time(path_, time + std::chrono::seconds(1));
  EXPECT_FALSE(test::value_of(check_file(path_, cache, {executor_})).from_cache);
}

TEST_F(ParametersFile, ADamagedVerdictIsNone) {
  test::write_bytes(path_, good_);
  const VerdictCache cache(dir_.path() / "cache");
  const FileIdentity identity = test::value_of(identify(path_));
  const FileDigest digest = file_digest(good_);
  EXPECT_FALSE(cache.find(identity));
  ASSERT_TRUE(cache.store(identity, digest));
  EXPECT_EQ(cache.find(identity), digest);
  const auto verdict = std::filesystem::directory_iterator(dir_.path() / "cache")->path();
  const Bytes stored = test::read_bytes(verdict);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    Bytes damaged = stored;
    damaged[i] ^= 0x80;
    test::write_bytes(verdict, damaged);
    EXPECT_FALSE(cache.find(identity)) << i;
    test::write_bytes(verdict, ByteSpan(stored).first(i));
    EXPECT_FALSE(cache.find(identity)) << i;
  }
  test::write_bytes(verdict, stored);
  EXPECT_TRUE(cache.holds(identity, digest));
  EXPECT_FALSE(cache.holds(identity, file_digest(Bytes{})));
}

}  // namespace
}  // namespace belfry::groth16
