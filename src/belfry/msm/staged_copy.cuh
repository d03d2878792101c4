#pragma once

#include <cstdint>

#include "belfry/msm/batch_add.cuh"

// Warps that read and write 32 G1 points at scattered places together: consecutive lanes take
// consecutive 16-byte pieces of one point, through shared memory. On an H200 that reads 25 to 29 G
// random points a second, against 14 to 16 for one point a thread (docs/perf/gpu_msm.md).
namespace belfry::msm::device {

inline constexpr unsigned kPieceBytes = 16;
inline constexpr unsigned kFieldBytes = 48;
inline constexpr unsigned kPointBytes = 2 * kFieldBytes;
/// A point's place in shared memory; the padding spreads 16-byte reads over all banks.
inline constexpr unsigned kPointStride = 112;

/// The lane number, read anew each time: kept in registers it would be spilled.
__device__ __forceinline__ unsigned lane_id() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}
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

/// What a lane copies: one piece of each of kLanes points, which kLanes lanes share.
template <unsigned kLanes>
struct LanePieces {
  static constexpr unsigned kGroups = kWarpSize / kLanes;

  unsigned group =
      lane_id() / kLanes;  ///< the first of its points, by lane; they are kGroups apart
  unsigned piece = lane_id() % kLanes;
  std::uint32_t indices[kLanes];  ///< of its points, which their lanes know

  __device__ __forceinline__ explicit LanePieces(std::uint32_t index) {
#pragma unroll
    for (unsigned k = 0; k < kLanes; ++k) {
      indices[k] = __shfl_sync(kWholeWarp, index, group + k * kGroups);
    }
  }
};

/// Starts copying the first kPieces pieces of point `index` of every lane to shared + lane ·
/// kStride. kLanes lanes serve a point, the first kPieces of them.
template <unsigned kLanes, unsigned kPieces, unsigned kStride>
__device__ __forceinline__ void fetch_async(unsigned shared, const void* points,
                                            std::uint32_t index) {
  const LanePieces<kLanes> own(index);
  if (own.piece >= kPieces) return;
  const unsigned to = shared + own.group * kStride + own.piece * kPieceBytes;
  const auto* const from = static_cast<const char*>(points) + own.piece * kPieceBytes;
#pragma unroll
  for (unsigned k = 0; k < kLanes; ++k) {
    copy_piece_async(to + k * own.kGroups * kStride,
                     from + std::uint64_t{own.indices[k]} * kPointBytes);
  }
}
__device__ __forceinline__ void fetch_x_async(unsigned shared, const void* points,
                                              std::uint32_t index) {
  fetch_async<4, kFieldBytes / kPieceBytes, kFieldBytes>(shared, points, index);
}
__device__ __forceinline__ void fetch_point_async(unsigned shared, const void* points,
                                                  std::uint32_t index) {
  fetch_async<8, kPointBytes / kPieceBytes, kPointStride>(shared, points, index);
}

/// Writes the points at shared + lane · kPointStride to points[index], nothing for kNoPoint.
__device__ __forceinline__ void store_points(const char* shared, void* points,
                                             std::uint32_t index) {
  constexpr unsigned kLanes = 8;
  const LanePieces<kLanes> own(index);
  if (own.piece >= kPointBytes / kPieceBytes) return;
  const char* const from = shared + own.group * kPointStride + own.piece * kPieceBytes;
  char* const to = static_cast<char*>(points) + own.piece * kPieceBytes;
#pragma unroll
  for (unsigned k = 0; k < kLanes; ++k) {
    const auto value = *reinterpret_cast<const uint4*>(from + k * own.kGroups * kPointStride);
    if (own.indices[k] != core::kNoPoint) {
      *reinterpret_cast<uint4*>(to + std::uint64_t{own.indices[k]} * kPointBytes) = value;
    }
  }
}

}  // namespace belfry::msm::device
