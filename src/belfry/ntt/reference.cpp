#include "belfry/ntt/reference.h"

#include <cstddef>
#include <span>
#include <vector>

#include "belfry/field/fr.h"

namespace belfry::ntt {
// NOLINTNEXTLINE(misc-no-recursion): the definition; as deep as the length has bits
void reference_transform(std::span<Fr> x, const Fr& omega) {
  if (x.size() <= 1) return;
  const std::size_t half = x.size() / 2;
  std::vector<Fr> even(half);
  std::vector<Fr> odd(half);
  for (std::size_t i = 0; i < half; ++i) {
    even[i] = x[2 * i];
    odd[i] = x[2 * i + 1];
  }
  reference_transform(even, omega.square());
  reference_transform(odd, omega.square());
  Fr power = Fr::one();
  for (std::size_t i = 0; i < half; ++i) {
    const Fr term = power * odd[i];
    x[i] = even[i] + term;
    x[half + i] = even[i] - term;
    power *= omega;
  }
}

}  // namespace belfry::ntt
