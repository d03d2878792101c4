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
/// from: 34 MB for 2^27.
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

  /// The part of the quotient that comes from A and B, as values on the domain itself. With
  /// D(p) = X·p'(X) the quotient has at omega^j the value
  ///
  ///   (a_j·D(b)_j + b_j·D(a)_j - D(c)_j) / m,
  ///
  /// by de l'Hôpital's rule, as X·(X^m - 1)' is m on the domain. Four transforms; rows with
  /// a_j = b_j = 0 give zero.
  ///
  /// @param a, b  the rows' values on the domain in bit-reversed order; kept
  /// @param h     at position p, row j = bitrev(p): the first two terms of the value, over m,
  /// divided
  ///              by domain_quotient_factor(domain())
  /// @param work  overwritten
  /// The four do not overlap.
  void domain_quotient_async(gpu::DeviceSpan<const Fr> a, gpu::DeviceSpan<const Fr> b,
                             gpu::DeviceSpan<Fr> h, gpu::DeviceSpan<Fr> work,
                             gpu::StreamRef stream) const;

  /// What kernels read.
  struct Tables {
    using OfPasses = std::vector<gpu::DeviceSpan<Fr>>;
    struct Powers {
      gpu::DeviceSpan<Fr> low;
      gpu::DeviceSpan<Fr> high;
    };
    static constexpr std::size_t kSenses = 2;

    std::vector<core::TreePass> passes;
    /// [direction][points], for each pass: (blocks, 2^rows_log), of the last pass block 0 alone
    std::array<std::array<OfPasses, kSenses>, kSenses> twiddles;
    std::array<Powers, kSenses> powers;  ///< [direction]
  };

 private:
  explicit DeviceTree(const Domain& domain)
      : domain_(domain), tables_{tree_passes(domain.log_size()), {}, {}} {}

  [[nodiscard]] Result<void> take_tables(TreeDirection direction, gpu::Arena& arena);
  void fill_tables_async(TreeDirection direction, gpu::StreamRef stream) const;

  Domain domain_;
  Tables tables_;
};

}  // namespace belfry::ntt
