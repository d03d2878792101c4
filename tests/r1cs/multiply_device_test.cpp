#include <gtest/gtest.h>

#include <memory>

#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/r1cs/multiply_gpu.h"
#include "belfry/r1cs/synthesize.h"
#include "support/coded_product.h"
#include "support/random_system.h"

namespace belfry::r1cs {
namespace {

class MultiplyOnDevice : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(gpu::use_device(0));
    memory_ = std::make_unique<gpu::DeviceMemory>(
        std::move(*gpu::DeviceMemory::allocate(std::uint64_t{1} << 28)));
    arena_ = std::make_unique<gpu::Arena>(memory_->data(), memory_->size_bytes());
  }
  template <class T>
  std::vector<T> download(gpu::DeviceSpan<T> span) {
    std::vector<T> host(span.size());
    gpu::download_async<T>(span, host, stream_);
    stream_.synchronize();
    return host;
  }
  void expect_products(const Shape& shape, const PackedWitness& witness) {
    const gpu::Arena::Scope scope(*arena_);
    const auto coded = CodedShape::create(shape);
    ASSERT_TRUE(coded);
    gpu::Arena plan = gpu::Arena::unlimited();
    ASSERT_TRUE(DeviceShape::reserve(*coded, plan));
    const std::uint64_t before = arena_->used_bytes();
    const auto device = DeviceShape::upload(*coded, *arena_, stream_);
    ASSERT_TRUE(device) << device.error().describe();
    EXPECT_EQ(arena_->used_bytes() - before, plan.used_bytes());
    const auto values = DeviceWitness::take(device->sizes(), *arena_);
    ASSERT_TRUE(values);
    ASSERT_TRUE(upload_witness_async(*device, witness, *values, stream_));
    for (unsigned log_size = test::domain_log(shape); log_size < 14; log_size += 3) {
      const auto out = arena_->take<Fr>(std::uint64_t{1} << log_size, "out");
      for (const Matrix matrix : {Matrix::kA, Matrix::kB}) {
        ASSERT_TRUE(multiply_async(*device, matrix, *values, *out, stream_));
        EXPECT_EQ(download(*out), test::reversed_product(shape, matrix, witness, log_size));
      }
    }
    const auto ones = arena_->take<std::uint64_t>(device->ones_words(), "ones");
    spread_bits_async(*device, *values, *ones, stream_);
    EXPECT_EQ(download(*ones), test::all_ones(shape, witness));
  }

  std::unique_ptr<gpu::DeviceMemory> memory_;
  std::unique_ptr<gpu::Arena> arena_;
  gpu::Stream stream_;
};

TEST_F(MultiplyOnDevice, AgreesWithTheHostOnRandomSystems) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    for (const std::uint64_t blocks : std::vector<std::uint64_t>{0, 1, 3, 11}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", blocks " << blocks);
      const auto shape = extract_shape("random", test::RandomSystem{blocks, 5 + 60 * seed, seed});
      ASSERT_TRUE(shape) << shape.error().describe();
      expect_products(*shape, test::random_witness(shape->layout(), seed));
    }
  }
}

TEST_F(MultiplyOnDevice, RefusesWhatDoesNotFit) {
  const auto shape = extract_shape("random", test::RandomSystem{2, 20, 1});
  const auto other = extract_shape("random", test::RandomSystem{3, 20, 1});
  const auto coded = CodedShape::create(*shape);
  const auto device = DeviceShape::upload(*coded, *arena_, stream_);
  const auto values = DeviceWitness::take(device->sizes(), *arena_);
  ASSERT_TRUE(device && values);
  EXPECT_EQ(upload_witness_async(*device, *PackedWitness::create(other->layout()), *values, stream_)
                .error()
                .code,
            ErrorCode::kInvalidUsage);
  const auto out = *arena_->take<Fr>(128, "out");
  for (const std::size_t size : {std::size_t{64}, std::size_t{100}}) {
    EXPECT_EQ(
        multiply_async(*device, Matrix::kA, *values, out.subspan(0, size), stream_).error().code,
        ErrorCode::kInvalidUsage);
  }
  EXPECT_EQ(multiply_async(*device, Matrix::kC, *values, out, stream_).error().code,
            ErrorCode::kInvalidUsage);
  gpu::Arena small = gpu::Arena::for_plan(1024);
  EXPECT_EQ(DeviceShape::reserve(*coded, small).error().code, ErrorCode::kResourceExhausted);
}

}  // namespace
}  // namespace belfry::r1cs
