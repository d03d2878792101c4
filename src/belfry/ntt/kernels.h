#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/base/cpu.h"
#include "belfry/field/fr.h"

namespace belfry::ntt {

/// Elements side by side in one step of a kernel: eight adjacent columns, or eight adjacent rows.
inline constexpr std::size_t kStrip = 8;

/// The steps of a transform on one strip, for one instruction set. A strip is `rows` values of
/// eight elements in a scratch buffer, in the form that the instruction set likes; the elements in
/// memory are ordinary, fully reduced Fr. Formulas: strip_core.h. All functions are pure and
/// thread-safe.
struct Kernels {
  std::size_t value_bytes;    ///< of one scratch value; the buffer is aligned to 64
  std::size_t twiddle_words;  ///< u64 of one prepared constant

  /// Prepares n constants: out holds n · twiddle_words.
  void (*prepare)(const Fr* constants, std::size_t n, std::uint64_t* out);

  /// scratch[i] = src[i·stride + 0..7] and back; stride in elements.
  void (*load_columns)(std::byte* scratch, const Fr* src, std::size_t stride, std::size_t rows);
  void (*store_columns)(const std::byte* scratch, Fr* dst, std::size_t stride, std::size_t rows);
  /// scratch[j] = src[(0..7)·stride + j] and back.
  void (*load_rows)(std::byte* scratch, const Fr* src, std::size_t stride, std::size_t count);
  void (*store_rows)(const std::byte* scratch, Fr* dst, std::size_t stride, std::size_t count);

  /// Transform from natural to bit-reversed order with a heap of prepared twiddles (see
  /// strip_core.h); `unit` says that the heap is that of the whole circle.
  void (*down)(std::byte* scratch, unsigned log_rows, const std::uint64_t* twiddles, bool unit);
  /// Its transpose, from bit-reversed to natural order.
  void (*up)(std::byte* scratch, unsigned log_rows, const std::uint64_t* twiddles, bool unit);
  /// scratch[j] *= start · ratio^j, lane by lane; start and ratio have eight elements.
  void (*twist)(std::byte* scratch, std::size_t count, const Fr* start, const Fr* ratio);
  /// scratch[j] *= constants[j], prepared.
  void (*scale)(std::byte* scratch, std::size_t count, const std::uint64_t* constants);
  /// scratch[i] *= src[i·stride + 0..7]
  void (*multiply_columns)(std::byte* scratch, const Fr* src, std::size_t stride, std::size_t rows);
  /// scratch[j] -= src[(0..7)·stride + j]
  void (*subtract_rows)(std::byte* scratch, const Fr* src, std::size_t stride, std::size_t count);
};

/// One table per translation unit, each compiled for its own instruction set.
extern const Kernels kPortableKernels;
extern const Kernels kAdxKernels;
extern const Kernels kIfmaKernels;

/// The table of an instruction set that this CPU has.
[[nodiscard]] const Kernels& kernels_for(Isa isa) noexcept;

}  // namespace belfry::ntt
