#pragma once

#include <string_view>

namespace belfry {

/// The instruction sets that vector kernels are written for, worst first. A kernel table is chosen
/// with `best_isa()` at run time; tests run every table up to it.
enum class Isa : unsigned char {
  kPortable,  ///< C++ alone
  kAdx,       ///< BMI2 mulx and ADX carry chains
  kIfma,      ///< AVX-512 F, DQ, VL, BW and IFMA: eight lanes of 52-bit limbs
};

[[nodiscard]] std::string_view to_string(Isa isa) noexcept;

/// The best that this CPU and operating system support. Asked once; thread-safe.
[[nodiscard]] Isa best_isa() noexcept;

}  // namespace belfry
