#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/field/fr.h"
#include "belfry/r1cs/coefficient.h"
#include "belfry/r1cs/variable.h"

namespace belfry::r1cs {

/// One term of a LinearCombination. The coefficient is a code: below Coefficient::kWide as there,
/// from kWide on an index into the combination's own list of field elements.
struct Term {
  Variable variable;
  std::uint32_t code;
};

/// A map variable -> coefficient, kept as a list that is sorted and merged when it is read. Terms
/// of one variable add up and zeros vanish, so the order of additions never shows.
///
/// Six terms lie inside the object: most rows of SHA-256 need no memory. Not thread-safe: reading
/// normalises. Cost of n additions and one reading: n log n. Source: spec gadgets.md 1.3.
class LinearCombination {
 public:
  LinearCombination() = default;

  /// Adds coefficient · variable.
  LinearCombination& plus(Variable variable, const Coefficient& coefficient = Coefficient::one());
  /// Subtracts the variable.
  LinearCombination& minus(Variable variable) { return plus(variable, Coefficient::minus_one()); }
  /// Adds coefficient · ONE.
  LinearCombination& plus_one(const Coefficient& coefficient = Coefficient::one()) {
    return plus(Variable::one(), coefficient);
  }
  /// Adds factor · other; `other` may be this one.
  LinearCombination& plus(const LinearCombination& other,
                          const Coefficient& factor = Coefficient::one());
  /// Multiplies every coefficient.
  void scale(const Coefficient& factor);
  void clear() noexcept;

  /// The terms: variables ascending and distinct, no coefficient zero. Valid until the next change.
  [[nodiscard]] std::span<const Term> terms() const {
    normalise();
    return stored();
  }
  /// The value of a term's code.
  [[nodiscard]] Fr value_of(std::uint32_t code) const noexcept;
  /// The field element behind a code of at least Coefficient::kWide.
  [[nodiscard]] const Fr& wide(std::uint32_t code) const noexcept {
    return wide_[code - Coefficient::kWide];
  }

 private:
  static constexpr std::size_t kInline = 6;

  [[nodiscard]] std::span<const Term> stored() const noexcept {
    return heap_.empty() ? std::span<const Term>(inline_.data(), size_)
                         : std::span<const Term>(heap_);
  }
  [[nodiscard]] std::span<Term> stored() noexcept {
    return heap_.empty() ? std::span<Term>(inline_.data(), size_) : std::span<Term>(heap_);
  }
  void append(Term term);
  void truncate(std::size_t size) const;
  void normalise() const {
    if (!normal_) merge();
  }
  void merge() const;
  [[nodiscard]] std::uint32_t store_wide(const Fr& value) const;
  [[nodiscard]] std::uint32_t sum_of(std::uint32_t a, std::uint32_t b) const;
  [[nodiscard]] std::uint32_t product_of(std::uint32_t code, const Coefficient& factor) const;

  // Reading sorts, which is no change of the map that the object stands for.
  mutable std::array<Term, kInline> inline_{Term{Variable::one(), 0}, Term{Variable::one(), 0},
                                            Term{Variable::one(), 0}, Term{Variable::one(), 0},
                                            Term{Variable::one(), 0}, Term{Variable::one(), 0}};
  mutable std::uint32_t size_ = 0;  ///< terms in inline_, while heap_ is empty
  mutable bool normal_ = true;
  mutable std::vector<Term> heap_;
  mutable std::vector<Fr> wide_;
};

/// The linear combination of an interpreter that computes values only: every operation is empty, so
/// that a gadget's rows cost nothing.
struct NoLinearCombination {
  constexpr NoLinearCombination& plus(NoVariable,
                                      const Coefficient& = Coefficient::one()) noexcept {
    return *this;
  }
  constexpr NoLinearCombination& minus(NoVariable) noexcept { return *this; }
  constexpr NoLinearCombination& plus_one(const Coefficient& = Coefficient::one()) noexcept {
    return *this;
  }
  constexpr NoLinearCombination& plus(const NoLinearCombination&,
                                      const Coefficient& = Coefficient::one()) noexcept {
    return *this;
  }
  constexpr void scale(const Coefficient&) noexcept {}
  constexpr void clear() noexcept {}
};

}  // namespace belfry::r1cs
