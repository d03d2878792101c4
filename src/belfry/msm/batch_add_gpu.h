#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/bucket_core.h"

namespace belfry::msm {

/// Adds many pairs of affine points on the device, each block of threads sharing one inversion for
/// up to 65,536 pairs (5 multiplications and a squaring a pair). Every case is right: equal,
/// opposite, infinite points. No result of a call is an operand of another pair of it.
///
/// Members queue work on a stream and return; they allocate nothing and never wait. The scratch is
/// one, so calls on one object are ordered on one stream. Throws gpu::CudaError if a launch is
/// refused. `Curve` is curve::G1 or curve::G2.
template <class Curve>
class BatchAdder {
 public:
  using Affine = typename Curve::Affine;

  /// Takes the scratch from `arena`: one field element a thread and row, 0.8 GB (G1) on 132
  /// multiprocessors.
  [[nodiscard]] static Result<BatchAdder> create(unsigned multiprocessors, gpu::Arena& arena);

  /// out[j] = the signed sum of pairs[j], for j < count[0], a number on the device.
  void add_gathered_async(const Affine* points, const core::PointPair* pairs,
                          const std::uint32_t* count, Affine* out, gpu::StreamRef stream) const;
  /// slots[i] += slots[i + distance] for every i of list[0 ... count[0]).
  void add_slots_async(Affine* slots, const std::uint32_t* list, std::uint32_t distance,
                       const std::uint32_t* count, gpu::StreamRef stream) const;
  /// out[pairs.out(j)] = in[pairs.first(j)] + in[pairs.second(j)] for j < count.
  void add_regular_async(const core::RegularPairs& pairs, const Affine* in, std::uint32_t count,
                         Affine* out, gpu::StreamRef stream) const;

 private:
  using Field = typename Curve::Field;

  BatchAdder(unsigned blocks, gpu::DeviceSpan<Field> prefixes)
      : blocks_(blocks), prefixes_(prefixes) {}

  unsigned blocks_;
  gpu::DeviceSpan<Field> prefixes_;  // (blocks, rows, threads)
};

}  // namespace belfry::msm
