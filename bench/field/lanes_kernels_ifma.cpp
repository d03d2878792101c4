#include "belfry/field/fp_lanes.h"
#include "belfry/field/fr_lanes.h"
#include "lanes_kernels.h"

namespace belfry::bench {
namespace {

namespace lanes = belfry::field;
constexpr std::size_t kFrWords = 4 * lanes::kLanes;

BELFRY_LANES lanes::FpLanes load(const std::byte* from) noexcept {
  lanes::FpLanes out;
  for (std::size_t i = 0; i < lanes::FpLaneParams::kLimbs; ++i) {
    out.x.limb[i] = _mm512_load_si512(from + 64 * i);
  }
  return out;
}
BELFRY_LANES void store(std::byte* to, const lanes::FpLanes& a) noexcept {
  for (std::size_t i = 0; i < lanes::FpLaneParams::kLimbs; ++i) {
    _mm512_store_si512(to + 64 * i, a.x.limb[i]);
  }
}

}  // namespace

void multiply_fp(std::byte* memory) {
  constexpr std::size_t kGroup = sizeof(lanes::FpLanes);
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::byte* const next = memory + kGroup * ((i + 1) % kBlock);
    store(memory + kGroup * i, lanes::fp_mul(load(memory + kGroup * i), load(next)));
  }
}
void square_fp(std::byte* memory) {
  constexpr std::size_t kGroup = sizeof(lanes::FpLanes);
  for (std::size_t i = 0; i < kBlock; ++i) {
    store(memory + kGroup * i, lanes::fp_square(load(memory + kGroup * i)));
  }
}
void multiply_fr(std::uint64_t* memory) {
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint64_t* const next = memory + kFrWords * ((i + 1) % kBlock);
    lanes::fr_store(memory + kFrWords * i, lanes::fr_mul(lanes::fr_load(memory + kFrWords * i),
                                                         lanes::fr_load_prepared(next)));
  }
}

}  // namespace belfry::bench
