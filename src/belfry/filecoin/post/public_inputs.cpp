#include "belfry/filecoin/post/public_inputs.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "belfry/filecoin/post/challenges.h"

namespace belfry::filecoin {
namespace {

constexpr const char* kPostStatementStage = "filecoin.post.statement";

Result<void> check_winning(const PostStatement& statement) {
  if (statement.sectors.size() != 1) {
    return fail(invalid(kPostStatementStage, "a WinningPoSt is about one sector")
                    .but("1 sector", std::to_string(statement.sectors.size())));
  }
  if (statement.first_partition == 0) return {};
  return fail(invalid(kPostStatementStage, "a WinningPoSt has one partition")
                  .but("partition 0", std::to_string(statement.first_partition)));
}

/// comm_r and the challenged leaves of one sector, as they stand in its slot or, for a WinningPoSt,
/// in all slots.
std::vector<Fr> sector_inputs(const PostStatement& statement, std::uint64_t index) {
  const PostParams params = statement.config.params();
  const PostSector& sector = statement.sectors[index];
  const std::uint64_t position = std::uint64_t{statement.first_partition} * params.sectors + index;
  std::vector<Fr> inputs;
  std::size_t n = 0;
  for (const std::uint64_t leaf :
       post_challenges(statement.config, statement.randomness, {sector.number, position})) {
    if (n++ % params.challenges == 0) inputs.push_back(sector.comm_r.to_fr());
    inputs.push_back(Fr::from_u64(leaf));
  }
  return inputs;
}

}  // namespace

std::uint32_t PostStatement::partitions() const noexcept {
  if (config.kind == PostKind::kWinning) return 1;
  const std::uint64_t slots = config.params().sectors;
  return static_cast<std::uint32_t>((sectors.size() + slots - 1) / slots);
}

Result<void> check_post_statement(const PostStatement& statement) {
  if (statement.config.kind == PostKind::kWinning) return check_winning(statement);
  if (statement.sectors.empty())
    return fail(invalid(kPostStatementStage, "a WindowPoSt without sectors"));
  const auto unordered = std::ranges::adjacent_find(
      statement.sectors, [](const PostSector& before, const PostSector& after) {
        return before.number >= after.number;
      });
  if (unordered == statement.sectors.end()) return {};
  return fail(invalid(kPostStatementStage, "sectors are each named once and ascend")
                  .in_section("sector " + std::to_string(std::next(unordered)->number))
                  .but("a number above " + std::to_string(unordered->number),
                       std::to_string(std::next(unordered)->number)));
}

Result<std::vector<Fr>> post_public_inputs(const PostStatement& statement,
                                           std::uint32_t partition) {
  BELFRY_CHECK(check_post_statement(statement));
  if (partition >= statement.partitions()) {
    return fail(
        invalid(kPostStatementStage, "there is no such partition")
            .but("below " + std::to_string(statement.partitions()), std::to_string(partition)));
  }
  if (statement.config.kind == PostKind::kWinning) return sector_inputs(statement, 0);
  const std::uint64_t slots = statement.config.params().sectors;
  const std::uint64_t first = partition * slots;
  const std::uint64_t end = std::min<std::uint64_t>(first + slots, statement.sectors.size());
  std::vector<Fr> inputs;
  for (std::uint64_t i = first; i < end; ++i) {
    const std::vector<Fr> sector = sector_inputs(statement, i);
    const std::uint64_t copies = i + 1 == end ? first + slots - i : 1;
    for (std::uint64_t copy = 0; copy < copies; ++copy) {
      inputs.insert(inputs.end(), sector.begin(), sector.end());
    }
  }
  return inputs;
}

}  // namespace belfry::filecoin
