#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"

namespace belfry::groth16 {

/// What verification needs, and the prover's alpha, beta and delta (spec formats.md 1.3). A value.
struct VerifyingKey {
  curve::G1Affine alpha_g1;
  curve::G1Affine beta_g1;
  curve::G2Affine beta_g2;
  curve::G2Affine gamma_g2;
  curve::G1Affine delta_g1;
  curve::G2Affine delta_g2;
  std::vector<curve::G1Affine> ic;  ///< one per input, ic[0] belongs to the constant ONE

  /// Number of public inputs without ONE.
  [[nodiscard]] std::size_t num_public_inputs() const noexcept { return ic.size() - 1; }
};

/// Bytes of a key with `ic_count` ic points: 868 + 96·ic_count.
[[nodiscard]] std::uint64_t verifying_key_bytes(std::uint64_t ic_count) noexcept;

/// Reads a key from the front of `bytes`, which may hold more (a `.params` file does); `file` is
/// named in errors. Every point is checked: encoding, curve, subgroup, not infinity (spec
/// formats.md 5.6). kInvalidInput with section ("alpha_g1", ..., "ic[7]") and offset. Cost: about
/// 0.1 ms a point.
[[nodiscard]] Result<VerifyingKey> parse_verifying_key(ByteSpan bytes, std::string_view file);

/// The bytes of the key at the front of `bytes`, of a `.vk` or a `.params` file: what the key is as
/// a file of its own. Looks at no point. kInvalidInput if they end before the key does.
[[nodiscard]] Result<ByteSpan> key_bytes(ByteSpan bytes, std::string_view file);

/// Reads a `.vk` file: as above, and nothing may follow. Text under its name is recognised.
[[nodiscard]] Result<VerifyingKey> read_verifying_key(const std::filesystem::path& path);

/// The bytes of a `.vk` file, as bellperson writes them.
[[nodiscard]] std::vector<std::uint8_t> encode(const VerifyingKey& key);

}  // namespace belfry::groth16
