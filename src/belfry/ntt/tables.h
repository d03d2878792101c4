#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/kernels.h"
#include "belfry/ntt/ntt.h"

namespace belfry::ntt {

/// The low `bits` bits of `value` in reverse order; zero for no bits.
[[nodiscard]] constexpr std::uint64_t reverse_bits(std::uint64_t value, unsigned bits) noexcept {
  std::uint64_t reversed = 0;
  for (unsigned i = 0; i < bits; ++i) reversed |= ((value >> i) & 1) << (bits - 1 - i);
  return reversed;
}

/// Powers of one base by two look-ups: base^e = low[e mod 2^h] · high[e / 2^h].
class PowerTable {
 public:
  PowerTable() = default;
  /// For exponents below 2^bits. Cost and memory: about 2 · 2^(bits/2).
  PowerTable(const Fr& base, unsigned bits);
  /// One multiplication. exponent < 2^bits.
  [[nodiscard]] Fr power(std::uint64_t exponent) const noexcept {
    return low_[exponent & (low_.size() - 1)] * high_[exponent >> low_bits_];
  }

 private:
  unsigned low_bits_ = 0;
  std::vector<Fr> low_;
  std::vector<Fr> high_;
};

/// How log_size is cut into passes. All but the last are over columns, the last over rows.
struct Levels {
  static constexpr std::size_t kMaxCount =
      (Domain::kMaxLogSize + Plan::kMinLevelLog - 1) / Plan::kMinLevelLog;

  std::size_t count = 0;
  std::array<unsigned, kMaxCount> log{};

  Levels(unsigned log_size, unsigned level_log) noexcept;
  [[nodiscard]] unsigned rows_log() const noexcept { return log[count - 1]; }
};

/// Tables for one sense of rotation.
struct Rotation {
  std::vector<std::uint64_t> heap;  ///< prepared twiddles, indexed by node (strip_core.h)
  PowerTable root;                  ///< powers of omega or its inverse
};

struct Plan::Tables {
  const Kernels* kernels;
  Levels levels;
  Rotation forward;
  Rotation inverse;
  PowerTable shift;                              ///< powers of g
  PowerTable shift_inverse;                      ///< powers of 1/g
  std::vector<std::uint64_t> row_shift;          ///< prepared g^(rows · bitrev(j))
  std::vector<std::uint64_t> row_shift_inverse;  ///< prepared g^-(rows · bitrev(j))

  Tables(const Domain& domain, const Kernels& kernels_in, unsigned level_log);

  /// The heap of one block of a middle level: `block` of 2^above_log blocks, each a block of
  /// 2^level_log rows. Its twiddles are those of the whole circle, turned by the block's angle.
  void fill_block_heap(const Rotation& rotation, unsigned above_log, unsigned level_log,
                       std::uint64_t block, std::vector<std::uint64_t>& heap) const;

  unsigned log_size;
};

}  // namespace belfry::ntt
