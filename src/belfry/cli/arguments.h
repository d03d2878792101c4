#pragma once

#include <cstdint>
#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/proof_types.h"

namespace belfry::cli {

/// Readers of option values. Unless said, each fails with kInvalidUsage, names the option and shows
/// what was found.

/// A plain decimal number.
[[nodiscard]] Result<std::uint64_t> parse_number(std::string_view option, std::string_view text);
/// A miner: a number, or one behind `f0` or `t0` ("1000", "f01000").
[[nodiscard]] Result<std::uint64_t> parse_miner(std::string_view option, std::string_view text);
/// A partition of a deadline, counted from 0.
[[nodiscard]] Result<std::uint32_t> parse_partition(std::string_view option, std::string_view text);
/// 32 bytes as 64 hex digits, in file order.
[[nodiscard]] Result<Bytes32> parse_bytes32(std::string_view option, std::string_view text);

/// A registered PoSt proof of the kind that the command is about. kInvalidInput for an unknown one,
/// as find_post_proof, and for one of the other kind.
[[nodiscard]] Result<filecoin::PostProof> parse_post_proof(std::string_view option,
                                                           std::string_view text,
                                                           filecoin::PostKind kind);

/// `N=VALUE`, what a sector number stands in front of.
struct SectorArgument {
  std::uint64_t number = 0;
  std::string_view value;  ///< of the text that was parsed
};
[[nodiscard]] Result<SectorArgument> parse_sector(std::string_view option, std::string_view text);

}  // namespace belfry::cli
