#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/msm/pair_sum.h"

/// What kernels_ifma_*.cpp export: plain pointers only, so that those sources share no inline
/// function with portable ones. See PointKernels for the meaning; coordinates are Fp words.
namespace belfry::msm::ifma {

/// 64 bytes a coordinate (two in G1, four in G2): carried limbs, below 1.0001p.
inline constexpr std::size_t kStrideG1 = 128;
inline constexpr std::size_t kStrideG2 = 256;
/// Pairs that share an inversion: it costs as much as about 100 additions, and points and scratch
/// of a batch should stay in the second-level cache.
inline constexpr std::size_t kBatchG1 = 1024;
inline constexpr std::size_t kBatchG2 = 1024;
/// Groups of eight pairs that the kernels keep in work at a time, each with a chain of products.
inline constexpr std::size_t kAbreast = 4;
/// Denominator, prefix product and x1 of each pair, the whole product of each chain, one flag for
/// each eight pairs.
constexpr std::size_t scratch_bytes(std::size_t batch, std::size_t coordinate_bytes) {
  return 3 * (batch + 8 * kAbreast) * coordinate_bytes + batch / 8;
}
inline constexpr std::size_t kScratchG1 = scratch_bytes(kBatchG1, 64);
inline constexpr std::size_t kScratchG2 = scratch_bytes(kBatchG2, 128);

void store_g1(const std::uint64_t* in, std::size_t n, std::byte* out);
void load_g1(const std::byte* in, std::size_t n, std::uint64_t* out);
bool decode_g1(const std::uint8_t* in, std::size_t n, std::byte* out);
void copy_g1(PointRef from, std::byte* to);
void add_g1(const PairSum* pairs, std::size_t n, std::byte* scratch);

void store_g2(const std::uint64_t* in, std::size_t n, std::byte* out);
void load_g2(const std::byte* in, std::size_t n, std::uint64_t* out);
bool decode_g2(const std::uint8_t* in, std::size_t n, std::byte* out);
void copy_g2(PointRef from, std::byte* to);
void add_g2(const PairSum* pairs, std::size_t n, std::byte* scratch);

/// Inverts eight elements of Fp, portable form, six words each; zeros stay zero. Portable code that
/// the kernels call once a batch.
void invert_eight(std::uint64_t* words) noexcept;

}  // namespace belfry::msm::ifma
