#include "belfry/engine/jobs/refused_sectors.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace belfry::engine {
namespace {

/// "1, 2, 7 and 4 more"
std::string numbers_of(const RefusedSectors& refused) {
  std::string numbers;
  for (const RefusedSector& sector : refused.named) {
    if (!numbers.empty()) numbers += ", ";
    numbers += sector.sector ? std::to_string(*sector.sector) : "that of " + sector.error.file;
  }
  if (refused.count == refused.named.size()) return numbers;
  return numbers + " and " + std::to_string(refused.count - refused.named.size()) + " more";
}

/// A mistake in the request looks like damage to all of its sectors, and whoever declares a good
/// sector faulty pays for it.
std::string hint_of(const RefusedSectors& refused, std::size_t sectors, const std::string& remedy) {
  if (refused.count >= sectors) {
    return std::string(sectors == 1 ? "The only" : "Every") +
           " sector is refused: compare randomness, proof type and partition with those that the "
           "vanilla proofs were made for, then make these again";
  }
  return std::to_string(refused.count) + " of " + std::to_string(sectors) +
         " sectors are refused: " + numbers_of(refused) + ". " +
         (remedy.empty()
              ? "Make their vanilla proofs again and declare faulty those for which that fails"
              : remedy);
}

}  // namespace

void Refusals::add(const filecoin::VanillaPost& post, std::vector<filecoin::PostFault> faults,
                   std::span<const std::string_view> names) {
  std::set<std::optional<std::uint64_t>> known;
  for (const RefusedSector& refused : all_) known.insert(refused.sector);
  for (filecoin::PostFault& fault : faults) {
    const std::uint64_t number = post.sectors[fault.index].sector_number;
    if (known.contains(number)) continue;
    Error error = names.empty() ? std::move(fault.error)
                                : std::move(fault.error).in_file(std::string(names[fault.index]));
    all_.push_back({post.partition(fault.index), number, std::move(error)});
  }
}

Error Refusals::refuse(filecoin::PostKind kind, std::size_t sectors, const RefusalSink& sink) && {
  std::ranges::sort(all_, {}, [](const RefusedSector& refused) {
    return std::pair(refused.sector, std::string_view(refused.error.file));
  });
  Error first = all_.front().error;
  const std::size_t count = all_.size();
  if (count > kMostNamedSectors) all_.erase(all_.begin() + kMostNamedSectors, all_.end());
  const RefusedSectors refused{.named = std::move(all_), .count = count};
  if (sink) sink(refused);
  if (kind == filecoin::PostKind::kWinning) return first;
  const std::string hint = hint_of(refused, sectors, first.hint);
  return std::move(first).with_hint(hint);
}

}  // namespace belfry::engine
