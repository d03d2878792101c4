#pragma once

#include <cstdint>

#include "belfry/gadgets/number.h"

namespace belfry::gadgets {

/// Gathers equalities of short integers into few rows: lhs · 1 = rhs, each equality at its own
/// power of two, at most 253 bits a row. Lives as long as one SHA-256 compression; the last row is
/// emitted by the destructor. Nothing at all where only values are computed. Source: spec
/// gadgets.md 7.
template <class Cs>
class MultiEq {
 public:
  using Lc = typename Cs::Lc;

  explicit MultiEq(Cs& cs) : cs_(cs) {}
  MultiEq(const MultiEq&) = delete;
  MultiEq& operator=(const MultiEq&) = delete;
  ~MultiEq() {
    if (used_ > 0) flush();
  }

  [[nodiscard]] Cs& cs() noexcept { return cs_; }

  /// Says that lhs = rhs, both below 2^bits. A full accumulator is emitted first.
  void enforce_equal(std::uint32_t bits, const Lc& lhs, const Lc& rhs) {
    if constexpr (Cs::kComputesValues) return;
    if (used_ + bits >= kFieldCapacity) flush();
    lhs_.plus(lhs, Coefficient::power_of_two(used_));
    rhs_.plus(rhs, Coefficient::power_of_two(used_));
    used_ += bits;
  }

 private:
  void flush() {
    cs_.enforce(lhs_, Lc{}.plus_one(), rhs_);
    lhs_.clear();
    rhs_.clear();
    used_ = 0;
  }

  Cs& cs_;
  [[no_unique_address]] Lc lhs_;
  [[no_unique_address]] Lc rhs_;
  std::uint32_t used_ = 0;
};

}  // namespace belfry::gadgets
