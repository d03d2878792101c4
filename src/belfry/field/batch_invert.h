#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace belfry::field {

/// values[i] = 1/values[i] for every i; zeros stay zero.
///
/// @param values  elements of any field type with `one()`, `is_zero()`, `*` and `inverse()`
/// @param scratch at least values.size() elements, overwritten, no overlap with `values`
///
/// Cost: one inversion and three multiplications an element. Thread-safe on separate spans. Source:
/// Montgomery's trick (Montgomery 1987, section 10.3.1).
template <class Field>
constexpr void batch_invert(std::span<Field> values, std::span<Field> scratch) noexcept {
  Field product = Field::one();
  for (std::size_t i = 0; i < values.size(); ++i) {
    scratch[i] = product;
    if (!values[i].is_zero()) product = product * values[i];
  }
  Field inverse = product.inverse();
  for (std::size_t i = values.size(); i-- > 0;) {
    if (values[i].is_zero()) continue;
    const Field value = values[i];
    values[i] = inverse * scratch[i];
    inverse = inverse * value;
  }
}

/// The same with scratch of its own.
template <class Field>
constexpr void batch_invert(std::span<Field> values) {
  std::vector<Field> scratch(values.size());
  batch_invert(values, std::span<Field>(scratch));
}

}  // namespace belfry::field
