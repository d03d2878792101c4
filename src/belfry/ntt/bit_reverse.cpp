#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/ntt.h"
#include "belfry/ntt/tables.h"

namespace belfry::ntt {
namespace {

/// A tile holds 2^kTileLog runs of 2^kTileLog elements: whole cache lines, and few enough pages for
/// the address cache.
constexpr unsigned kTileLog = 5;
constexpr std::size_t kTile = std::size_t{1} << kTileLog;

/// Index i = (high, middle, low) with kTileLog bits at both ends goes to (rev low, rev middle, rev
/// high). So the tile of one middle maps onto the tile of its reverse, transposed.
class Tiles {
 public:
  Tiles(Fr* x, unsigned log_size) noexcept
      : x_(x), stride_log_(log_size - kTileLog), middle_log_(log_size - 2 * kTileLog) {
    for (std::size_t i = 0; i < kTile; ++i) reversed_[i] = reverse_bits(i, kTileLog);
  }

  [[nodiscard]] std::size_t count() const noexcept { return std::size_t{1} << middle_log_; }

  /// Exchanges the tile of `middle` with its partner; the partner's call does nothing.
  void exchange(std::size_t middle) const noexcept {
    const std::size_t partner = reverse_bits(middle, middle_log_);
    if (partner < middle) return;
    for (std::size_t high = 0; high < kTile; ++high) {
      for (std::size_t low = 0; low < kTile; ++low) {
        const std::size_t from = index(high, middle, low);
        const std::size_t to = index(reversed_[low], partner, reversed_[high]);
        if (partner != middle || from < to) std::swap(x_[from], x_[to]);
      }
    }
  }

 private:
  [[nodiscard]] std::size_t index(std::size_t high, std::size_t middle,
                                  std::size_t low) const noexcept {
    return (high << stride_log_) | (middle << kTileLog) | low;
  }

  Fr* x_;
  unsigned stride_log_;
  unsigned middle_log_;
  std::array<std::size_t, kTile> reversed_{};
};

}  // namespace

Result<void> bit_reverse(std::span<Fr> x, const Executor& executor) {
  const unsigned log_size = static_cast<unsigned>(std::bit_width(x.size())) - 1;
  if (!std::has_single_bit(x.size()) || log_size > Domain::kMaxLogSize) {
    return fail(Error{ErrorCode::kInvalidUsage, "ntt.bit_reverse", "wrong length"}.but(
        "a power of two up to 2^32", std::to_string(x.size())));
  }
  if (log_size < 2 * kTileLog) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t to = reverse_bits(i, log_size);
      if (i < to) std::swap(x[i], x[to]);
    }
    return {};
  }
  const Tiles tiles(x.data(), log_size);
  executor.parallel_for(tiles.count(), 1, [&tiles](std::size_t begin, std::size_t end) {
    for (std::size_t middle = begin; middle < end; ++middle) tiles.exchange(middle);
  });
  return {};
}

}  // namespace belfry::ntt
