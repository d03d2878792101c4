#include "belfry/groth16/prove/device_floor.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace belfry::groth16 {
namespace {

// Per multiprocessor and second at 1.98 GHz: 64 wide multiply-adds a clock at half rate; an affine
// addition takes 5 products, a square and its share of an inversion (docs/perf/gpu_msm.md).
constexpr double kAdditionsG1 = 4.58e9 / 132;
constexpr double kAdditionsG2 = 1.6e9 / 132;
constexpr double kProductsFp = 28.4e9 / 132;
constexpr double kProductsFr = 63.4e9 / 132;
// Of the whole card, bytes a second.
constexpr double kMemory = 4.8e12;
constexpr double kBus = 55e9;

struct QueryLoad {
  std::string_view name;
  double points;
  double tail;
  double additions;  ///< a second and multiprocessor
};

}  // namespace

DeviceRates device_rates(unsigned multiprocessors) noexcept {
  const auto units = static_cast<double>(multiprocessors);
  return {.fp = kProductsFp * units,
          .fr = kProductsFr * units,
          .additions_g1 = kAdditionsG1 * units,
          .additions_g2 = kAdditionsG2 * units,
          .memory = kMemory};
}

double least_additions(double n) noexcept {
  constexpr unsigned kScalarBits = 255;
  constexpr unsigned kMostBits = 24;
  double best = std::numeric_limits<double>::max();
  for (unsigned bits = 4; bits <= kMostBits; ++bits) {
    const unsigned windows = (kScalarBits + bits - 1) / bits;
    best = std::min(
        best, static_cast<double>(windows) * (n + static_cast<double>(std::uint64_t{1} << bits)));
  }
  return n == 0 ? 0 : best;
}

double device_floor_seconds(std::string_view stage, const PreparedShape& shape, unsigned partitions,
                            unsigned multiprocessors) {
  const auto count = static_cast<double>(partitions);
  const auto units = static_cast<double>(multiprocessors);
  const auto rows = static_cast<double>(std::bit_ceil(shape.shape.rows()));
  const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
  const auto tail = [&](Query query) { return number(shape.tail(query).elements); };
  const QueryLoad loads[]{
      {"l", number(shape.points.l), tail(Query::kL), kAdditionsG1},
      {"a", number(shape.points.a), tail(Query::kA), kAdditionsG1},
      {"b_g1", number(shape.points.b), tail(Query::kB), kAdditionsG1},
      {"b_g2", number(shape.points.b), tail(Query::kB), kAdditionsG2},
  };
  for (const QueryLoad& load : loads) {
    if (stage.starts_with("bits_") && stage.substr(5) == load.name) {
      return load.points / (load.additions * units);
    }
    if (stage.starts_with("tail_") && stage.substr(5) == load.name) {
      return count * least_additions(load.tail) / (load.additions * units);
    }
  }
  if (stage == "upload") {
    const r1cs::WitnessLayout layout = shape.shape.layout();
    return count * number(layout.words() * sizeof(std::uint64_t) + layout.fields() * sizeof(Fr)) /
           kBus;
  }
  if (stage == "rows") return count * 2 * rows * sizeof(Fr) / kMemory;
  if (stage == "quotient") {
    const double transforms = shape.basis == QuotientBasis::kDomain ? 4 : 6;
    return count * transforms * rows / 2 *
           std::max(1, std::countr_zero(std::bit_ceil(shape.shape.rows()))) / (kProductsFr * units);
  }
  if (stage == "msm_h")
    return count * least_additions(number(shape.points.h)) / (kAdditionsG1 * units);
  return 0;
}

}  // namespace belfry::groth16
