#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "belfry/base/cpu.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/msm/point_source.h"

namespace belfry::msm {

/// What a caller may choose. The defaults are right outside tests and benchmarks.
struct Options {
  Isa isa = best_isa();      ///< kernels; a better one than best_isa() is lowered to it
  unsigned window_bits = 0;  ///< 1 to 20; 0 takes the cheapest for the length
};

/// Σ scalars[i]·P_i over all points of `source`.
///
/// @param source  any points of the curve; repeated, opposite and infinite ones allowed. Outside
///                the subgroup of order r the sum is that of the canonical integers times the
///                points.
/// @param scalars Montgomery, as many as the source has points; any values
/// @return kInvalidInput if the lengths differ, or what the source reports
///
/// `Curve` is curve::G1 or curve::G2 in everything here. Memory: about 180 bytes a point of a chunk
/// of 2^17 to 2^20 points (65536 for each thread; G1, twice that for G2), and the buckets of all
/// windows (64 MB for 2^20 points of G1). Waits; all threads of the
/// executor work. Thread-safe. Source: Pippenger with signed digits and batched affine additions,
/// docs/perf/msm_cpu.md.
template <class Curve>
[[nodiscard]] Result<typename Curve::Jacobian> multiply(const PointSource<Curve>& source,
                                                        std::span<const Fr> scalars,
                                                        const Executor& executor,
                                                        const Options& options = {});

/// Σ P_i over the set bits: bit i of the mask is bit i % 64 of mask[i / 64]. A 0/1 scalar costs one
/// bit of memory and at most one addition.
///
/// @param mask ceil(size / 64) words; bits from size() on are ignored
/// @return kInvalidInput if the number of words differs, or what the source reports
template <class Curve>
[[nodiscard]] Result<typename Curve::Jacobian> sum_selected(const PointSource<Curve>& source,
                                                            std::span<const std::uint64_t> mask,
                                                            const Executor& executor,
                                                            const Options& options = {});

/// Σ scalars[j]·P_{indices[j]}: the part of an assignment that is not bits. Indices may repeat and
/// come in any order (ascending reads fastest).
///
/// @return kInvalidInput if the lengths differ or an index is out of range, or what the source
///         reports
template <class Curve>
[[nodiscard]] Result<typename Curve::Jacobian> multiply_gathered(
    const PointSource<Curve>& source, std::span<const std::uint32_t> indices,
    std::span<const Fr> scalars, const Executor& executor, const Options& options = {});

/// The same sum as `multiply`, by double and add, one point after the other: what the others are
/// tested against. About 400 additions a point.
template <class Curve>
[[nodiscard]] Result<typename Curve::Jacobian> multiply_reference(const PointSource<Curve>& source,
                                                                  std::span<const Fr> scalars);

}  // namespace belfry::msm
