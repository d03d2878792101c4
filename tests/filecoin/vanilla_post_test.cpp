// bincode vanilla proofs of PoSts: the recorded bytes come back, and every damage is named.
#include "belfry/filecoin/formats/vanilla_post.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "belfry/filecoin/post/synthetic_vanilla.h"
#include "belfry/hash/sha256.h"
#include "filecoin/recorded_post.h"
#include "support/whole_error.h"

namespace belfry::filecoin {
namespace {

using Bytes = std::vector<std::uint8_t>;

PostConfig config_of(PostKind kind, std::string_view size) {
  return {kind, *find_sector(size), ApiVersion::kV1_2};
}

/// Where things lie in the proof of a 2 KiB sector in a WindowPoSt (formats.md 5.4).
constexpr std::size_t kCommR = 8;
constexpr std::size_t kSectorCount = 40;
constexpr std::size_t kProofCount = 48;
constexpr std::size_t kFirstProof = 56;
constexpr std::size_t kProofBytes = 556;
constexpr std::size_t kPath = kFirstProof + 4 + 64;  // behind variant, root, leaf

Bytes window_bytes() { return test::read_vector("window-2kib-1sector/vanilla-1.bin"); }

Error refusal(const Bytes& bytes, const PostConfig& config) {
  const auto parsed = parse_vanilla_post(bytes, config, "v.bin");
  EXPECT_FALSE(parsed);
  if (parsed) return Error{ErrorCode::kInternal, "", ""};
  test::expect_whole_error(parsed.error());
  EXPECT_EQ(parsed.error().file, "v.bin");
  return parsed.error();
}

/// The error for the window proof with a number put at a place.
template <class T>
Error refusal_with(std::size_t place, T value) {
  Bytes bytes = window_bytes();
  store_le(bytes.data() + place, value);
  return refusal(bytes, config_of(PostKind::kWindow, "2KiB"));
}

TEST(VanillaPost, RecordedBytesComeBack) {
  for (const char* folder : {"winning-2kib", "window-2kib-1sector", "window-2kib-3sectors"}) {
    const test::RecordedPost recorded = test::read_recorded_post(folder);
    for (std::size_t i = 0; i < recorded.vanilla.size(); ++i) {
      const auto parsed = parse_vanilla_post(recorded.vanilla[i], recorded.config, "v.bin");
      ASSERT_TRUE(parsed) << parsed.error().describe();
      EXPECT_EQ(parsed->sector_number, recorded.numbers[i]);
      EXPECT_EQ(parsed->inclusions.size(), recorded.config.vanilla_challenges());
      EXPECT_EQ(write_vanilla_post(*parsed, *recorded.config.sector), recorded.vanilla[i]);
    }
  }
  const test::RecordedPost top = test::read_recorded_32kib_post();
  const auto parsed = parse_vanilla_post(top.vanilla[0], top.config, "v.bin");
  ASSERT_TRUE(parsed) << parsed.error().describe();
  EXPECT_EQ(write_vanilla_post(*parsed, *top.config.sector), top.vanilla[0]);
  // The same sector and randomness as those of the specification's own files.
  EXPECT_EQ(test::read_vector("spec/wpost-2kib.bin"), window_bytes());
  EXPECT_EQ(test::read_vector("spec/winpost-2kib.bin"),
            test::read_vector("winning-2kib/vanilla-1.bin"));
}

TEST(VanillaPost, SizesOfTheSpecification) {
  const Executor executor(2);
  const auto bytes_of = [&](PostKind kind, const char* size) {
    const VanillaPost post = synthetic_post(config_of(kind, size), 1, 3, executor);
    const Bytes bytes = write_vanilla_post(post.sectors[0], *post.config.sector);
    const auto back = parse_vanilla_post(bytes, post.config, "v.bin");
    EXPECT_TRUE(back) << (back ? "" : back.error().describe());
    EXPECT_EQ(back ? write_vanilla_post(*back, *post.config.sector) : Bytes{}, bytes);
    return bytes.size();
  };
  EXPECT_EQ(bytes_of(PostKind::kWindow, "2KiB"), 5680U);
  EXPECT_EQ(bytes_of(PostKind::kWinning, "2KiB"), 36816U);
  EXPECT_EQ(bytes_of(PostKind::kWindow, "32GiB"), 24960U);
  EXPECT_EQ(bytes_of(PostKind::kWinning, "32GiB"), 164064U);
  for (const SectorParams& sector : sector_table()) {
    (void)bytes_of(PostKind::kWindow, std::string(sector.name).c_str());
  }
}

TEST(VanillaPost, EveryPrefixIsTruncated) {
  const Bytes whole = window_bytes();
  for (std::size_t size = 0; size < whole.size(); size += size < 700 ? 1 : 97) {
    const Bytes prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const Error error = refusal(prefix, config_of(PostKind::kWindow, "2KiB"));
    EXPECT_LE(*error.offset, size);
  }
}

TEST(VanillaPost, RefusesBytesBehindTheEnd) {
  Bytes bytes = window_bytes();
  bytes.push_back(0);
  EXPECT_EQ(refusal(bytes, config_of(PostKind::kWindow, "2KiB")).section, "end");
}

TEST(VanillaPost, RefusesWrongCounts) {
  constexpr std::uint64_t kHuge = UINT64_MAX;
  for (const std::uint64_t count : {std::uint64_t{0}, std::uint64_t{2}, kHuge}) {
    const Error error = refusal_with(kSectorCount, count);
    EXPECT_EQ(error.section, "vanilla_proof");
    EXPECT_EQ(error.offset, kSectorCount);
    EXPECT_EQ(error.expected, "1");
    EXPECT_EQ(error.found, std::to_string(count));
  }
  for (const std::uint64_t count : {std::uint64_t{9}, std::uint64_t{11}, kHuge}) {
    EXPECT_EQ(refusal_with(kProofCount, count).section, "inclusion_proofs");
    EXPECT_EQ(refusal_with(kPath, count).section, "inclusion_proofs[0].path");
    const Error hashes = refusal_with(kPath + 8, count);
    EXPECT_EQ(hashes.section, "inclusion_proofs[0].path[0].hashes");
    EXPECT_EQ(hashes.offset, kPath + 8);
  }
}

TEST(VanillaPost, RefusesIndicesOutsideTheirLevel) {
  // The second level of the third proof.
  const std::size_t place = kPath + 2 * kProofBytes + 8 + 2 * 240 - 8;
  const Error error = refusal_with(place, std::uint64_t{8});
  EXPECT_EQ(error.section, "inclusion_proofs[2].path[1].index");
  EXPECT_EQ(error.expected, "below 8");
  EXPECT_EQ(error.found, "8");
  EXPECT_EQ(error.offset, place);
}

TEST(VanillaPost, RefusesNodesThatAreNotCanonical) {
  const auto at = [](std::size_t place) {
    Bytes bytes = window_bytes();
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(place), 32, 0xff);
    const Error error = refusal(bytes, config_of(PostKind::kWindow, "2KiB"));
    EXPECT_EQ(error.offset, place);
    return error.section;
  };
  const std::size_t end = window_bytes().size();
  EXPECT_EQ(at(kCommR), "comm_r");
  EXPECT_EQ(at(kFirstProof + 4), "inclusion_proofs[0].root");
  EXPECT_EQ(at(kFirstProof + kProofBytes + 36), "inclusion_proofs[1].leaf");
  EXPECT_EQ(at(kPath + 16 + 3 * 32), "inclusion_proofs[0].path[0].hashes[3]");
  EXPECT_EQ(at(end - 64), "comm_c");
  EXPECT_EQ(at(end - 32), "comm_r_last");
}

TEST(VanillaPost, RefusesAnotherTreeOrKind) {
  const Error variant = refusal_with(kFirstProof, std::uint32_t{2});
  EXPECT_EQ(variant.section, "inclusion_proofs[0].data");
  EXPECT_EQ(variant.expected, "variant 0 (Single)");
  EXPECT_EQ(variant.offset, kFirstProof);
  // Window bytes in a WinningPoSt and the reverse.
  EXPECT_EQ(refusal(window_bytes(), config_of(PostKind::kWinning, "2KiB")).section,
            "inclusion_proofs");
  EXPECT_EQ(
      refusal(test::read_vector("winning-2kib/vanilla-1.bin"), config_of(PostKind::kWindow, "2KiB"))
          .section,
      "inclusion_proofs");
  // 64 GiB data marked 32 GiB, and other sizes: the variant or the depth gives them away.
  const Executor executor(2);
  const VanillaPost large = synthetic_post(config_of(PostKind::kWindow, "64GiB"), 1, 3, executor);
  const Bytes bytes = write_vanilla_post(large.sectors[0], *large.config.sector);
  const Error marked = refusal(bytes, config_of(PostKind::kWindow, "32GiB"));
  EXPECT_EQ(marked.section, "inclusion_proofs[0].data");
  EXPECT_EQ(marked.expected, "variant 1 (Sub)");
  EXPECT_EQ(refusal(window_bytes(), config_of(PostKind::kWindow, "8MiB")).section,
            "inclusion_proofs[0].path");
}

}  // namespace
}  // namespace belfry::filecoin
