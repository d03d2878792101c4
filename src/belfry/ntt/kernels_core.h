#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/ntt/kernels.h"
#include "belfry/ntt/strip_core.h"

// Fills a Kernels table from a Lanes type: one instance per instruction set. Everything here is a
// template over Lanes, so the instances of two translation units never share a symbol.
namespace belfry::ntt::core {

template <class Lanes>
struct KernelsOf {
  using Value = typename Lanes::Value;
  using Twiddle = typename Lanes::Twiddle;

  static constexpr std::size_t kRow = Lanes::kPerRow;

  static Value* values(std::byte* scratch) { return reinterpret_cast<Value*>(scratch); }
  static const Value* values(const std::byte* scratch) {
    return reinterpret_cast<const Value*>(scratch);
  }
  static const Twiddle* twiddles(const std::uint64_t* words) {
    return reinterpret_cast<const Twiddle*>(words);
  }

  static void load_columns(std::byte* scratch, const Fr* src, std::size_t stride,
                           std::size_t rows) {
    Value* const x = values(scratch);
    for (std::size_t i = 0; i < rows; ++i) Lanes::load(x + i * kRow, src + i * stride);
  }
  static void store_columns(const std::byte* scratch, Fr* dst, std::size_t stride,
                            std::size_t rows) {
    const Value* const x = values(scratch);
    for (std::size_t i = 0; i < rows; ++i) Lanes::store(x + i * kRow, dst + i * stride);
  }
  static void load_rows(std::byte* scratch, const Fr* src, std::size_t stride, std::size_t count) {
    Value* const x = values(scratch);
    for (std::size_t j = 0; j < count; ++j) Lanes::gather(x + j * kRow, src + j, stride);
  }
  static void store_rows(const std::byte* scratch, Fr* dst, std::size_t stride, std::size_t count) {
    const Value* const x = values(scratch);
    for (std::size_t j = 0; j < count; ++j) Lanes::scatter(x + j * kRow, dst + j, stride);
  }
  static void down(std::byte* scratch, unsigned log_rows, const std::uint64_t* heap, bool unit) {
    core::down<Lanes>(values(scratch), log_rows, 1, twiddles(heap), unit);
  }
  static void up(std::byte* scratch, unsigned log_rows, const std::uint64_t* heap, bool unit) {
    core::up<Lanes>(values(scratch), log_rows, 1, twiddles(heap), unit);
  }
  static void twist(std::byte* scratch, std::size_t count, const Fr* start, const Fr* ratio) {
    Value starts[kRow];
    Value ratios[kRow];
    Lanes::load(starts, start);
    Lanes::load(ratios, ratio);
    for (std::size_t k = 0; k < kRow; ++k) {
      core::twist<Lanes>(values(scratch) + k, count, starts[k], ratios[k]);
    }
  }
  static void scale(std::byte* scratch, std::size_t count, const std::uint64_t* constants) {
    core::scale<Lanes>(values(scratch), count, twiddles(constants));
  }
  static void multiply_columns(std::byte* scratch, const Fr* src, std::size_t stride,
                               std::size_t rows) {
    Value* const x = values(scratch);
    Value factors[kRow];
    for (std::size_t i = 0; i < rows; ++i) {
      Lanes::load(factors, src + i * stride);
      for (std::size_t k = 0; k < kRow; ++k) {
        x[i * kRow + k] = Lanes::multiply(x[i * kRow + k], Lanes::to_factor(factors[k]));
      }
    }
  }
  static void subtract_rows(std::byte* scratch, const Fr* src, std::size_t stride,
                            std::size_t count) {
    Value* const x = values(scratch);
    Value terms[kRow];
    for (std::size_t j = 0; j < count; ++j) {
      Lanes::gather(terms, src + j, stride);
      for (std::size_t k = 0; k < kRow; ++k) {
        x[j * kRow + k] = Lanes::template subtract<2>(x[j * kRow + k], terms[k]);
      }
    }
  }

  static constexpr Kernels table() {
    return {.value_bytes = sizeof(Value) * kRow,
            .twiddle_words = sizeof(Twiddle) / sizeof(std::uint64_t),
            .prepare = &Lanes::prepare,
            .load_columns = &load_columns,
            .store_columns = &store_columns,
            .load_rows = &load_rows,
            .store_rows = &store_rows,
            .down = &down,
            .up = &up,
            .twist = &twist,
            .scale = &scale,
            .multiply_columns = &multiply_columns,
            .subtract_rows = &subtract_rows};
  }
};

}  // namespace belfry::ntt::core
