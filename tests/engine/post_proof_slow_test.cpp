// WinningPoSt of 32 GiB: parameters from the recorded trapdoor, and a whole proof of a synthetic
// sector.
#include <gtest/gtest.h>

#include "belfry/engine/jobs/post.h"
#include "belfry/filecoin/post/synthetic_vanilla.h"
#include "engine/recorded_files.h"
#include "engine/recorded_sector.h"

namespace belfry::engine {
namespace {

TEST(WinningProof32GiB, ParametersEqualTheReferenceAndAProofVerifies) {
  const test::TestParameters parameters("winning-32GiB");
  test::expect_recorded_files(parameters);
  const Executor executor;
  PostRequest request{.type = *filecoin::find_post_proof("StackedDrgWinning32GiBV1")};
  const auto post = filecoin::synthetic_post(request.type.config(), 1, 1, executor);
  request.randomness = post.randomness.bytes();
  const auto bytes = filecoin::write_vanilla_post(post.sectors[0], *request.type.sector);
  const auto proof = prove_winning({bytes, "vanilla-1.bin"}, request, {}, parameters.options());
  ASSERT_TRUE(proof) << proof.error().describe();
  const ClaimedSector sector{1, post.sectors[0].comm_r.bytes()};
  EXPECT_TRUE(*verify_winning(proof->proof, request, sector, parameters.options()));
  const ClaimedSector other{2, sector.comm_r};
  EXPECT_FALSE(*verify_winning(proof->proof, request, other, parameters.options()));
}

}  // namespace
}  // namespace belfry::engine
