#include "belfry/filecoin/update/params.h"

#include <algorithm>

namespace belfry::filecoin {
namespace {

/// Bits of a digest that are used: what always fits into an element.
constexpr std::uint32_t kDigestBits = 254;
constexpr std::uint32_t kSmallHighBits = 1;
constexpr std::uint32_t kFirstHighBits = 7;

}  // namespace

std::uint32_t UpdateParams::challenges_per_digest() const noexcept {
  return kDigestBits / random_bits();
}

std::uint32_t UpdateParams::digests() const noexcept {
  const std::uint32_t per_digest = challenges_per_digest();
  return (challenges + per_digest - 1) / per_digest;
}

std::array<std::uint32_t, kHighBitChoices> UpdateParams::high_bit_choices() const noexcept {
  std::array<std::uint32_t, kHighBitChoices> choices{};
  choices.fill(kSmallHighBits);
  if (high_bits == kSmallHighBits) return choices;
  for (std::uint32_t i = 0; i < kHighBitChoices; ++i) choices[i] = kFirstHighBits + i;
  return choices;
}

std::uint32_t UpdateParams::high_select() const noexcept {
  const auto choices = high_bit_choices();
  const auto place = std::find(choices.begin(), choices.end(), high_bits) - choices.begin();
  return std::uint32_t{1} << static_cast<std::uint32_t>(place);
}

UpdateParams update_params(const SectorParams& sector) noexcept {
  return {.tree = sector.tree,
          .nodes = sector.nodes(),
          .partitions = sector.update_partitions,
          .challenges = sector.update_challenges,
          .apex_leaves = sector.update_apex,
          .high_bits = sector.update_high_bits};
}

Result<void> check_update_params(const UpdateParams& params) {
  constexpr std::uint64_t kMostNodes = std::uint64_t{1} << 31;
  const bool powers = std::has_single_bit(params.nodes) && params.nodes <= kMostNodes &&
                      std::has_single_bit(params.partitions) &&
                      std::has_single_bit(params.apex_leaves);
  const bool apex_fits =
      powers && std::uint64_t{params.partitions} * params.apex_leaves < params.nodes;
  const bool tree_fits = apex_fits && !path_arities(params.tree, params.nodes).empty();
  const auto choices = params.high_bit_choices();
  const bool selectable =
      std::find(choices.begin(), choices.end(), params.high_bits) != choices.end();
  const bool high_fits = tree_fits && selectable && choices.back() < params.node_bits();
  if (high_fits && params.challenges > 0) return {};
  return fail(ErrorCode::kInvalidUsage, "filecoin.update",
              "no SnapDeals circuit has these nodes, tree, partitions, challenges, apex and h");
}

}  // namespace belfry::filecoin
