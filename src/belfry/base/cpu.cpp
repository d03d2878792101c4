#include "belfry/base/cpu.h"

namespace belfry {

std::string_view to_string(Isa isa) noexcept {
  switch (isa) {
    case Isa::kPortable:
      return "portable";
    case Isa::kAdx:
      return "adx";
    case Isa::kIfma:
      return "avx512-ifma";
  }
  return "portable";
}

#if defined(__x86_64__)
namespace {

// CPUID leaf 7 has the ADX bit; __builtin_cpu_supports of GCC 12 does not know it by name.
bool has_adx() noexcept {
  constexpr unsigned kExtendedFeatures = 7;
  unsigned eax = kExtendedFeatures;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  __asm__ volatile("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
  constexpr unsigned kAdxBit = 19;
  return ((ebx >> kAdxBit) & 1) != 0;
}

Isa detect() noexcept {
  __builtin_cpu_init();
  // The builtin also asks the operating system (XGETBV) whether it saves the wide registers.
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512ifma")) {
    return Isa::kIfma;
  }
  if (__builtin_cpu_supports("bmi2") && has_adx()) return Isa::kAdx;
  return Isa::kPortable;
}

}  // namespace

Isa best_isa() noexcept {
  static const Isa isa = detect();
  return isa;
}
#else
Isa best_isa() noexcept { return Isa::kPortable; }
#endif

}  // namespace belfry
