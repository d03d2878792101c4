#include "belfry/msm/stored_points.h"

#include <algorithm>
#include <cstring>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace belfry::msm {
namespace {

constexpr std::size_t kBlock = 1024;

template <class Curve>
Result<void> fetch_range(const PointKernels<Curve>& kernels, const PointSource<Curve>& source,
                         std::size_t begin, std::size_t count, std::byte* out) {
  const std::span<const std::uint8_t> encoded = source.encoded(begin, count);
  if (!encoded.empty() && kernels.decode(encoded.data(), count, out)) return {};
  if (const auto there = source.in_memory(begin, count); !there.empty()) {
    kernels.store(there.data(), count, out);
    return {};
  }
  std::vector<typename Curve::Affine> points(count);
  BELFRY_CHECK(source.read(begin, points));
  kernels.store(points.data(), count, out);
  return {};
}

template <class Curve>
Result<void> fetch_each(const PointKernels<Curve>& kernels, const PointSource<Curve>& source,
                        std::span<const std::uint32_t> indices, std::byte* out) {
  using Affine = typename Curve::Affine;
  constexpr std::size_t kBytes = curve::kUncompressedSize<Affine>;
  std::vector<std::uint8_t> encoded;
  encoded.reserve(indices.size() * kBytes);
  for (const std::uint32_t index : indices) {
    const auto bytes = source.encoded(index, 1);
    encoded.insert(encoded.end(), bytes.begin(), bytes.end());
  }
  const bool complete = encoded.size() == indices.size() * kBytes;
  if (complete && kernels.decode(encoded.data(), indices.size(), out)) return {};
  std::vector<Affine> points(indices.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    BELFRY_CHECK(source.read(indices[i], std::span(points).subspan(i, 1)));
  }
  kernels.store(points.data(), points.size(), out);
  return {};
}

}  // namespace

template <class Curve>
Fetch fetch_all(const PointKernels<Curve>& kernels, const PointSource<Curve>& source) {
  return [&kernels, &source](std::size_t begin, std::size_t count, std::byte* out) {
    return fetch_range(kernels, source, begin, count, out);
  };
}

template <class Curve>
Fetch fetch_indexed(const PointKernels<Curve>& kernels, const PointSource<Curve>& source,
                    std::span<const std::uint32_t> indices) {
  return [&kernels, &source, indices](std::size_t begin, std::size_t count, std::byte* out) {
    return fetch_each(kernels, source, indices.subspan(begin, count), out);
  };
}

template <class Curve>
Result<void> StoredPoints<Curve>::fill(const Fetch& fetch, std::size_t begin, std::size_t count,
                                       const Executor& executor) {
  std::mutex mutex;
  std::optional<Error> error;  // guarded by mutex
  executor.parallel_for(count, kBlock, [&](std::size_t from, std::size_t to) {
    for (std::size_t block = from; block < to; block += kBlock) {
      auto done = fetch(begin + block, std::min(kBlock, to - block), at(block));
      if (done) continue;
      const std::lock_guard lock(mutex);
      if (!error) error = std::move(done.error());
    }
  });
  if (error) return fail(std::move(*error));
  return {};
}

template Fetch fetch_all(const PointKernels<curve::G1>&, const PointSource<curve::G1>&);
template Fetch fetch_all(const PointKernels<curve::G2>&, const PointSource<curve::G2>&);
template Fetch fetch_indexed(const PointKernels<curve::G1>&, const PointSource<curve::G1>&,
                             std::span<const std::uint32_t>);
template Fetch fetch_indexed(const PointKernels<curve::G2>&, const PointSource<curve::G2>&,
                             std::span<const std::uint32_t>);
template class StoredPoints<curve::G1>;
template class StoredPoints<curve::G2>;

}  // namespace belfry::msm
