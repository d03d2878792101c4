#pragma once

#include <cstdint>

#include "belfry/msm/spread_fp.cuh"

// Warps that read and write their points at scattered places together, 32 of G1 or 16 of G2:
// consecutive lanes take consecutive 16-byte pieces of one point, through shared memory. On an H200
// that reads 25 to 29 G random G1 points a second, against 14 to 16 for one point a thread
// (docs/perf/gpu_msm.md).
namespace belfry::msm::device {

inline constexpr unsigned kPieceBytes = 16;
/// A coefficient, and a lane's share of a point: one of x and one of y.
inline constexpr unsigned kFieldBytes = 48;
inline constexpr unsigned kPointBytes = 2 * kFieldBytes;
/// A lane's share of a point's place in shared memory. The padding follows the whole point; it
/// spreads 16-byte reads over all banks.
inline constexpr unsigned kPointStride = 112;

__device__ __forceinline__ void copy_piece_async(unsigned shared, const void* global) {
  asm volatile("cp.async.cg.shared.global [%0],[%1],16;" ::"r"(shared), "l"(global) : "memory");
}
__device__ __forceinline__ void close_copies() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}
/// Waits until at most kOpen groups of copies are under way.
template <int kOpen>
__device__ __forceinline__ void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(kOpen) : "memory");
}

/// What a lane copies: one piece of each of kPoints points, which kLanes lanes share. 2^kSpreadLog
/// lanes know the index of a point.
template <unsigned kSpreadLog, unsigned kLanes>
struct LanePieces {
  static constexpr unsigned kGroups = kWarpSize / kLanes;
  static constexpr unsigned kPoints = kLanes >> kSpreadLog;

  unsigned group = lane_id() / kLanes;  ///< the first of its points; they are kGroups apart
  unsigned piece = lane_id() % kLanes;
  std::uint32_t indices[kPoints];

  __device__ __forceinline__ explicit LanePieces(std::uint32_t index) {
#pragma unroll
    for (unsigned k = 0; k < kPoints; ++k) {
      indices[k] = __shfl_sync(kWholeWarp, index, (group + k * kGroups) << kSpreadLog);
    }
  }
};

/// Starts copying the first kPieces pieces of the point `index` that every 2^kSpreadLog lanes
/// share, point i of the warp to shared + i · kStride. kLanes lanes serve a point, the first
/// kPieces of them.
template <unsigned kSpreadLog, unsigned kLanes, unsigned kPieces, unsigned kStride>
__device__ __forceinline__ void fetch_async(unsigned shared, const void* points,
                                            std::uint32_t index) {
  const LanePieces<kSpreadLog, kLanes> own(index);
  if (own.piece >= kPieces) return;
  const unsigned to = shared + own.group * kStride + own.piece * kPieceBytes;
  const auto* const from = static_cast<const char*>(points) + own.piece * kPieceBytes;
#pragma unroll
  for (unsigned k = 0; k < own.kPoints; ++k) {
    copy_piece_async(to + k * own.kGroups * kStride,
                     from + std::uint64_t{own.indices[k]} * (kPointBytes << kSpreadLog));
  }
}
template <unsigned kSpreadLog>
__device__ __forceinline__ void fetch_x_async(unsigned shared, const void* points,
                                              std::uint32_t index) {
  constexpr unsigned kBytes = kFieldBytes << kSpreadLog;
  fetch_async<kSpreadLog, 4 << kSpreadLog, kBytes / kPieceBytes, kBytes>(shared, points, index);
}
template <unsigned kSpreadLog>
__device__ __forceinline__ void fetch_point_async(unsigned shared, const void* points,
                                                  std::uint32_t index) {
  fetch_async<kSpreadLog, 8 << kSpreadLog, (kPointBytes << kSpreadLog) / kPieceBytes,
              kPointStride << kSpreadLog>(shared, points, index);
}

/// Writes the warp's points, in shared memory as fetch_point_async leaves them, to points[index];
/// nothing for kNoPoint.
template <unsigned kSpreadLog>
__device__ __forceinline__ void store_points(const char* shared, void* points,
                                             std::uint32_t index) {
  constexpr unsigned kStride = kPointStride << kSpreadLog;
  const LanePieces<kSpreadLog, 8 << kSpreadLog> own(index);
  if (own.piece >= (kPointBytes << kSpreadLog) / kPieceBytes) return;
  const char* const from = shared + own.group * kStride + own.piece * kPieceBytes;
  char* const to = static_cast<char*>(points) + own.piece * kPieceBytes;
#pragma unroll
  for (unsigned k = 0; k < own.kPoints; ++k) {
    const auto value = *reinterpret_cast<const uint4*>(from + k * own.kGroups * kStride);
    if (own.indices[k] != core::kNoPoint) {
      *reinterpret_cast<uint4*>(to + std::uint64_t{own.indices[k]} * (kPointBytes << kSpreadLog)) =
          value;
    }
  }
}

}  // namespace belfry::msm::device
