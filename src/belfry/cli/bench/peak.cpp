#include "belfry/cli/bench/peak.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

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

double peak_read_bytes_per_second() {
  // Larger than any cache that one core fills.
  constexpr std::size_t kWords = std::size_t{8} << 20U;
  constexpr std::size_t kChunk = 8;
  constexpr int kRuns = 5;
  const std::vector<std::uint64_t> words(kWords, 1);
  double best = 0;
  for (int run = 0; run < kRuns; ++run) {
    trace::Span span(nullptr, "cli.bench.peak");
    std::array<std::uint64_t, kChunk> sums{};
    for (std::size_t i = 0; i < kWords; i += kChunk) {
      for (std::size_t j = 0; j < kChunk; ++j) sums[j] += words[i + j];
    }
    __asm__ volatile("" : : "r"(sums.data()) : "memory");
    best = std::max(best, static_cast<double>(kWords * sizeof(std::uint64_t)) / span.stop());
  }
  return best;
}

}  // namespace belfry::cli::bench
