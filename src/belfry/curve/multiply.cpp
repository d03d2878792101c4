#include "belfry/curve/multiply.h"

#include <array>
#include <cstddef>

namespace belfry::curve {

template <class Curve>
Jacobian<Curve> multiply(const Jacobian<Curve>& point,
                         std::span<const std::uint64_t> scalar) noexcept {
  constexpr unsigned kWindow = 4;
  constexpr std::uint64_t kDigitMask = (std::uint64_t{1} << kWindow) - 1;
  std::array<Jacobian<Curve>, std::size_t{1} << kWindow> multiples;
  for (std::size_t i = 1; i < multiples.size(); ++i) multiples[i] = multiples[i - 1] + point;

  Jacobian<Curve> result;
  for (std::size_t bit = 64 * scalar.size(); bit > 0;) {
    bit -= kWindow;
    for (unsigned i = 0; i < kWindow && !result.is_infinity(); ++i) result = result.doubled();
    const std::uint64_t digit = (scalar[bit / 64] >> (bit % 64)) & kDigitMask;
    if (digit != 0) result += multiples[digit];
  }
  return result;
}

template Jacobian<G1> multiply(const Jacobian<G1>&, std::span<const std::uint64_t>) noexcept;
template Jacobian<G2> multiply(const Jacobian<G2>&, std::span<const std::uint64_t>) noexcept;

}  // namespace belfry::curve
