#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/query_tail.h"
#include "belfry/msm/msm_gpu.h"
#include "belfry/msm/selected_sums_gpu.h"

namespace belfry::groth16 {

/// What stands behind an arena: nothing, so that objects are measured, or memory of the device.
enum class ArenaUse : std::uint8_t { kPlan, kRun };

/// The lists of a QueryTail on the device.
struct DeviceTail {
  bool covers_all = false;
  gpu::DeviceSpan<std::uint32_t> points;
  gpu::DeviceSpan<std::uint32_t> values;

  [[nodiscard]] static Result<DeviceTail> take(const QueryTail& tail, gpu::Arena& arena);
  /// Queues; the lists stay valid until the stream passes.
  void upload_async(const QueryTail& tail, gpu::StreamRef stream) const;
};

/// Values of a witness on the device.
struct DeviceValues {
  gpu::DeviceSpan<const Fr> inputs;
  gpu::DeviceSpan<const Fr> fields;
};

/// One query whose scalars are the assignment (L, A, B1 or B2) on the device: its points stay in
/// memory; the bits of all witnesses of a pass are summed at once, the elements (the tail) witness
/// by witness over points that were gathered once, or over all points where most have an element.
///
/// Queues work and returns; throws gpu::CudaError. One stream at a time. The two workspaces lie
/// where other stages have theirs, so work on them is ordered by that stream.
template <class Curve>
class DeviceQuery {
 public:
  using Affine = typename Curve::Affine;
  using Jacobian = typename Curve::Jacobian;

  /// Takes what stays: points and the gathered tail, if there is one. Touches no memory.
  [[nodiscard]] Result<void> take_points(std::uint64_t points, const DeviceTail& tail,
                                         gpu::Arena& arena);

  /// Takes the workspace of the bit sums, or of the tail's, which the caller gives back with a
  /// scope. kResourceExhausted if the arena has too little.
  [[nodiscard]] Result<void> take_bit_sums(unsigned masks, const gpu::DeviceInfo& device,
                                           gpu::Arena& arena, ArenaUse use);
  /// @param sets_per_pass  as msm::DeviceMsmOptions has it
  [[nodiscard]] Result<void> take_tail_sum(unsigned sets_per_pass, const gpu::DeviceInfo& device,
                                           gpu::Arena& arena, ArenaUse use);

  [[nodiscard]] gpu::DeviceSpan<Affine> points() const noexcept { return points_; }
  /// Copies the tail's points, if it lists them; once, when points and lists are there.
  void gather_tail_async(gpu::StreamRef stream) const;

  /// @param masks  (masks, stride)
  void sum_bits_async(gpu::DeviceSpan<const std::uint64_t> masks, gpu::StreamRef stream);
  void sum_tail_async(const DeviceValues& values, gpu::StreamRef stream);

  /// Results, when the stream has passed: Σ of the ones for each mask, and of the last tail.
  [[nodiscard]] std::vector<Jacobian> bit_sums() const { return bit_sums_->result(); }
  [[nodiscard]] Jacobian tail_sum() const { return tail_sum_->result(); }

 private:
  DeviceTail tail_;
  gpu::DeviceSpan<Affine> points_;
  gpu::DeviceSpan<Affine> tail_points_;  // points_ itself if the tail covers all
  gpu::DeviceSpan<Fr> scalars_;  // of the tail
  std::unique_ptr<msm::DeviceSelectedSums<Curve>> bit_sums_;
  std::unique_ptr<msm::DeviceMsm<Curve>> tail_sum_;
};

}  // namespace belfry::groth16
