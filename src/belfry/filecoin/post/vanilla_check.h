#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/vanilla_post.h"
#include "belfry/filecoin/post/public_inputs.h"

namespace belfry::filecoin {

/// The vanilla proofs of a PoSt and what they answer to.
struct VanillaPost {
  PostConfig config;
  Node randomness;
  std::vector<VanillaPostSector> sectors;  ///< by ascending number
  std::uint32_t first_partition = 0;       ///< as in PostStatement

  /// Where sector i stands in the whole list, which counts the sectors of earlier partitions.
  [[nodiscard]] std::uint64_t position(std::size_t i) const noexcept {
    return std::uint64_t{first_partition} * config.params().sectors + i;
  }
  /// The partition of the deadline that sector i is in.
  [[nodiscard]] std::uint32_t partition(std::size_t i) const noexcept {
    return static_cast<std::uint32_t>(position(i) / config.params().sectors);
  }
};

/// The stage of every error about what vanilla proofs of a PoSt claim.
inline constexpr std::string_view kPostCheckStage = "filecoin.post.check";

/// "partition 1, sector 3", as every error about that sector begins its section.
[[nodiscard]] std::string post_sector_name(std::uint32_t partition, std::uint64_t sector_number);

/// Refuses what needs no hashing to be refuted about sector i: its number of challenges, indices
/// that are not those of the challenges, roots that are not comm_r_last. kInvalidInput with
/// partition, sector, challenge and field in the section.
[[nodiscard]] Result<void> check_post_sector_form(const VanillaPost& post, std::size_t i);

/// What hashes say about a sector: the comm_r that its commitments have, and the roots that
/// `roots.size()` of its paths lead to, beginning with inclusion `first`.
struct PostSectorHashesView {
  Fr comm_r;
  std::span<const Fr> roots;
  std::size_t first = 0;
};
/// Refuses claims of sector i that contradict these hashes. Errors as check_post_sector_form.
[[nodiscard]] Result<void> check_post_sector_hashes(const VanillaPost& post, std::size_t i,
                                                    const PostSectorHashesView& hashes);

/// A sector whose vanilla proof is wrong, and the first thing that is wrong with it.
struct PostFault {
  std::size_t index;  ///< in VanillaPost::sectors
  Error error;
};
/// Every sector whose vanilla proof contradicts itself or the statement, in their order, so that
/// all of them can be made again or declared faulty at once. For a PoSt that was refused: it hashes
/// by itself, about 40 µs a level of a path, of those sectors whose form is right. Parallel over
/// sectors. Thread-safe.
[[nodiscard]] std::vector<PostFault> find_post_faults(const VanillaPost& post,
                                                      const Executor& executor);

}  // namespace belfry::filecoin
