#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"

/// One table of everything that a sector size or a registered proof decides (spec circuits.md
/// 1, 2.1, 3.1, 4.1, 6.6; formats.md 3.1, 5.5). Names, numbers, identifiers and circuits are
/// derived from it; no other file lists sizes or names. Everything here is a value or a constant:
/// thread-safe.
namespace belfry::filecoin {

/// Arities of a Poseidon tree from the leaves upwards; 0 = the level is absent (circuits.md 1).
struct TreeShape {
  std::uint32_t base;
  std::uint32_t sub;
  std::uint32_t top;
  friend constexpr bool operator==(const TreeShape&, const TreeShape&) noexcept = default;
};

/// TreeD of every sector size: binary.
inline constexpr TreeShape kDataTree{2, 0, 0};
inline constexpr std::uint64_t kNodeBytes = 32;
inline constexpr std::uint32_t kDrgParents = 6;
inline constexpr std::uint32_t kExpanderParents = 8;
inline constexpr std::uint32_t kParents = kDrgParents + kExpanderParents;
inline constexpr std::uint32_t kHashedParents = 37;  ///< parent labels in one label preimage

/// Arity of every level of a path, bottom to top, in a tree of `nodes` leaves; empty if the shape
/// does not fit that number.
[[nodiscard]] std::vector<std::uint32_t> path_arities(const TreeShape& tree, std::uint64_t nodes);

/// One row of the table: all that the sector size decides.
struct SectorParams {
  std::string_view name;  ///< "32GiB"
  std::uint64_t bytes;
  TreeShape tree;                   ///< TreeC and TreeR
  std::uint32_t layers;             ///< label layers of PoRep
  std::uint32_t partitions;         ///< PoRep, interactive and synthetic
  std::uint32_t ni_partitions;      ///< PoRep, non-interactive
  std::uint32_t challenges;         ///< PoRep challenges per partition, all features
  std::uint32_t window_sectors;     ///< WindowPoSt sectors per partition
  std::uint32_t update_partitions;  ///< SnapDeals; 0 = no such circuit
  std::uint32_t update_challenges;  ///< SnapDeals challenges per partition
  std::uint32_t update_apex;        ///< SnapDeals apex leaves per partition
  std::uint32_t update_high_bits;   ///< SnapDeals h: top bits of a node that decide its rho
  /// Place among the five sizes that have registered proofs and published parameters.
  std::optional<std::uint32_t> published;

  [[nodiscard]] constexpr std::uint64_t nodes() const noexcept { return bytes / kNodeBytes; }
};

/// The ten sizes of circuits.md 1, ascending.
[[nodiscard]] std::span<const SectorParams> sector_table() noexcept;
/// kInvalidInput if the table has no such row. `name` as in the table.
[[nodiscard]] Result<const SectorParams*> find_sector(std::string_view name);
[[nodiscard]] Result<const SectorParams*> find_sector(std::uint64_t bytes);

// NOLINTNEXTLINE(readability-identifier-naming): the versions are written like this everywhere
enum class ApiVersion : std::uint8_t { kV1_0, kV1_1, kV1_2 };
enum class PorepFeature : std::uint8_t { kInteractive, kSynthetic, kNonInteractive };

/// What the PoRep circuit is a function of (circuits.md 2.1). Test systems use shapes of their own.
struct PorepParams {
  TreeShape tree;
  std::uint64_t nodes;  ///< a power of two
  std::uint32_t layers;
  std::uint32_t challenges;  ///< per partition: the number of blocks
};
[[nodiscard]] PorepParams porep_params(const SectorParams& sector) noexcept;

/// All that decides graph, challenges and circuit of one seal; from a registered proof, or given by
/// hand for sizes that have none.
struct PorepConfig {
  const SectorParams* sector;
  ApiVersion api;
  PorepFeature feature;
  Bytes32 porep_id;

  [[nodiscard]] std::uint32_t partitions() const noexcept {
    return feature == PorepFeature::kNonInteractive ? sector->ni_partitions : sector->partitions;
  }
};

/// A registered seal proof: its number is the first word of the porep_id.
struct SealProof {
  std::uint32_t number;
  std::string_view suffix;  ///< of the family: "V1_1_Feat_SyntheticPoRep"
  const SectorParams* sector;
  ApiVersion api;
  PorepFeature feature;

  [[nodiscard]] std::string name() const;  ///< "StackedDrg32GiBV1_1"
  /// porep_id = number u64 LE, nonce 0 u64 LE, 16 zero bytes (formats.md 3.2).
  [[nodiscard]] PorepConfig config() const noexcept;
};

enum class PostKind : std::uint8_t { kWinning, kWindow };

/// What the FallbackPoSt circuit is a function of (circuits.md 3.1). Test systems use shapes of
/// their own.
struct PostParams {
  TreeShape tree;
  std::uint64_t nodes;       ///< a power of two
  std::uint32_t sectors;     ///< slots of a partition: the number of blocks
  std::uint32_t challenges;  ///< per slot
};
[[nodiscard]] PostParams post_params(PostKind kind, const SectorParams& sector) noexcept;

/// All that decides challenges and circuit of one PoSt; from a registered proof, or given by hand
/// for sizes that have none.
struct PostConfig {
  PostKind kind;
  const SectorParams* sector;
  ApiVersion api;  ///< the index rule of the challenges (circuits.md 3.2)

  [[nodiscard]] PostParams params() const noexcept { return post_params(kind, *sector); }
  /// Challenges in the vanilla proof of one sector: a WinningPoSt has one sector, which fills all
  /// slots of the circuit.
  [[nodiscard]] std::uint32_t vanilla_challenges() const noexcept {
    const PostParams circuit = params();
    return kind == PostKind::kWinning ? circuit.sectors * circuit.challenges : circuit.challenges;
  }
};

/// A registered PoSt proof; `api` decides the index rule of the challenges (circuits.md 3.2).
struct PostProof {
  std::uint32_t number;
  PostKind kind;
  std::string_view suffix;
  const SectorParams* sector;
  ApiVersion api;

  [[nodiscard]] std::string name() const;  ///< "StackedDrgWindow2KiBV1_2"
  [[nodiscard]] PostConfig config() const noexcept { return {kind, sector, api}; }
};

/// A registered SnapDeals proof.
struct UpdateProof {
  std::uint32_t number;
  std::string_view suffix;
  const SectorParams* sector;

  [[nodiscard]] std::string name() const;  ///< "StackedDrg32GiBV1"
};

/// A registered way to aggregate PoRep proofs: SnarkPack, version 1 or 2.
struct AggregationProof {
  std::uint32_t number;

  [[nodiscard]] std::uint32_t version() const noexcept { return number + 1; }
  [[nodiscard]] std::string name() const;  ///< "SnarkPackV2"
};
/// The one that non-interactive PoRep uses for its own partitions.
inline constexpr AggregationProof kNonInteractiveAggregation{1};

/// All registered proofs by ascending number.
[[nodiscard]] std::vector<SealProof> seal_proofs();
[[nodiscard]] std::vector<PostProof> post_proofs();
[[nodiscard]] std::vector<UpdateProof> update_proofs();
[[nodiscard]] std::vector<AggregationProof> aggregation_proofs();
/// By name or by decimal number. kInvalidInput names what was looked for.
[[nodiscard]] Result<SealProof> find_seal_proof(std::string_view name_or_number);
[[nodiscard]] Result<PostProof> find_post_proof(std::string_view name_or_number);
[[nodiscard]] Result<UpdateProof> find_update_proof(std::string_view name_or_number);
[[nodiscard]] Result<AggregationProof> find_aggregation_proof(std::string_view name_or_number);

/// A family of circuits; each has one circuit and one parameter file a sector size.
enum class CircuitKind : std::uint8_t { kPorep, kWinning, kWindow, kUpdate, kUpdatePoseidon };

struct Circuit {
  CircuitKind kind;
  const SectorParams* sector;

  [[nodiscard]] std::string name() const;  ///< "porep-32GiB", "update-poseidon-64GiB"
};

/// The circuit of a seal, of a PoSt.
[[nodiscard]] Circuit circuit_of(const PorepConfig& config) noexcept;
[[nodiscard]] Circuit circuit_of(const PostConfig& config) noexcept;
/// Every circuit of a family, ascending by size.
[[nodiscard]] std::vector<Circuit> circuits(CircuitKind kind);
/// kNotFound if there is no circuit of that name.
[[nodiscard]] Result<Circuit> find_circuit(std::string_view name);

// FallbackPoSt shapes (circuits.md 3.1).
inline constexpr std::uint32_t kWinningSectors = 66;
inline constexpr std::uint32_t kWinningChallenges = 1;
inline constexpr std::uint32_t kWindowChallenges = 10;

}  // namespace belfry::filecoin
