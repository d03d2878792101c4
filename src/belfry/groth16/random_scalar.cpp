#include "belfry/groth16/random_scalar.h"

#include <cstdint>

#include "belfry/base/bytes.h"
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

Result<std::vector<Fr>> draw_weights(std::size_t count) {
  constexpr std::size_t kWeightBytes = 16;
  std::vector<std::uint8_t> bytes(count * kWeightBytes);
  BELFRY_CHECK(fill_random(bytes));
  std::vector<Fr> weights(count);
  for (std::size_t j = 0; j < count; ++j) {
    const std::uint8_t* at = bytes.data() + j * kWeightBytes;
    weights[j] =
        Fr::from_canonical({load_le<std::uint64_t>(at), load_le<std::uint64_t>(at + 8), 0, 0});
  }
  return weights;
}

}  // namespace belfry::groth16
