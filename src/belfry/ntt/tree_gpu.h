#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/tree_plan.h"

namespace belfry::ntt {

/// Transforms over one domain on the device, in place: from coefficients in natural order to values
/// in bit-reversed order and back (tree_core.h). Its tables live in the arena that it was made
/// from, about 2^(log_size - 9) elements for each direction and set of points.
///
/// All members queue work on a stream and return; they allocate nothing and never wait. Arrays have
/// domain.size() elements. Throws gpu::CudaError if a launch is refused. Calls on different streams
/// may overlap.
class DeviceTree {
 public:
  /// Takes the tables from `arena` (kResourceExhausted if they do not fit) and queues their
  /// computation on `stream`.
  [[nodiscard]] static Result<DeviceTree> create(const Domain& domain, gpu::Arena& arena,
                                                 gpu::StreamRef stream);

  /// Takes the tables alone, for plans: launches nothing.
  [[nodiscard]] static Result<DeviceTree> reserve(const Domain& domain, gpu::Arena& arena);

  [[nodiscard]] const Domain& domain() const noexcept { return domain_; }

  /// One transform. Up leaves the coefficients times domain().size().
  void transform_async(TreeDirection direction, TreePoints points, gpu::DeviceSpan<Fr> data,
                       gpu::StreamRef stream) const;

  /// The quotient h = (A·B - C)/Z of spec formats.md 2.2.
  ///
  /// @param a, b, c  the rows' values on the domain in bit-reversed order; overwritten
  /// After it `a` holds the size() coefficients of h in natural order, the last one zero for a
  /// satisfied system. Six transforms, as `quotient` in ntt.h.
  void quotient_async(gpu::DeviceSpan<Fr> a, gpu::DeviceSpan<Fr> b, gpu::DeviceSpan<Fr> c,
                      gpu::StreamRef stream) const;

 private:
  static constexpr std::size_t kSenses = 2;

  explicit DeviceTree(const Domain& domain)
      : domain_(domain), passes_(tree_passes(domain.log_size())) {}

  [[nodiscard]] static std::size_t index(TreeDirection direction) noexcept {
    return direction == TreeDirection::kDown ? 0 : 1;
  }
  [[nodiscard]] static std::size_t index(TreePoints points) noexcept {
    return points == TreePoints::kSubgroup ? 0 : 1;
  }
  [[nodiscard]] Result<void> take_tables(TreeDirection direction, gpu::Arena& arena);
  void fill_tables_async(TreeDirection direction, gpu::StreamRef stream) const;

  using PassTables = std::vector<gpu::DeviceSpan<Fr>>;  // one for each pass: (blocks)

  Domain domain_;
  std::vector<core::TreePass> passes_;
  std::array<gpu::DeviceSpan<Fr>, kSenses> unit_;                 // [direction]: (2^9)
  std::array<std::array<PassTables, kSenses>, kSenses> deepest_;  // [direction][points]
};

}  // namespace belfry::ntt
