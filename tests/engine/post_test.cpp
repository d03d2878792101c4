// What a PoSt request is refused for before any proving, and recorded proofs under recorded keys.
#include "belfry/engine/jobs/post.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "belfry/filecoin/post/synthetic_vanilla.h"
#include "engine/recorded_files.h"
#include "support/temp_dir.h"

namespace belfry::engine {
namespace {

using belfry::test::read_recorded_post;
using belfry::test::read_vector;

const std::string kWindow = "window-2kib-3sectors";
const std::string kWinning = "winning-2kib";

class PostRequests : public testing::Test {
 protected:
  /// The error of a request that has to fail; there are no parameters here.
  template <class Proof>
  static Error refused(const Proof& proof) {
    EXPECT_FALSE(proof);
    return proof ? Error{ErrorCode::kInternal, "", "accepted"} : proof.error();
  }
  Error refuse_window(std::span<const VanillaFileView> vanilla, const PostRequest& request) {
    return refused(prove_window(vanilla, request, {}, options_));
  }
  Error refuse_winning(const VanillaFileView& vanilla, const PostRequest& request) {
    return refused(prove_winning(vanilla, request, {}, options_));
  }

  belfry::test::TempDir dir_;
  Executor executor_{2};
  JobOptions options_{.params_dir = dir_.path(),
                      .cache_dir = dir_ / "cache",
                      .backend = BackendPolicy::kCpu,
                      .executor = executor_};
  test::RecordedFiles window_{read_recorded_post(kWindow)};
  test::RecordedFiles winning_{read_recorded_post(kWinning)};
  PostRequest window_request_ = test::recorded_request(kWindow);
  PostRequest winning_request_ = test::recorded_request(kWinning);
};

TEST_F(PostRequests, GoodOnesFailForTheirParametersAlone) {
  EXPECT_EQ(refuse_window(window_.views(), window_request_).code, ErrorCode::kNotFound);
  EXPECT_EQ(refuse_winning(winning_.views().front(), winning_request_).code, ErrorCode::kNotFound);
  // Files in any order.
  auto views = window_.views();
  std::ranges::reverse(views);
  EXPECT_EQ(refuse_window(views, window_request_).code, ErrorCode::kNotFound);
}

TEST_F(PostRequests, KindsDoNotMix) {
  for (const Error& error : {refuse_window(window_.views(), winning_request_),
                             refuse_winning(winning_.views().front(), window_request_)}) {
    EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
    EXPECT_EQ(error.section, "proof_type");
  }
  // The right type, the other kind's bytes.
  EXPECT_EQ(refuse_window(winning_.views(), window_request_).section,
            "partition 0, sector 1, inclusion_proofs");
  EXPECT_EQ(refuse_winning(window_.views().front(), winning_request_).section,
            "partition 0, sector 1, inclusion_proofs");
}

TEST_F(PostRequests, AnotherSectorSizeIsNamed) {
  // 64 GiB data marked 32 GiB.
  const auto large = *filecoin::find_post_proof("StackedDrgWindow64GiBV1_2");
  const auto post = filecoin::synthetic_post(large.config(), 1, 1, executor_);
  const auto bytes = filecoin::write_vanilla_post(post.sectors[0], *large.sector);
  PostRequest request{.type = *filecoin::find_post_proof("StackedDrgWindow32GiBV1_2")};
  request.randomness = post.randomness.bytes();
  const VanillaFileView file{bytes, "vanilla-1.bin"};
  const Error error = refuse_window({&file, 1}, request);
  EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
  EXPECT_EQ(error.file, "vanilla-1.bin");
  EXPECT_EQ(error.section, "partition 0, sector 1, inclusion_proofs[0].data");
  request.type = large;
  EXPECT_EQ(refuse_window({&file, 1}, request).code, ErrorCode::kNotFound);
}

TEST_F(PostRequests, NumbersOfSectorsAndPartitionsAgree) {
  EXPECT_EQ(refuse_window({}, window_request_).code, ErrorCode::kInvalidInput);
  auto twice = window_.views();
  twice.push_back(twice.front());
  const Error error = refuse_window(twice, window_request_);
  EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
  EXPECT_EQ(error.section, "sector 1, sector_number");
  EXPECT_EQ(error.file, "vanilla-1.bin");
  EXPECT_EQ(error.found, "vanilla-1.bin");
  EXPECT_TRUE(error.hint.ends_with("Name one file of each sector")) << error.hint;
  winning_request_.first_partition = 1;
  EXPECT_EQ(refuse_winning(winning_.views().front(), winning_request_).code,
            ErrorCode::kInvalidInput);
}

TEST_F(PostRequests, ContradictionsNameTheirPlace) {
  window_request_.randomness.fill(0xff);
  EXPECT_EQ(refuse_window(window_.views(), window_request_).section, "randomness");
  window_request_.randomness.fill(4);
  EXPECT_EQ(refuse_window(window_.views(), window_request_).section,
            "partition 0, sector 1, inclusion_proofs[0].path");
  // The index rule of V1 asks other leaves of the second sector.
  window_request_ = test::recorded_request(kWindow);
  window_request_.type = *filecoin::find_post_proof("StackedDrgWindow2KiBV1");
  EXPECT_EQ(refuse_window(window_.views(), window_request_).section,
            "partition 0, sector 2, inclusion_proofs[0].path");
  // Swapped commitments: the last 64 bytes are comm_c and comm_r_last.
  auto bytes = read_vector(kWinning + "/vanilla-1.bin");
  std::swap_ranges(bytes.end() - 64, bytes.end() - 32, bytes.end() - 32);
  const Error swapped = refuse_winning({bytes, "v.bin"}, winning_request_);
  EXPECT_EQ(swapped.section, "partition 0, sector 1, inclusion_proofs[0].root");
  EXPECT_EQ(swapped.file, "v.bin");
}

/// Vanilla proofs of sectors that never were, as files that can be damaged.
class SyntheticFiles {
 public:
  SyntheticFiles(const std::string& proof_type, std::uint64_t sectors, const Executor& executor)
      : request_{.type = *filecoin::find_post_proof(proof_type)} {
    const auto post = filecoin::synthetic_post(request_.type.config(), sectors, 1, executor);
    request_.randomness = post.randomness.bytes();
    for (const auto& sector : post.sectors) {
      bytes_.push_back(filecoin::write_vanilla_post(sector, *request_.type.sector));
      names_.push_back("v" + std::to_string(sector.sector_number));
    }
  }
  [[nodiscard]] std::vector<VanillaFileView> views() const {
    std::vector<VanillaFileView> views;
    for (std::size_t i = 0; i < bytes_.size(); ++i) views.push_back({bytes_[i], names_[i]});
    return views;
  }
  PostRequest& request() { return request_; }
  std::vector<std::uint8_t>& operator[](std::size_t i) { return bytes_[i]; }

 private:
  PostRequest request_;
  std::vector<std::vector<std::uint8_t>> bytes_;
  std::vector<std::string> names_;
};

/// Where things lie in the proof of a 2 KiB sector in a WindowPoSt (formats.md 5.4).
constexpr std::size_t kFirstRoot = 60;
constexpr std::size_t kFirstLeaf = 92;
constexpr std::size_t kFirstIndex = 364;
constexpr std::size_t kProofBytes = 556;

class RefusedPosts : public PostRequests {
 protected:
  /// Every refused sector of a request: file, section and what was told beside.
  std::vector<std::string> refused_sectors(SyntheticFiles& files) {
    told_ = {};
    const auto proof = prove_window(files.views(), files.request(), {}, options_,
                                    [this](const RefusedSectors& refused) { told_ = refused; });
    error_ = refused(proof);
    std::vector<std::string> sectors;
    for (const RefusedSector& sector : told_.named) {
      EXPECT_EQ(sector.error.code, ErrorCode::kInvalidInput);
      EXPECT_FALSE(sector.error.found.empty());
      sectors.push_back(sector.error.file + ": " + sector.error.section);
    }
    return sectors;
  }
  using Sectors = std::vector<std::string>;

  RefusedSectors told_;
  Error error_{ErrorCode::kInternal, "", ""};
};

TEST_F(RefusedPosts, AreToldAllAtOnce) {
  SyntheticFiles files("StackedDrgWindow2KiBV1_2", 6, executor_);
  files[0][kFirstRoot + 2 * kProofBytes] ^= 1;   // seen as it stands
  files[2][kFirstLeaf + 3 * kProofBytes] ^= 1;   // seen by hashing
  files[5][kFirstIndex + 9 * kProofBytes] ^= 1;  // another leaf than the challenged one
  files[3].resize(700);                          // can't be read
  EXPECT_EQ(refused_sectors(files),
            (Sectors{"v1: partition 0, sector 1, inclusion_proofs[2].root",
                     "v3: partition 1, sector 3, inclusion_proofs[3].path",
                     "v4: partition 1, sector 4, inclusion_proofs[1].path[0].hashes",
                     "v6: partition 2, sector 6, inclusion_proofs[9].path"}));
  EXPECT_EQ(told_.count, 4U);
  EXPECT_EQ(told_.named[2].partition, 1U);
  EXPECT_EQ(told_.named[2].sector, 4U);
  EXPECT_EQ(error_.section, told_.named[0].error.section);
  EXPECT_EQ(error_.file, "v1");
  EXPECT_NE(error_.hint.find("4 of 6 sectors are refused: 1, 3, 4, 6."), std::string::npos)
      << error_.hint;
  // A later partition of the deadline that is proved alone.
  files.request().first_partition = 7;
  EXPECT_EQ(refused_sectors(files).back(), "v6: partition 9, sector 6, inclusion_proofs[9].path");
  EXPECT_EQ(told_.named[2].partition, 8U);
}

TEST_F(RefusedPosts, AreCountedWhereTheyAreTooManyToName) {
  SyntheticFiles files("StackedDrgWindow2KiBV1_2", kMostNamedSectors + 3, executor_);
  for (std::size_t i = 0; i < kMostNamedSectors + 2; ++i) files[i][kFirstRoot] ^= 1;
  EXPECT_EQ(refused_sectors(files).size(), kMostNamedSectors);
  EXPECT_EQ(told_.count, kMostNamedSectors + 2);
  EXPECT_TRUE(error_.hint.find(", 100 and 2 more.") != std::string::npos) << error_.hint;
  files[kMostNamedSectors + 2][kFirstRoot] ^= 1;
  EXPECT_EQ(refused_sectors(files).size(), kMostNamedSectors);
  EXPECT_TRUE(error_.hint.starts_with("Every sector is refused")) << error_.hint;
}

/// Whoever declares a good sector faulty pays for it.
TEST_F(RefusedPosts, AreNotCalledFaultyForAMistakeInTheRequest) {
  SyntheticFiles files("StackedDrgWindow2KiBV1_2", 1, executor_);
  files[0][kFirstRoot] ^= 1;
  EXPECT_EQ(refused_sectors(files).size(), 1U);
  EXPECT_TRUE(error_.hint.starts_with("The only sector is refused: compare")) << error_.hint;
  EXPECT_EQ(error_.hint.find("faulty"), std::string::npos) << error_.hint;
}

/// A file without its number, and under the rule of V1 one that can't be read at all, leave open
/// what is asked of the others: they are not accused.
TEST_F(RefusedPosts, AreNotAccusedForAnothersNumber) {
  SyntheticFiles files("StackedDrgWindow2KiBV1", 3, executor_);
  files[0].assign(5680, 0xee);
  EXPECT_EQ(refused_sectors(files),
            (Sectors{"v1: partition 1, sector 17216961135462248174, comm_r"}));
  SyntheticFiles current("StackedDrgWindow2KiBV1_2", 3, executor_);
  current[0].assign(7, 0);
  current[1][kFirstRoot] ^= 1;
  EXPECT_EQ(refused_sectors(current), (Sectors{"v1: sector_number"}));
  EXPECT_FALSE(told_.named[0].sector);
  current[0].assign(5680, 0xee);
  EXPECT_EQ(refused_sectors(current).size(), 2U);
}

/// Recorded proofs under the recorded keys.
class RecordedPosts : public testing::Test {
 protected:
  static Result<bool> verify(const std::string& folder, std::span<const std::uint8_t> proof,
                             const PostRequest& request, const std::vector<ClaimedSector>& sectors,
                             const JobOptions& options) {
    if (folder == kWinning) return verify_winning(proof, request, sectors.front(), options);
    return verify_window(proof, request, sectors, options);
  }

  belfry::test::TempDir dir_;
  Executor executor_{2};
  JobOptions options_{.params_dir = belfry::test::vector_path("parameters"),
                      .cache_dir = dir_.path(),
                      .executor = executor_};
};

TEST_F(RecordedPosts, VerifyAndTheirMutationsDoNot) {
  for (const std::string& folder : {kWinning, std::string("window-2kib-1sector"), kWindow}) {
    SCOPED_TRACE(folder);
    const auto proof = read_vector(folder + "/proof.bin");
    const PostRequest request = test::recorded_request(folder);
    const auto sectors = test::recorded_sectors(folder);
    const auto good = verify(folder, proof, request, sectors, options_);
    ASSERT_TRUE(good) << good.error().describe();
    EXPECT_TRUE(*good);

    PostRequest other = request;
    other.randomness[0] ^= 1;
    EXPECT_FALSE(*verify(folder, proof, other, sectors, options_));
    auto renamed = sectors;
    renamed.back().number += 100;
    EXPECT_FALSE(*verify(folder, proof, request, renamed, options_));
    auto changed = sectors;
    changed.back().comm_r[0] ^= 1;
    EXPECT_FALSE(*verify(folder, proof, request, changed, options_));
    // Bytes: the last of C is no sign bit, so another point or none.
    auto flipped = proof;
    flipped.back() ^= 1;
    const auto verdict = verify(folder, flipped, request, sectors, options_);
    EXPECT_TRUE(!verdict || !*verdict);
    EXPECT_FALSE(verify(folder, std::span(proof).first(191), request, sectors, options_));
  }
}

TEST_F(RecordedPosts, SectorsComeInAnyOrderAndOnce) {
  const auto proof = read_vector(kWindow + "/proof.bin");
  const PostRequest request = test::recorded_request(kWindow);
  auto sectors = test::recorded_sectors(kWindow);
  std::ranges::reverse(sectors);
  EXPECT_TRUE(*verify_window(proof, request, sectors, options_));
  auto fewer = sectors;
  fewer.pop_back();
  EXPECT_EQ(verify_window(proof, request, fewer, options_).error().code,
            ErrorCode::kInvalidInput);  // two sectors are one partition
  sectors.push_back(sectors.front());
  EXPECT_EQ(verify_window(proof, request, sectors, options_).error().section, "sector 7");
  EXPECT_FALSE(verify_window(proof, request, {}, options_));
}

TEST_F(RecordedPosts, TheSecondPartitionVerifiesAlone) {
  // Under the V1_2 rule a partition does not know its place.
  const auto proof = read_vector(kWindow + "/proof.bin");
  const auto sectors = test::recorded_sectors(kWindow);
  const auto last = std::ranges::max_element(sectors, {}, &ClaimedSector::number);
  for (const std::uint32_t place : {0U, 1U}) {
    PostRequest request = test::recorded_request(kWindow);
    request.first_partition = place;
    EXPECT_TRUE(*verify_window(std::span(proof).subspan(192), request, {&*last, 1}, options_));
    EXPECT_FALSE(*verify_window(std::span(proof).first(192), request, {&*last, 1}, options_));
  }
}

TEST_F(RecordedPosts, KindsAndValuesAreChecked) {
  const auto proof = read_vector(kWinning + "/proof.bin");
  const auto sectors = test::recorded_sectors(kWinning);
  PostRequest request = test::recorded_request(kWinning);
  EXPECT_EQ(verify_window(proof, request, sectors, options_).error().section, "proof_type");
  ClaimedSector large = sectors.front();
  large.comm_r.fill(0xff);
  EXPECT_EQ(verify_winning(proof, request, large, options_).error().section, "comm_r of sector 1");
  request.randomness.fill(0xff);
  EXPECT_EQ(verify_winning(proof, request, sectors.front(), options_).error().section,
            "randomness");
}

}  // namespace
}  // namespace belfry::engine
