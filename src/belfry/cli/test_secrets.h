#pragma once

#include <filesystem>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/prove/prove.h"

/// The two JSON files that make runs repeatable, for tests alone. Field elements are big-endian hex
/// of at most 64 digits and below r; other members are ignored; at most 16 MiB. kInvalidInput with
/// file and member otherwise.
namespace belfry::cli {

/// `alpha`, `beta`, `gamma`, `delta`, `tau`, none of them zero.
[[nodiscard]] Result<groth16::TestTrapdoor> read_test_trapdoor(const std::filesystem::path& path);

/// `r[k]`, `s[k]`: two lists of equal length, one entry a partition, not empty.
[[nodiscard]] Result<std::vector<groth16::ProofRandomness>> read_test_randomness(
    const std::filesystem::path& path);

}  // namespace belfry::cli
