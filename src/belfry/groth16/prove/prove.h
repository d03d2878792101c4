#pragma once

#include <filesystem>
#include <span>
#include <utility>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/proof.h"
#include "belfry/groth16/prove/backend.h"

namespace belfry::groth16 {

/// The blinding of one proof.
struct ProofRandomness {
  Fr r;
  Fr s;
};

/// Blinding for `partitions` proofs from the operating system: first every r, then every s
/// (spec formats.md 2.3), uniform.
[[nodiscard]] Result<std::vector<ProofRandomness>> draw_randomness(std::size_t partitions);

/// Proofs without their blinding: the heavy half is done. Holds copies; neither witness nor
/// parameters need to live on.
class PendingProofs {
 public:
  /// kInvalidInput ("unexpected identity") if delta of the key is infinite.
  [[nodiscard]] static Result<PendingProofs> create(const VerifyingKey& key,
                                                    std::vector<PartialSums> sums,
                                                    std::filesystem::path derived = {});

  [[nodiscard]] std::size_t partitions() const noexcept { return sums_.size(); }
  [[nodiscard]] std::span<const PartialSums> sums() const noexcept { return sums_; }
  /// BatchSums::derived.
  [[nodiscard]] const std::filesystem::path& derived() const noexcept { return derived_; }
  /// The proof of one partition under its blinding. `partition` < partitions().
  [[nodiscard]] Proof assemble(std::size_t partition, const ProofRandomness& randomness) const;

 private:
  /// The points of a key that proofs are made of.
  struct KeyPoints {
    curve::G1Affine alpha_g1;
    curve::G1Affine beta_g1;
    curve::G2Affine beta_g2;
    curve::G1Affine delta_g1;
    curve::G2Affine delta_g2;
  };
  PendingProofs(const KeyPoints& key, std::vector<PartialSums> sums, std::filesystem::path derived)
      : key_(key), sums_(std::move(sums)), derived_(std::move(derived)) {}

  KeyPoints key_;
  std::vector<PartialSums> sums_;
  std::filesystem::path derived_;
};

/// The heavy half. kInvalidInput for parameters that do not fit the shape or whose delta is
/// infinite
/// ("unexpected identity"); otherwise as Backend::plan and Backend::run.
[[nodiscard]] Result<PendingProofs> start(const Backend& backend, const ProveBatchView& batch,
                                          std::uint64_t budget_bytes);

/// The light half: A = alpha + r·delta + Aans and so on (spec formats.md 2.3), one proof a
/// partition, in order. `randomness` has one entry a partition (kInvalidUsage). Some milliseconds a
/// proof.
[[nodiscard]] Result<std::vector<Proof>> finish(const PendingProofs& pending,
                                                std::span<const ProofRandomness> randomness);
/// The same with blinding from `draw_randomness`: what production uses.
[[nodiscard]] Result<std::vector<Proof>> finish(const PendingProofs& pending);

}  // namespace belfry::groth16
