#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/curve/pairing.h"

/// SnarkPack: one proof of logarithmic size for many Groth16 proofs under one key (spec formats.md
/// 9; Gailly, Maller, Nitulescu, eprint 2021/529).
namespace belfry::groth16 {

/// How challenges are derived: the second version hashes the first round's message and the final
/// values too.
///
/// kV1 is not sound: no challenge depends on the first round's message, so anyone makes an
/// aggregate of any statement that verifies, by solving for the left values of that message at the
/// end. It exists because chains hold such aggregates and clients verify them; a kV1 aggregate that
/// verifies proves nothing by itself.
enum class SnarkPackVersion : std::uint8_t { kV1 = 1, kV2 = 2 };

/// A commitment under both commitment keys, alpha's and beta's.
struct PairCommitment {
  curve::Gt t;
  curve::Gt u;
};

/// What the prover says in one round of halving. "Left" pairs the left half of the keys with the
/// right half of the values.
struct FoldMessage {
  PairCommitment ab_left, ab_right;     ///< to A and B
  PairCommitment c_left, c_right;       ///< to C
  curve::Gt z_left, z_right;            ///< products of A and B
  curve::G1Affine sum_left, sum_right;  ///< sums of C
};

/// An aggregate of n = 2^(rounds) proofs. A value; nothing about it is checked but what parsing
/// does.
struct AggregateProof {
  PairCommitment com_ab;
  PairCommitment com_c;
  curve::Gt ip_ab;                    ///< Π e(A_i, r^i·B_i)
  curve::G1Affine agg_c;              ///< Σ r^i·C_i
  std::vector<FoldMessage> rounds{};  // (log2 n)
  curve::G1Affine final_a;
  curve::G2Affine final_b;
  curve::G1Affine final_c;
  // Each pair: alpha's, beta's.
  std::array<curve::G2Affine, 2> final_vkey{};
  std::array<curve::G1Affine, 2> final_wkey{};
  std::array<curve::G2Affine, 2> vkey_opening{};
  std::array<curve::G1Affine, 2> wkey_opening{};

  /// n, padding included.
  [[nodiscard]] std::size_t proofs() const noexcept { return std::size_t{1} << rounds.size(); }
};

/// Most proofs in one aggregate, padding included.
inline constexpr std::size_t kMostAggregatedProofs = std::size_t{1} << 20;

/// The number of proofs that `count` are padded to: a power of two, at least two.
[[nodiscard]] std::size_t padded_proofs(std::size_t count) noexcept;

/// Bytes of an aggregate of n proofs, n a power of two: 2260 + 2976·log2 n.
[[nodiscard]] std::size_t aggregate_bytes(std::size_t proofs) noexcept;

/// The bytes of spec formats.md 9.2. kInvalidInput if a pairing value is one, which has no
/// encoding; no proofs that were made honestly lead there.
[[nodiscard]] Result<std::vector<std::uint8_t>> encode(const AggregateProof& proof);

/// The inverse of `encode`. kInvalidInput, with section ("ab[2].t_left", "final_b") and offset, for
/// a number of proofs that is no power of two from 2 to 2^20, any other length than that number
/// makes, a coordinate out of range, a point off its curve or outside its subgroup, infinity, and a
/// pairing value outside the group of order r. `file` stands in errors only.
///
/// Nothing is allocated before the length is known to fit. About 0.1 ms a point or value.
[[nodiscard]] Result<AggregateProof> parse_aggregate(ByteSpan bytes, std::string_view file);

}  // namespace belfry::groth16
