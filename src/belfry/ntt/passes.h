#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/kernels.h"
#include "belfry/ntt/ntt.h"
#include "belfry/ntt/tables.h"

namespace belfry::ntt {

/// Scratch buffers of one call, one for each strip that is being worked on.
class ScratchPool {
 public:
  explicit ScratchPool(std::size_t bytes) : bytes_(bytes) {}

  /// Runs body(scratch) with a buffer that nobody else uses meanwhile. Thread-safe.
  void lend(const std::function<void(std::byte*)>& body);

 private:
  struct Free {
    void operator()(std::byte* bytes) const noexcept;
  };
  using Buffer = std::unique_ptr<std::byte, Free>;

  Buffer take();

  std::size_t bytes_;
  std::mutex mutex_;
  std::vector<Buffer> idle_;  // guarded by mutex_
};

/// What one transform does beside its butterflies.
struct RowTransform {
  const Rotation* rotation;
  Fr factor = Fr::one();  ///< every value is multiplied by it
  /// Coefficient i, on the bit-reversed side, is multiplied by shift^i: the shift's powers, and the
  /// prepared part of them that depends on the column. Both or neither.
  const PowerTable* shift = nullptr;
  const std::vector<std::uint64_t>* row_shift = nullptr;
};

/// The passes that make up the transforms of arrays of m elements. Each works in place and is
/// spread over the executor's workers; a worker's index is its strip's.
///
/// Natural to bit-reversed order: first_down, middle_down, rows. Back: rows, middle_up, first_up.
class Passes {
 public:
  /// What a row strip does between loading and storing: down, up or both, in this order.
  struct RowWork {
    const RowTransform* down = nullptr;
    const RowTransform* up = nullptr;
    const Fr* subtrahend = nullptr;  ///< m elements that are subtracted at the end
  };

  Passes(const Plan& plan, const Executor& executor);

  void first_down(Fr* x, const Rotation& rotation);
  void first_up(Fr* x, const Rotation& rotation);
  void middle_down(Fr* x, const Rotation& rotation);
  void middle_up(Fr* x, const Rotation& rotation);
  void rows(Fr* x, const RowWork& work);

  /// first_up(x), first_up(y), x = x∘y, first_down(x), strip by strip; y keeps what it had.
  void first_up_multiply_down(Fr* x, const Fr* y, const Rotation& up, const Rotation& down);

 private:
  using Butterflies = decltype(Kernels::down);
  using Strip = std::function<void(std::size_t, std::byte*)>;

  void for_each(std::size_t count, const Strip& body);
  void first(Fr* x, const Rotation& rotation, Butterflies transform);
  void middle(Fr* x, const Rotation& rotation, std::size_t level, Butterflies transform);
  void single_row(Fr* x, const RowWork& work);
  void row_strip(Fr* x, std::size_t strip, const RowWork& work, std::byte* scratch) const;
  void twist(std::size_t strip, const RowTransform& transform, std::byte* scratch) const;

  const Plan::Tables& tables_;
  const Kernels& kernels_;
  const Executor& executor_;
  unsigned rows_log_;    // of one row's length
  unsigned blocks_log_;  // of the number of rows
  ScratchPool scratch_;
};

}  // namespace belfry::ntt
