#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/ntt/ntt.h"
#include "belfry/ntt/tree_core.h"
#include "belfry/ntt/tree_gpu.h"
#include "support/quotient_rows.h"

namespace belfry::ntt {
namespace {

std::vector<Fr> random_elements(std::size_t n, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<Fr> out(n);
  for (Fr& x : out) x = Fr{{rng(), rng(), rng(), rng() >> 2}};
  return out;
}

using test::bit_reversed;

class TreeOnDevice : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    ASSERT_TRUE(gpu::use_device(0));
    memory_ = std::make_unique<gpu::DeviceMemory>(
        std::move(*gpu::DeviceMemory::allocate(std::uint64_t{1} << 30)));
    arena_ = std::make_unique<gpu::Arena>(memory_->data(), memory_->size_bytes());
  }
  gpu::DeviceSpan<Fr> upload(const std::vector<Fr>& host) {
    const auto span = arena_->take<Fr>(host.size(), "data");
    gpu::upload_async<Fr>(host, *span, stream_);
    return *span;
  }
  std::vector<Fr> download(gpu::DeviceSpan<Fr> span) {
    std::vector<Fr> host(span.size());
    gpu::download_async<Fr>(span, host, stream_);
    stream_.synchronize();
    return host;
  }

  std::unique_ptr<gpu::DeviceMemory> memory_;
  std::unique_ptr<gpu::Arena> arena_;
  gpu::Stream stream_;
};

TEST_P(TreeOnDevice, DownAgreesWithTheHostAndUpReturns) {
  const auto domain = Domain::of_log_size(GetParam());
  ASSERT_TRUE(domain);
  const auto tree = DeviceTree::create(*domain, *arena_, stream_);
  ASSERT_TRUE(tree) << tree.error().describe();
  const auto plan = Plan::create(*domain);
  ASSERT_TRUE(plan);
  const Executor executor;
  const auto coefficients = random_elements(domain->size(), GetParam());
  auto values = coefficients;
  ASSERT_TRUE(coset_forward(*plan, values, executor));

  const auto data = upload(coefficients);
  tree->transform_async(TreeDirection::kDown, TreePoints::kCoset, data, stream_);
  ASSERT_EQ(download(data), bit_reversed(values));
  tree->transform_async(TreeDirection::kUp, TreePoints::kCoset, data, stream_);
  auto back = download(data);
  for (Fr& x : back) x *= domain->size_inverse();
  ASSERT_EQ(back, coefficients);
}

TEST_P(TreeOnDevice, QuotientAgreesWithTheHost) {
  const auto domain = Domain::of_log_size(GetParam());
  const auto tree = DeviceTree::create(*domain, *arena_, stream_);
  ASSERT_TRUE(tree);
  auto a = random_elements(domain->size(), 1);
  auto b = random_elements(domain->size(), 2);
  std::vector<Fr> c(a.size());
  for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] * b[i];
  const auto da = upload(bit_reversed(a));
  const auto db = upload(bit_reversed(b));
  const auto dc = upload(bit_reversed(c));
  tree->quotient_async(da, db, dc, stream_);
  const auto h = download(da);

  const auto plan = Plan::create(*domain);
  const Executor executor;
  ASSERT_TRUE(quotient(*plan, a, b, c, executor));
  a.back() = Fr::zero();  // m - 1 coefficients are defined
  ASSERT_EQ(h, a);
}

TEST_P(TreeOnDevice, DomainQuotientIsTheQuotientWithoutC) {
  const auto domain = Domain::of_log_size(GetParam());
  gpu::Arena plan = gpu::Arena::unlimited();
  ASSERT_TRUE(DeviceTree::reserve(*domain, plan));
  const auto tree = DeviceTree::create(*domain, *arena_, stream_);
  ASSERT_TRUE(tree);
  EXPECT_EQ(arena_->used_bytes(), plan.used_bytes());
  const auto rows = test::random_quotient_rows(GetParam());
  const auto a = upload(bit_reversed(rows.a));
  const auto b = upload(bit_reversed(rows.b));
  const auto h = upload(rows.c);
  const auto work = upload(rows.c);
  tree->domain_quotient_async(a, b, h, work, stream_);
  const auto found = download(h);
  EXPECT_EQ(test::with_c(*domain, found, rows.c), test::quotient_values(*domain, rows));
  EXPECT_EQ(download(a), bit_reversed(rows.a));
  EXPECT_EQ(download(b), bit_reversed(rows.b));
}

INSTANTIATE_TEST_SUITE_P(Sizes, TreeOnDevice,
                         testing::Values(0, 1, 2, 3, 5, 8, 9, 10, 12, 17, 18, 19, 20, 21));

}  // namespace
}  // namespace belfry::ntt
