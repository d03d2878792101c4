#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

#include "belfry/field/fp.h"
#include "belfry/field/fr.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"

namespace belfry {
namespace {

constexpr unsigned kThreads = 256;

/// The device operations on one pair of operands.
template <class Field>
struct Outcome {
  Field sum;
  Field difference;
  Field product;
  Field inverse;  ///< of a
  std::uint32_t is_equal;
  std::uint32_t is_zero;  ///< a
};

template <class Field>
__global__ void operations_kernel(gpu::DeviceSpan<const Field> a, gpu::DeviceSpan<const Field> b,
                                  gpu::DeviceSpan<Outcome<Field>> out) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= out.size()) return;
  out[i] = {a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i].inverse(), a[i] == b[i], a[i].is_zero()};
}

template <class Field>
std::vector<Field> operands(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<Field> out(n);
  for (auto& x : out) {
    for (auto& limb : x.limbs) limb = rng();
    x.limbs.back() >>= 64 - (Field::kLimbs == 4 ? 62 : 60);
  }
  Field largest = Field::zero() - Field{{1}};
  out[0] = Field::zero();
  out[1] = largest;
  out[2] = Field{{1}};
  out[3] = Field::one();
  return out;
}

template <class Field>
class FieldOnDevice : public testing::Test {};
using Fields = testing::Types<Fr, Fp>;
TYPED_TEST_SUITE(FieldOnDevice, Fields);

TYPED_TEST(FieldOnDevice, AgreesWithTheHost) {
  using Field = TypeParam;
  constexpr std::size_t kCount = std::size_t{1} << 16;
  ASSERT_TRUE(gpu::use_device(0));
  auto memory = gpu::DeviceMemory::allocate(std::uint64_t{1} << 26);
  ASSERT_TRUE(memory);
  gpu::Arena arena(memory->data(), memory->size_bytes());
  const gpu::Stream stream;
  auto a = operands<Field>(kCount, 1);
  auto b = operands<Field>(kCount, 2);
  for (std::size_t i = 0; i < 16; ++i) {  // every pair of edge values
    a[16 + i] = a[i / 4];
    b[16 + i] = b[i % 4];
  }
  const auto da = arena.take<Field>(kCount, "a");
  const auto db = arena.take<Field>(kCount, "b");
  const auto dout = arena.take<Outcome<Field>>(kCount, "out");
  ASSERT_TRUE(da && db && dout);
  gpu::upload_async<Field>(a, *da, stream);
  gpu::upload_async<Field>(b, *db, stream);
  operations_kernel<Field>
      <<<kCount / kThreads, kThreads, 0, gpu::StreamRef(stream).handle()>>>(*da, *db, *dout);
  BELFRY_CUDA_CHECK_LAUNCH("test.operations");
  std::vector<Outcome<Field>> out(kCount);
  gpu::download_async<Outcome<Field>>(*dout, out, stream);
  stream.synchronize();
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(out[i].sum, a[i] + b[i]) << i;
    ASSERT_EQ(out[i].difference, a[i] - b[i]) << i;
    ASSERT_EQ(out[i].product, a[i] * b[i]) << i;
    ASSERT_EQ(out[i].inverse, a[i].inverse()) << i;
    ASSERT_EQ(out[i].is_equal, a[i] == b[i] ? 1U : 0U) << i;
    ASSERT_EQ(out[i].is_zero, a[i].is_zero() ? 1U : 0U) << i;
  }
}

}  // namespace
}  // namespace belfry
