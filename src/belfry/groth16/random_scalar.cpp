#include "belfry/groth16/random_scalar.h"

#include "belfry/base/random.h"

namespace belfry::groth16 {

Result<Fr> draw_scalar() {
  constexpr std::uint8_t kTopBits = 0x7f;
  for (;;) {
    FrBytes::Array bytes{};
    BELFRY_CHECK(fill_random(bytes));
    bytes.back() &= kTopBits;
    if (const auto value = FrBytes::parse_fr(bytes)) return *value;
  }
}

}  // namespace belfry::groth16
