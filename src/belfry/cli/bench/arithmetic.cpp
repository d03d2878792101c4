#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "belfry/base/cpu.h"
#include "belfry/cli/bench/benches.h"
#include "belfry/cli/bench/floor.h"
#include "belfry/cli/bench/report.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/field/fr.h"
#include "belfry/msm/fixed_base.h"
#include "belfry/msm/msm.h"
#include "belfry/msm/point_source.h"
#include "belfry/ntt/ntt.h"

namespace belfry::cli::bench {
namespace {

constexpr std::uint64_t kValuesSeed = 1;

std::vector<Fr> random_elements(std::size_t n) {
  // The topmost two bits stay clear, so that every number is below r.
  std::mt19937_64 generator(kValuesSeed);
  std::vector<Fr> elements(n);
  for (Fr& element : elements) {
    element = Fr{Fr::Limbs{generator(), generator(), generator(), generator() >> 2U}};
  }
  return elements;
}

std::vector<std::uint64_t> random_bits(std::size_t n) {
  constexpr std::size_t kWordBits = 64;
  std::mt19937_64 generator(kValuesSeed);
  std::vector<std::uint64_t> words((n + kWordBits - 1) / kWordBits);
  for (std::uint64_t& word : words) word = generator();
  return words;
}

struct Transform {
  const char* name;
  Result<void> (*run)(const ntt::Plan&, std::span<Fr>, const Executor&);
};
constexpr std::array kTransforms{Transform{"forward", ntt::forward},
                                 Transform{"inverse", ntt::inverse},
                                 Transform{"coset forward", ntt::coset_forward},
                                 Transform{"forward, reversed out", ntt::forward_to_reversed}};

/// Full scalars and half of the points, for one group.
template <class Curve>
Result<void> measure_group(const std::string& name, const Options& options,
                           const SessionView& session, double full_floor, double bits_floor,
                           std::vector<Figure>& figures) {
  const std::size_t n = std::size_t{1} << options.log_size;
  const std::vector<Fr> scalars = random_elements(n);
  const std::vector<std::uint64_t> bits = random_bits(n);
  std::vector<typename Curve::Affine> points(n);
  const msm::FixedBase<Curve> base(Curve::generator(), n, session.executor);
  BELFRY_CHECK(base.multiply(scalars, points, session.executor));
  const msm::SpanSource<Curve> source(points);
  const auto full = best_of(options.runs, session.cancel, [&]() -> Result<void> {
    BELFRY_TRY(const auto sum, msm::multiply<Curve>(source, scalars, session.executor));
    (void)sum;
    return {};
  });
  if (!full) return fail(full.error());
  figures.push_back({name + " full scalars", n, "points", *full, full_floor});
  const auto selected = best_of(options.runs, session.cancel, [&]() -> Result<void> {
    BELFRY_TRY(const auto sum, msm::sum_selected<Curve>(source, bits, session.executor));
    (void)sum;
    return {};
  });
  if (!selected) return fail(selected.error());
  figures.push_back({name + " half of the points", n, "points", *selected, bits_floor});
  return {};
}

}  // namespace

Result<Outcome> bench_ntt(const Options& options, const SessionView& session) {
  const FloorModel floor(best_isa(), session.executor.threads());
  BELFRY_TRY(const auto domain, ntt::Domain::of_log_size(options.log_size));
  BELFRY_TRY(const auto plan, ntt::Plan::create(domain));
  std::vector<Fr> values = random_elements(domain.size());
  std::vector<Figure> figures;
  for (const Transform& transform : kTransforms) {
    const auto run = [&] { return transform.run(plan, values, session.executor); };
    BELFRY_TRY(const double seconds, best_of(options.runs, session.cancel, run));
    figures.push_back(
        {transform.name, domain.size(), "elements", seconds, floor.ntt_seconds(options.log_size)});
  }
  std::vector<Fr> b = values;
  std::vector<Fr> c = values;
  const auto divide = [&] { return ntt::quotient(plan, values, b, c, session.executor); };
  BELFRY_TRY(const double seconds, best_of(options.runs, session.cancel, divide));
  figures.push_back(
      {"quotient", domain.size(), "elements", seconds, floor.quotient_seconds(options.log_size)});
  return report(figures, session);
}

Result<Outcome> bench_msm(const Options& options, const SessionView& session) {
  const FloorModel floor(best_isa(), session.executor.threads());
  const std::uint64_t n = std::uint64_t{1} << options.log_size;
  const double half = static_cast<double>(n) / 2;
  std::vector<Figure> figures;
  BELFRY_CHECK(measure_group<curve::G1>("G1", options, session, floor.msm_g1_seconds(n),
                                        floor.additions_g1_seconds(half), figures));
  BELFRY_CHECK(measure_group<curve::G2>("G2", options, session, floor.msm_g2_seconds(n),
                                        floor.additions_g2_seconds(half), figures));
  return report(figures, session);
}

}  // namespace belfry::cli::bench
