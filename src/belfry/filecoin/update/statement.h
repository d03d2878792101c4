#pragma once

#include <cstdint>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/update/params.h"

namespace belfry::filecoin {

/// What a SnapDeals proof states, without its partition: the sector of comm_r_old was updated to
/// hold the data of comm_d_new, and the result is comm_r_new.
struct UpdateStatement {
  Node comm_r_old;
  Node comm_r_new;
  Node comm_d_new;
};

/// The first public input: partition number below, h_select above (circuits.md 4.3).
[[nodiscard]] std::uint64_t update_selector(const UpdateParams& params,
                                            std::uint32_t partition) noexcept;

/// The public inputs of partition k, ONE left out: selector, comm_r_old, comm_d_new, comm_r_new, in
/// the order of the Input variables.
///
/// @return kInvalidInput if k is not a partition of the sector size
/// Thread-safe. Source: circuits.md 4.3, formats.md 4.5.
[[nodiscard]] Result<std::vector<Fr>> update_public_inputs(const UpdateParams& params,
                                                           const UpdateStatement& statement,
                                                           std::uint32_t partition);

}  // namespace belfry::filecoin
