#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/spread_fp.cuh"

namespace belfry::msm {
namespace {

constexpr unsigned kThreads = 256;

/// What the kernel makes of two elements, as they lie in registers: below 2p.
template <class Field>
struct Outcome {
  Field product;
  Field square;  ///< of a
  Field difference;
};

template <class Field>
constexpr std::size_t kCoefficients = sizeof(Field) / sizeof(Fp);

/// Thread i holds coefficient i of all elements laid end to end.
template <class Field>
__global__ void products_kernel(const Fp* a, const Fp* b, Outcome<Field>* out) {
  using Spread = device::Spread<Field>;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto x = device::to_lazy(a[i]);
  const auto y = device::to_lazy(b[i]);
  const auto raw = [](const device::LazyFp& value) {
    return Fp{field::device::join<Fp::Limbs>(value.w)};
  };
  auto* const own =
      reinterpret_cast<Fp*>(out + i / kCoefficients<Field>) + i % kCoefficients<Field>;
  own[0] = raw(Spread::multiply(x, y));
  own[kCoefficients<Field>] = raw(Spread::square(x));
  own[2 * kCoefficients<Field>] =
      raw(device::subtract_lazy(device::reduced(x), device::reduced(y)));
}

/// limbs·k + add, of the modulus.
Fp near_modulus(std::uint64_t times, std::int64_t add) {
  Fp out;
  field::Uint128 carry = 0;
  for (std::size_t i = 0; i < Fp::kLimbs; ++i) {
    carry += field::Uint128{field::FpParams::kModulus[i]} * times;
    out.limbs[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  out.limbs[0] += static_cast<std::uint64_t>(add);  // the low limb of p is neither small nor large
  return out;
}

bool is_below(const Fp& a, const Fp& bound) {
  for (std::size_t i = Fp::kLimbs; i-- > 0;) {
    if (a.limbs[i] != bound.limbs[i]) return a.limbs[i] < bound.limbs[i];
  }
  return false;
}

/// The canonical element of one below 2p.
Fp canonical(const Fp& lazy) {
  if (is_below(lazy, near_modulus(1, 0))) return lazy;
  Fp out;
  field::Carry borrow = 0;
  for (std::size_t i = 0; i < Fp::kLimbs; ++i) {
    out.limbs[i] = field::subtract_borrow(lazy.limbs[i], field::FpParams::kModulus[i], borrow);
  }
  return out;
}
Fp2 canonical(const Fp2& lazy) { return {canonical(lazy.c0), canonical(lazy.c1)}; }

bool is_lazy(const Fp& a) { return is_below(a, near_modulus(2, 0)); }
bool is_lazy(const Fp2& a) { return is_lazy(a.c0) && is_lazy(a.c1); }

/// Coefficients below 2p: all combinations of edges first, then random ones.
std::vector<Fp> coefficients(std::size_t count, std::size_t run, std::uint64_t seed) {
  const std::vector<Fp> edges{Fp::zero(),          Fp{{1}},
                              near_modulus(1, -1), near_modulus(1, 0),
                              near_modulus(1, 1),  near_modulus(2, -1),
                              near_modulus(2, -2), Fp::one()};
  std::mt19937_64 rng(seed);
  std::vector<Fp> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (auto& limb : out[i].limbs) limb = rng();
    out[i].limbs.back() >>= 3;  // 381 bits, below 2p but for those mended here
    if (!is_lazy(out[i])) out[i].limbs.back() >>= 1;
    if (i / run < edges.size() * edges.size()) out[i] = edges[i / run % edges.size()];
  }
  return out;
}

template <class Field>
class SpreadOnDevice : public testing::Test {};
using Fields = testing::Types<Fp, Fp2>;
TYPED_TEST_SUITE(SpreadOnDevice, Fields);

TYPED_TEST(SpreadOnDevice, MultipliesUnreducedElements) {
  using Field = TypeParam;
  constexpr std::size_t kElements = std::size_t{1} << 15;
  constexpr std::size_t kCount = kElements * kCoefficients<Field>;
  ASSERT_TRUE(gpu::use_device(0));
  auto memory = gpu::DeviceMemory::allocate(std::uint64_t{1} << 26);
  ASSERT_TRUE(memory);
  gpu::Arena arena(memory->data(), memory->size_bytes());
  const gpu::Stream stream;
  // Runs of 1 and of 8: every edge meets every other in one coefficient or the other.
  const std::vector<Fp> a = coefficients(kCount, 1, 1);
  const std::vector<Fp> b = coefficients(kCount, 8, 2);
  const auto a_there = *arena.take<Fp>(kCount, "a");
  const auto b_there = *arena.take<Fp>(kCount, "b");
  const auto out_there = *arena.take<Outcome<Field>>(kElements, "outcomes");
  gpu::upload_async<Fp>(a, a_there, stream);
  gpu::upload_async<Fp>(b, b_there, stream);
  products_kernel<Field><<<kCount / kThreads, kThreads, 0, gpu::StreamRef(stream).handle()>>>(
      a_there.data(), b_there.data(), out_there.data());
  std::vector<Outcome<Field>> out(kElements);
  gpu::download_async<Outcome<Field>>(out_there, out, stream);
  stream.synchronize();
  for (std::size_t i = 0; i < kElements; ++i) {
    Field x;
    Field y;
    std::memcpy(&x, &a[i * kCoefficients<Field>], sizeof(Field));
    std::memcpy(&y, &b[i * kCoefficients<Field>], sizeof(Field));
    const Field p = canonical(x);
    const Field q = canonical(y);
    ASSERT_TRUE(is_lazy(out[i].product) && is_lazy(out[i].square) && is_lazy(out[i].difference))
        << i;
    ASSERT_EQ(canonical(out[i].product), p * q) << i;
    ASSERT_EQ(canonical(out[i].square), p * p) << i;
    ASSERT_EQ(canonical(out[i].difference), p - q) << i;
  }
}

}  // namespace
}  // namespace belfry::msm
