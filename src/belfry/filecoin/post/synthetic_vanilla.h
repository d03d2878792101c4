#pragma once

#include <cstdint>

#include "belfry/base/executor.h"
#include "belfry/filecoin/post/job.h"

namespace belfry::filecoin {

/// Consistent vanilla proofs of `sectors` sectors that never were, for benchmarks and tests: the
/// challenges are the real ones, the trees exist only around the leaves that occur, and all else
/// comes from `seed`. Sectors are numbered 1, 2, .... All claims agree with each other, so
/// prepare_post_partition accepts them. A WinningPoSt has one sector.
/// Cost: about 100 hashes a sector at 32 GiB, 0.7 ms on two cores.
[[nodiscard]] VanillaPost synthetic_post(const PostConfig& config, std::uint64_t sectors,
                                         std::uint64_t seed, const Executor& executor);

}  // namespace belfry::filecoin
