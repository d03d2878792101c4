#pragma once

#include <cstddef>

#include "belfry/field/fr.h"

namespace belfry::hash {

/// Σ a[i]·b[i·stride] over n < 128 terms, canonical. One reduction for the whole sum: 4n + 4 rows
/// of four word products and a small quotient, against 8n rows for n multiplications.
///
/// Chooses by CPU between C++ alone and the carry chains of ADX; both give the same bits.
/// Thread-safe. Source: Montgomery multiplication, coarsely integrated operand scanning (Koç, Acar,
/// Kaliski 1996), the rows of all terms before each reduction step.
[[nodiscard]] Fr sum_of_products(const Fr* a, const Fr* b, std::size_t stride,
                                 std::size_t n) noexcept;

namespace detail {

/// The portable form, which tests hold against the other.
[[nodiscard]] Fr sum_of_products_portable(const Fr* a, const Fr* b, std::size_t stride,
                                          std::size_t n) noexcept;

}  // namespace detail
}  // namespace belfry::hash
