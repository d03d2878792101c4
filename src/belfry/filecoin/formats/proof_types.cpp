#include "belfry/filecoin/formats/proof_types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "belfry/base/parse_decimal.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kProofTypesStage = "filecoin.proof_types";

constexpr std::uint64_t operator""_KiB(unsigned long long n) { return n * 1024; }
constexpr std::uint64_t operator""_MiB(unsigned long long n) { return n * 1024 * 1024; }
constexpr std::uint64_t operator""_GiB(unsigned long long n) { return n * 1024 * 1024 * 1024; }

// Columns: name, bytes, tree, layers, partitions, NI partitions, challenges, window sectors,
// update partitions, update challenges, update apex, update h, published.
// NOLINTBEGIN(readability-magic-numbers): the table of formats.md 3.1 and circuits.md 4.1
constexpr std::array<SectorParams, 10> kSectors{{
    {"2KiB", 2_KiB, {8, 0, 0}, 2, 1, 13, 2, 2, 1, 10, 8, 1, 0},
    {"4KiB", 4_KiB, {8, 2, 0}, 2, 1, 13, 2, 2, 1, 10, 8, 1, std::nullopt},
    {"16KiB", 16_KiB, {8, 8, 0}, 2, 1, 13, 2, 2, 2, 10, 128, 1, std::nullopt},
    {"32KiB", 32_KiB, {8, 8, 2}, 2, 1, 13, 2, 2, 2, 10, 128, 1, std::nullopt},
    {"8MiB", 8_MiB, {8, 0, 0}, 2, 1, 13, 2, 2, 4, 10, 128, 10, 1},
    {"16MiB", 16_MiB, {8, 2, 0}, 2, 1, 13, 2, 2, 4, 10, 128, 10, std::nullopt},
    {"512MiB", 512_MiB, {8, 0, 0}, 2, 1, 13, 2, 2, 16, 86, 128, 10, 2},
    {"1GiB", 1_GiB, {8, 2, 0}, 2, 1, 13, 2, 2, 0, 0, 0, 0, std::nullopt},
    {"32GiB", 32_GiB, {8, 8, 0}, 11, 10, 126, 18, 2349, 16, 86, 128, 10, 3},
    {"64GiB", 64_GiB, {8, 8, 2}, 11, 10, 126, 18, 2300, 16, 86, 128, 10, 4},
}};
// NOLINTEND(readability-magic-numbers)
constexpr auto kPublishedSizes = static_cast<std::uint32_t>(
    std::ranges::count_if(kSectors, [](const SectorParams& row) { return bool(row.published); }));

struct SealFamily {
  std::string_view suffix;
  ApiVersion api;
  PorepFeature feature;
};
// The synthetic family's name says 1_1 although it needs 1.2: historic (circuits.md 6.6).
constexpr std::array<SealFamily, 4> kSealFamilies{{
    {"V1", ApiVersion::kV1_0, PorepFeature::kInteractive},
    {"V1_1", ApiVersion::kV1_1, PorepFeature::kInteractive},
    {"V1_1_Feat_SyntheticPoRep", ApiVersion::kV1_2, PorepFeature::kSynthetic},
    {"V1_2_Feat_NonInteractivePoRep", ApiVersion::kV1_2, PorepFeature::kNonInteractive},
}};

struct PostFamily {
  PostKind kind;
  std::string_view suffix;
  ApiVersion api;
};
constexpr std::array<PostFamily, 3> kPostFamilies{{
    {PostKind::kWinning, "V1", ApiVersion::kV1_0},
    {PostKind::kWindow, "V1", ApiVersion::kV1_0},
    {PostKind::kWindow, "V1_2", ApiVersion::kV1_2},
}};
constexpr std::string_view kUpdateSuffix = "V1";

/// Where go-state-types, and so Lotus and Curio, end the name of a proof otherwise
/// (formats.md 5.5).
struct GoSuffix {
  std::string_view prefix;  ///< of the names that it is about
  std::string_view suffix;
  std::string_view go;
};
constexpr std::array<GoSuffix, 2> kGoSuffixes{{
    {"StackedDrg", "V1_2_Feat_NonInteractivePoRep", "V1_2_Feat_NiPoRep"},
    {"StackedDrgWindow", "V1_2", "V1_1"},
}};

struct CircuitFamily {
  CircuitKind kind;
  std::string_view name;
};
constexpr std::array<CircuitFamily, 5> kCircuitFamilies{{
    {CircuitKind::kPorep, "porep"},
    {CircuitKind::kWinning, "winning"},
    {CircuitKind::kWindow, "window"},
    {CircuitKind::kUpdate, "update"},
    {CircuitKind::kUpdatePoseidon, "update-poseidon"},
}};

std::string proof_name(std::string_view prefix, std::string_view sector, std::string_view suffix) {
  std::string name = "StackedDrg";
  name.append(prefix).append(sector).append(suffix);
  return name;
}

const SectorParams* published_sector(std::uint32_t place) {
  return &*std::find_if(kSectors.begin(), kSectors.end(),
                        [&](const SectorParams& row) { return row.published == place; });
}

std::string every_size() {
  std::string out;
  for (const SectorParams& row : kSectors) {
    out.append(out.empty() ? "" : ", ").append(row.name);
  }
  return out;
}

/// What Go calls a proof, behind the name of its type and an underscore.
std::string go_name(std::string name) {
  for (const GoSuffix& row : kGoSuffixes) {
    if (!name.starts_with(row.prefix) || !name.ends_with(row.suffix)) continue;
    return name.replace(name.size() - row.suffix.size(), row.suffix.size(), row.go);
  }
  return name;
}

/// For a name of Go's: which proof that is.
template <class Proof>
std::string hint_for(const std::vector<Proof>& proofs, std::string_view wanted) {
  const std::size_t sign = wanted.starts_with("Registered") ? wanted.find('_') : wanted.npos;
  const std::string_view name = sign == wanted.npos ? wanted : wanted.substr(sign + 1);
  for (const Proof& proof : proofs) {
    if (go_name(proof.name()) != name) continue;
    return "This is what Go calls " + proof.name() + ", number " + std::to_string(proof.number);
  }
  return {};
}

/// The element of `proofs` with that name, or with that number if the text is one.
template <class Proof>
Result<Proof> find_proof(const std::vector<Proof>& proofs, std::string_view wanted,
                         std::string_view what) {
  const auto number = parse_decimal<std::uint32_t>(wanted);
  for (const Proof& proof : proofs) {
    if (number ? proof.number == *number : proof.name() == wanted) return proof;
  }
  return fail(invalid(std::string(kProofTypesStage), "unknown registered " + std::string(what))
                  .but("a name such as " + proofs.front().name() + ", or a number up to " +
                           std::to_string(proofs.back().number),
                       std::string(wanted))
                  .with_hint(hint_for(proofs, wanted)));
}

}  // namespace

std::vector<std::uint32_t> path_arities(const TreeShape& tree, std::uint64_t nodes) {
  const std::uint64_t groups =
      std::uint64_t{std::max(tree.sub, 1U)} * std::uint64_t{std::max(tree.top, 1U)};
  std::vector<std::uint32_t> arities;
  if (tree.base < 2) return arities;
  std::uint64_t covered = groups;
  while (covered < nodes) {
    covered *= tree.base;
    arities.push_back(tree.base);
  }
  if (covered != nodes) return {};
  if (tree.sub > 0) arities.push_back(tree.sub);
  if (tree.top > 0) arities.push_back(tree.top);
  return arities;
}

std::span<const SectorParams> sector_table() noexcept { return kSectors; }

Result<const SectorParams*> find_sector(std::string_view name) {
  for (const SectorParams& row : kSectors) {
    if (row.name == name) return &row;
  }
  return fail(invalid(std::string(kProofTypesStage), "unknown sector size")
                  .but(every_size(), std::string(name)));
}

Result<const SectorParams*> find_sector(std::uint64_t bytes) {
  for (const SectorParams& row : kSectors) {
    if (row.bytes == bytes) return &row;
  }
  return fail(invalid(std::string(kProofTypesStage), "unknown sector size")
                  .but(every_size(), std::to_string(bytes) + " bytes"));
}

PorepParams porep_params(const SectorParams& sector) noexcept {
  return {sector.tree, sector.nodes(), sector.layers, sector.challenges};
}

PostParams post_params(PostKind kind, const SectorParams& sector) noexcept {
  const bool winning = kind == PostKind::kWinning;
  return {sector.tree, sector.nodes(), winning ? kWinningSectors : sector.window_sectors,
          winning ? kWinningChallenges : kWindowChallenges};
}

Circuit circuit_of(const PorepConfig& config) noexcept {
  return {CircuitKind::kPorep, config.sector};
}

Circuit circuit_of(const PostConfig& config) noexcept {
  const bool winning = config.kind == PostKind::kWinning;
  return {winning ? CircuitKind::kWinning : CircuitKind::kWindow, config.sector};
}

std::string SealProof::name() const { return proof_name("", sector->name, suffix); }

PorepConfig SealProof::config() const noexcept {
  PorepConfig config{sector, api, feature, {}};
  store_le<std::uint64_t>(config.porep_id.data(), number);
  return config;
}

std::string PostProof::name() const {
  return proof_name(kind == PostKind::kWinning ? "Winning" : "Window", sector->name, suffix);
}

std::string UpdateProof::name() const { return proof_name("", sector->name, suffix); }

std::string AggregationProof::name() const { return "SnarkPackV" + std::to_string(version()); }

std::vector<SealProof> seal_proofs() {
  std::vector<SealProof> out;
  std::uint32_t number = 0;
  for (const SealFamily& family : kSealFamilies) {
    for (std::uint32_t size = 0; size < kPublishedSizes; ++size) {
      out.push_back({number++, family.suffix, published_sector(size), family.api, family.feature});
    }
  }
  return out;
}

std::vector<PostProof> post_proofs() {
  std::vector<PostProof> out;
  std::uint32_t number = 0;
  for (const PostFamily& family : kPostFamilies) {
    for (std::uint32_t size = 0; size < kPublishedSizes; ++size) {
      out.push_back({number++, family.kind, family.suffix, published_sector(size), family.api});
    }
  }
  return out;
}

std::vector<UpdateProof> update_proofs() {
  std::vector<UpdateProof> out;
  out.reserve(kPublishedSizes);
  for (std::uint32_t size = 0; size < kPublishedSizes; ++size) {
    out.push_back({size, kUpdateSuffix, published_sector(size)});
  }
  return out;
}

std::vector<AggregationProof> aggregation_proofs() { return {{0}, {1}}; }

Result<SealProof> find_seal_proof(std::string_view name_or_number) {
  return find_proof(seal_proofs(), name_or_number, "seal proof");
}
Result<PostProof> find_post_proof(std::string_view name_or_number) {
  return find_proof(post_proofs(), name_or_number, "PoSt proof");
}
Result<UpdateProof> find_update_proof(std::string_view name_or_number) {
  return find_proof(update_proofs(), name_or_number, "update proof");
}
Result<AggregationProof> find_aggregation_proof(std::string_view name_or_number) {
  return find_proof(aggregation_proofs(), name_or_number, "aggregation");
}

std::string Circuit::name() const {
  const auto family =
      std::find_if(kCircuitFamilies.begin(), kCircuitFamilies.end(),
                   [&](const CircuitFamily& candidate) { return candidate.kind == kind; });
  return std::string(family->name) + "-" + std::string(sector->name);
}

std::vector<Circuit> circuits(CircuitKind kind) {
  const bool is_update = kind == CircuitKind::kUpdate || kind == CircuitKind::kUpdatePoseidon;
  std::vector<Circuit> out;
  for (const SectorParams& sector : kSectors) {
    if (!is_update || sector.update_partitions > 0) out.push_back({kind, &sector});
  }
  return out;
}

Result<Circuit> find_circuit(std::string_view name) {
  for (const CircuitFamily& family : kCircuitFamilies) {
    for (const Circuit& circuit : circuits(family.kind)) {
      if (circuit.name() == name) return circuit;
    }
  }
  return fail(Error{ErrorCode::kNotFound, std::string(kProofTypesStage), "unknown circuit"}
                  .but("a name such as porep-32GiB or window-2KiB", std::string(name))
                  .with_hint("belfry circuit list prints all names"));
}

}  // namespace belfry::filecoin
