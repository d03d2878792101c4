#include "belfry/curve/g2.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/msm/batch_add_simple.cuh"

namespace belfry::msm {
namespace {

constexpr unsigned kLogThreads = 7;
constexpr unsigned kThreads = 1u << kLogThreads;
constexpr unsigned kBlocksPerSm = 2;

template <class Pairs>
void launch(const Pairs& pairs, unsigned blocks, gpu::DeviceSpan<Fp2> prefixes,
            gpu::StreamRef stream) {
  device::add_pairs_kernel<curve::G2, Pairs, kLogThreads, kBlocksPerSm>
      <<<blocks, kThreads, 0, stream.handle()>>>(pairs, prefixes.data());
  BELFRY_CUDA_CHECK_LAUNCH("msm.add_pairs");
}

}  // namespace

template <>
Result<BatchAdder<curve::G2>> BatchAdder<curve::G2>::create(unsigned multiprocessors,
                                                            gpu::Arena& arena) {
  const unsigned blocks = multiprocessors * kBlocksPerSm;
  BELFRY_TRY(const auto prefixes,
             arena.take<Fp2>(std::uint64_t{blocks} * device::kMaxRows * kThreads, "prefixes"));
  return BatchAdder(blocks, prefixes);
}

template <>
void BatchAdder<curve::G2>::add_gathered_async(const Affine* points, const core::PointPair* pairs,
                                               const std::uint32_t* count, Affine* out,
                                               gpu::StreamRef stream) const {
  launch(device::GatheredPairs<Affine>{points, pairs, out, count}, blocks_, prefixes_, stream);
}
template <>
void BatchAdder<curve::G2>::add_slots_async(Affine* slots, const std::uint32_t* list,
                                            std::uint32_t distance, const std::uint32_t* count,
                                            gpu::StreamRef stream) const {
  launch(device::SlotPairs<Affine>{slots, list, slots, count, distance}, blocks_, prefixes_,
         stream);
}
template <>
void BatchAdder<curve::G2>::add_regular_async(const core::RegularPairs& pairs, const Affine* in,
                                              std::uint32_t count, Affine* out,
                                              gpu::StreamRef stream) const {
  launch(device::ShapedPairs<Affine>{in, pairs, out, count}, blocks_, prefixes_, stream);
}

}  // namespace belfry::msm
