#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/filecoin/post/public_inputs.h"
#include "belfry/filecoin/post/vanilla_check.h"
#include "belfry/filecoin/prepared_partition.h"

namespace belfry::filecoin {

/// The statement that the vanilla proofs claim.
[[nodiscard]] PostStatement post_statement(const VanillaPost& post);

/// Refuses what needs no hashing to be refuted, in all partitions: the statement
/// (check_post_statement), numbers of challenges, indices that are not those of the challenges,
/// roots that are not comm_r_last. Errors as prepare_post_partition. Milliseconds for 2,349
/// sectors.
[[nodiscard]] Result<void> check_post_form(const VanillaPost& post);

/// From vanilla proofs to what the prover needs for partition k. All claims are checked: the paths
/// are those of the challenged leaves and lead to comm_r_last, comm_r = H2(comm_c, comm_r_last)
/// (formats.md 4.4). Indices and roots are compared first, hashes with what the witness computes
/// anyway: a check costs no hash of its own. Slots beyond the last sector repeat it.
///
/// @param layout  of the shape of the circuit (Shape::layout)
/// @return kInvalidInput; the section names partition, sector, challenge and field ("partition 0,
///         sector 7, inclusion_proofs[3].path"), expected and found are hex. Also for a layout of
///         another circuit, and as check_post_statement
///
/// Cost: the hashes, eight slots side by side, about 5 µs each on one core with AVX-512 IFMA, 40 µs
/// without: 234,900 of them in a full 32 GiB WindowPoSt partition, whose witness has 4 GB. Parallel
/// over slots. Thread-safe. kResourceExhausted without memory for the witness.
[[nodiscard]] Result<PreparedPartition> prepare_post_partition(const r1cs::WitnessLayout& layout,
                                                               const VanillaPost& post,
                                                               std::uint32_t partition,
                                                               const Executor& executor);

}  // namespace belfry::filecoin
