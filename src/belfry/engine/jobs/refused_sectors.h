#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/filecoin/post/vanilla_check.h"

/// A PoSt is refused for all of its bad sectors at once: a provider declares them faulty in one
/// message, and has no time to find them one run after the other.
namespace belfry::engine {

/// A sector whose vanilla proof is refused, and the first thing that is wrong with it.
struct RefusedSector {
  std::optional<std::uint32_t> partition;  ///< of the deadline; none where it can't be told
  std::optional<std::uint64_t> sector;     ///< none if the bytes end before the number
  /// kInvalidInput: file, section with partition, sector, challenge and field, expected, found.
  Error error;
};

/// The refused sectors of one request.
struct RefusedSectors {
  std::vector<RefusedSector> named;  ///< by ascending number, at most kMostNamedSectors
  std::size_t count = 0;             ///< of all
};
/// More bad sectors than these have one cause: another randomness, a lost disk.
inline constexpr std::size_t kMostNamedSectors = 100;

/// Takes the refused sectors of a request, once, before the call returns the error of the first.
using RefusalSink = std::function<void(const RefusedSectors&)>;

/// Gathers what is wrong with the vanilla proofs of one request.
class Refusals {
 public:
  void add(RefusedSector refused) { all_.push_back(std::move(refused)); }
  /// What find_post_faults found; `names` has the file of each sector, or is empty. A sector that
  /// is refused already keeps its first error.
  void add(const filecoin::VanillaPost& post, std::vector<filecoin::PostFault> faults,
           std::span<const std::string_view> names);
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }

  /// Hands all of them to the sink, if there is one. There is at least one.
  ///
  /// @param kind     a hint tells what is to be done about the sectors of a WindowPoSt
  /// @param sectors  how many the request has
  /// @return the error of the first, with the numbers of all in its hint, and with a hint of its
  ///         own behind them
  [[nodiscard]] Error refuse(filecoin::PostKind kind, std::size_t sectors,
                             const RefusalSink& sink) &&;

 private:
  std::vector<RefusedSector> all_;
};

}  // namespace belfry::engine
