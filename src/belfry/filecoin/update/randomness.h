#pragma once

#include <cstdint>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/filecoin/formats/vanilla_proof.h"
#include "belfry/filecoin/update/params.h"

/// The numbers that SnapDeals draws from commitments, all with G(x, y): Poseidon of two elements
/// under the custom tag 1 (circuits.md 4.2, 4.3; formats.md 4.5). Thread-safe; one hash each.
namespace belfry::filecoin {

/// phi = G(comm_d_new, comm_r_old).
[[nodiscard]] Fr update_phi(const Node& comm_d_new, const Node& comm_r_old) noexcept;

/// rho = G(phi, high): what a data node is multiplied with, by its number's top h bits.
[[nodiscard]] Fr update_rho(const Fr& phi, std::uint64_t high) noexcept;
/// The top h bits of a node's number: node >> (d - h).
[[nodiscard]] std::uint64_t update_high_bits(const UpdateParams& params,
                                             std::uint64_t node) noexcept;
/// Every rho of a sector, 2^h of them.
[[nodiscard]] std::vector<Fr> update_rhos(const UpdateParams& params, const Fr& phi);

/// A node of the new replica: old + data · rho.
[[nodiscard]] inline Fr update_encode(const Fr& old_node, const Fr& data, const Fr& rho) noexcept {
  return old_node + data * rho;
}

/// The challenged nodes of partition k, `challenges` of them, in order; node 0 can be one, and one
/// can occur twice. Digest t of the sector is G(comm_r_new, t); partition k uses k·D to k·D + D
/// - 1.
[[nodiscard]] std::vector<std::uint64_t> update_challenges(const UpdateParams& params,
                                                           const Node& comm_r_new,
                                                           std::uint32_t partition);

}  // namespace belfry::filecoin
