#include "belfry/cli/bench/peak.h"

#include <algorithm>
#include <cstdint>

#include "belfry/trace/span.h"

namespace belfry::cli::bench {
namespace {

constexpr unsigned kChains = 16;

/// iterations · 4 independent 64 × 64 bit multiplications with both halves of the result.
std::uint64_t issue_multiplies(std::uint64_t iterations) noexcept {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t a = 1;
  std::uint64_t b = 2;
  std::uint64_t c = 3;
  std::uint64_t d = 4;
  const std::uint64_t factor = iterations | 1;
  const auto multiply = [factor](std::uint64_t& x) {
    const Wide product = Wide{x} * factor;
    x = static_cast<std::uint64_t>(product >> 64);
    __asm__ volatile("" : "+r"(x) : "r"(static_cast<std::uint64_t>(product)));
  };
  for (std::uint64_t i = 0; i < iterations; ++i) {
    multiply(a);
    multiply(b);
    multiply(c);
    multiply(d);
  }
  return a + b + c + d;
}

/// Best rate of several runs of `issue(iterations)`, each of which issues `width` an iteration.
template <class Issue>
double best_rate(Issue issue, unsigned width) {
  constexpr std::uint64_t kIterations = std::uint64_t{1} << 20U;
  constexpr int kRuns = 8;
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    trace::Span span(nullptr, "cli.bench.peak");
    const std::uint64_t result = issue(kIterations);
    __asm__ volatile("" : : "r"(result));
    best = std::max(best, static_cast<double>(kIterations * width) / span.stop());
  }
  return best;
}

}  // namespace

double peak_multiplies_per_second(Isa isa) {
  constexpr unsigned kScalarChains = 4;
#if defined(__x86_64__)
  if (isa == Isa::kIfma) return best_rate(issue_vpmadd52, kChains);
#endif
  (void)isa;
  return best_rate(issue_multiplies, kScalarChains);
}

}  // namespace belfry::cli::bench
