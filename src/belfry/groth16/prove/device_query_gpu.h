#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/prove/prover_options.h"
#include "belfry/groth16/prove/query_tail.h"
#include "belfry/groth16/prove/tiled_sums_gpu.h"
#include "belfry/msm/msm_gpu.h"
#include "belfry/msm/selected_sums_gpu.h"

namespace belfry::groth16 {

/// A sum of products in what is left of the arena; for a plan alone without its pinned memory.
/// kResourceExhausted if too little is left.
template <class Curve>
[[nodiscard]] Result<msm::DeviceMsm<Curve>> take_msm(std::uint64_t points,
                                                     const msm::DeviceMsmOptions& options,
                                                     const gpu::DeviceInfo& device,
                                                     gpu::Arena& arena, ArenaUse use) {
  using Msm = msm::DeviceMsm<Curve>;
  const std::uint64_t left = arena.size_bytes() - arena.used_bytes();
  BELFRY_TRY(const auto plan, msm::plan_device_msm<Curve>(points, device, left, options));
  return use == ArenaUse::kPlan ? Msm::take(plan, arena) : Msm::create(plan, arena);
}

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

/// One query whose scalars are the assignment (L, A, B1 or B2) on the device: the bits of all
/// witnesses of a pass are summed at once, over points that stay in memory or come in tiles; the
/// elements (the tail) witness by witness over points that were gathered once. Where most points
/// have an element and they come in tiles, each tile's elements are summed while it is there.
///
/// Queues work and returns, unless there are several tiles; throws gpu::CudaError. One stream at a
/// time. The two workspaces lie where other stages have theirs, so work on them is ordered by that
/// stream.
template <class Curve>
class DeviceQuery {
 public:
  using Affine = typename Curve::Affine;
  using Jacobian = typename Curve::Jacobian;

  /// Takes what stays: the gathered tail, and the points unless they come in tiles. Touches no
  /// memory.
  [[nodiscard]] Result<void> take_points(Section section, std::uint64_t points,
                                         const DeviceTail& tail, bool resident, gpu::Arena& arena);

  /// Takes the workspace of the bit sums, or of the tail's, which the caller gives back with a
  /// scope. kResourceExhausted if the arena has too little.
  /// @param tile  points of G1 that come at once; 0: the points are here
  [[nodiscard]] Result<void> take_bit_sums(unsigned masks, std::uint64_t tile,
                                           const gpu::DeviceInfo& device, gpu::Arena& arena,
                                           ArenaUse use);
  /// @param sets_per_pass  as msm::DeviceMsmOptions has it
  [[nodiscard]] Result<void> take_tail_sum(unsigned sets_per_pass, const gpu::DeviceInfo& device,
                                           gpu::Arena& arena, ArenaUse use);
  /// Instead of take_tail_sum, if `streams_tail`: `options` has the witnesses and the tile.
  [[nodiscard]] Result<void> take_tail_tiles(const DeviceProverOptions& options,
                                             const gpu::DeviceInfo& device, gpu::Arena& arena,
                                             ArenaUse use);

  [[nodiscard]] Section section() const noexcept { return section_; }
  /// The elements are summed tile by tile (sum_tail_tile_async), not by sum_tail_async.
  [[nodiscard]] bool streams_tail() const noexcept { return tail_.covers_all && !resident_; }
  /// None if they come in tiles.
  [[nodiscard]] gpu::DeviceSpan<Affine> points() const noexcept { return points_; }
  [[nodiscard]] const PointTiles& tiles() const noexcept { return bit_sums_.tiles(); }
  [[nodiscard]] gpu::DeviceSpan<Affine> tail_points() const noexcept { return tail_points_; }
  /// Copies the tail's points from those in memory; once, when points and lists are there.
  void gather_tail_async(gpu::StreamRef stream) const;

  /// Begins the sums of a pass anew.
  void begin_pass();
  /// How many tiles of them are not queued yet.
  [[nodiscard]] std::uint64_t bit_tiles_left() const noexcept {
    return bit_sums_.tiles().count() - queued_;
  }
  /// Queues the bits of the next tile; waits for the one before.
  ///
  /// @param masks   (masks, stride)
  /// @param points  the tile's
  void sum_bit_tile_async(gpu::DeviceSpan<const std::uint64_t> masks,
                          gpu::DeviceSpan<const Affine> points, gpu::StreamRef stream);
  /// Queues the elements of a witness in the tile whose bits were queued last: all witnesses in
  /// ascending order, tile by tile. Waits for the sum before.
  void sum_tail_tile_async(std::size_t witness, const DeviceValues& values,
                           gpu::DeviceSpan<const Affine> points, gpu::StreamRef stream);
  void sum_tail_async(const DeviceValues& values, gpu::StreamRef stream);

  /// Σ of the ones for each mask; waits for the last tile, once.
  [[nodiscard]] const std::vector<Jacobian>& bit_sums();
  /// Σ of a witness's tail: of any if `streams_tail`, waiting for the last tile; otherwise of the
  /// last that was queued, when the stream has passed.
  [[nodiscard]] Jacobian tail_sum(std::size_t witness);

 private:
  void collect(std::uint64_t tile);
  void collect_tail();

  Section section_ = Section::kL;
  bool resident_ = false;
  std::uint64_t count_ = 0;
  DeviceTail tail_;
  gpu::DeviceSpan<Affine> points_;
  gpu::DeviceSpan<Affine> tail_points_;
  gpu::DeviceSpan<Fr> scalars_;  // of the tail, or of a tile of it
  TiledSums<msm::DeviceSelectedSums<Curve>> bit_sums_;
  std::uint64_t queued_ = 0;      // tiles of this pass
  std::uint64_t collected_ = 0;   // likewise
  std::vector<Jacobian> totals_;  // (masks)
  std::unique_ptr<msm::DeviceMsm<Curve>> tail_sum_;
  /// A sum that was queued and not read.
  struct Pending {
    std::uint64_t tile;
    std::size_t witness;
  };
  TiledSums<msm::DeviceMsm<Curve>> tail_tiles_;
  std::optional<Pending> pending_;
  std::vector<Jacobian> tail_totals_;  // (masks)
};

}  // namespace belfry::groth16
