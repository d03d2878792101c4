#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "belfry/base/cpu.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/field/fr.h"

namespace belfry::msm {

/// Many multiples of one point: a table of d·2^(cw)·B for every window w and digit d, then one
/// batched affine addition a window. `Curve` is curve::G1 or curve::G2. Immutable once made;
/// thread-safe.
template <class Curve>
class FixedBase {
 public:
  using Affine = typename Curve::Affine;

  /// Builds the table; `expected` is the number of multiples that will be asked for and decides the
  /// window (from 16 kB to 64 MiB of table for G1). The base has order r or is infinity.
  FixedBase(const Affine& base, std::size_t expected, const Executor& executor,
            Isa isa = best_isa());
  ~FixedBase();
  FixedBase(FixedBase&&) noexcept;
  FixedBase& operator=(FixedBase&&) noexcept;

  /// out[i] = scalars[i]·B, affine; scalars are Montgomery, zero gives infinity.
  ///
  /// @return kInvalidInput if the lengths differ
  ///
  /// Cost: 256/c batched additions a scalar (about 30 ns each with IFMA in G1, 90 in G2), all
  /// threads of the executor. Waits.
  [[nodiscard]] Result<void> multiply(std::span<const Fr> scalars, std::span<Affine> out,
                                      const Executor& executor) const;

 private:
  struct Table;
  std::unique_ptr<const Table> table_;
};

}  // namespace belfry::msm
