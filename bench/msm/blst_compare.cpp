// Belfry's G1 multi-scalar multiplication beside blst's, on the same points and scalars in one run.
// Built with -DBELFRY_BLST_DIR=<a built checkout of supranational/blst> only; see bench/README.md.
//
// usage: blst_compare [LOG_N [REPETITIONS]]

#include <blst.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "belfry/curve/batch.h"
#include "belfry/curve/multiply.h"
#include "belfry/msm/msm.h"

namespace {

using belfry::Executor;
using belfry::Fr;
using belfry::Isa;
using belfry::curve::G1;
using belfry::curve::G1Affine;
using belfry::curve::G1Jacobian;

double seconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  constexpr double kNano = 1e-9;
  return static_cast<double>(now.tv_sec) + kNano * static_cast<double>(now.tv_nsec);
}

struct Times {
  double wall = 1e9;
  double cpu = 1e9;
};
Times best_of(int repetitions, const std::function<void()>& body) {
  Times best;
  for (int i = 0; i < repetitions; ++i) {
    const double wall = seconds(CLOCK_MONOTONIC);
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
    body();
    best.wall = std::min(best.wall, seconds(CLOCK_MONOTONIC) - wall);
    best.cpu = std::min(best.cpu, seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu);
  }
  return best;
}

struct Input {
  std::vector<G1Affine> points;
  std::vector<Fr> scalars;
};
Input random_input(std::size_t n) {
  std::mt19937_64 rng(1);
  auto point = belfry::curve::multiply<G1>(G1::generator(), rng());
  const G1Affine step = belfry::curve::multiply<G1>(G1::generator(), rng()).to_affine();
  std::vector<G1Jacobian> chain(n);
  for (auto& p : chain) {
    p = point;
    point += step;
  }
  Input input{std::vector<G1Affine>(n), std::vector<Fr>(n)};
  belfry::curve::batch_to_affine<G1>(std::span<const G1Jacobian>(chain),
                                     std::span<G1Affine>(input.points));
  for (auto& x : input.scalars) x.limbs = {rng(), rng(), rng(), rng() >> 2};
  return input;
}

/// blst over `threads` equal parts, one thread each. Both libraries keep Fp as x·2^384.
G1Jacobian run_blst(const Input& input, unsigned threads) {
  static_assert(sizeof(G1Affine) == sizeof(blst_p1_affine));
  const std::size_t n = input.points.size();
  std::vector<belfry::FrBytes> bytes(n);
  for (std::size_t i = 0; i < n; ++i) bytes[i] = belfry::FrBytes(input.scalars[i]);
  std::vector<blst_p1> sums(threads);
  std::vector<std::jthread> running;
  for (unsigned part = 0; part < threads; ++part) {
    running.emplace_back([&, part] {
      const std::size_t from = n * part / threads;
      const std::size_t count = n * (part + 1) / threads - from;
      const auto* points = reinterpret_cast<const blst_p1_affine*>(input.points.data() + from);
      const auto* scalars = reinterpret_cast<const byte*>(bytes.data() + from);
      const blst_p1_affine* const point_list[] = {points, nullptr};
      const byte* const scalar_list[] = {scalars, nullptr};
      std::vector<limb_t> scratch(blst_p1s_mult_pippenger_scratch_sizeof(count) / sizeof(limb_t));
      constexpr std::size_t kScalarBits = 255;
      blst_p1s_mult_pippenger(&sums[part], point_list, count, scalar_list, kScalarBits,
                              scratch.data());
    });
  }
  running.clear();
  G1Jacobian total = G1Jacobian::infinity();
  for (const blst_p1& sum : sums) {
    G1Jacobian p;
    static_assert(sizeof(p) == sizeof(sum));
    std::memcpy(static_cast<void*>(&p), &sum, sizeof(p));
    total += p;
  }
  return total;
}

void report(const std::string& name, const Times& own, const Times& other) {
  fmt::print("{:32} wall {:7.3f} s, cpu {:7.3f} s; {:5.2f} times blst\n", name, own.wall, own.cpu,
             other.wall / own.wall);
}

}  // namespace

int main(int argc, char** argv) {
  const int log_n = argc > 1 ? std::atoi(argv[1]) : 20;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 3;
  const Input input = random_input(std::size_t{1} << log_n);
  const belfry::msm::SpanSource<G1> source(input.points);
  bool equal = true;
  for (const unsigned threads : {1U, 2U}) {
    G1Jacobian want;
    const Times blst = best_of(repetitions, [&] { want = run_blst(input, threads); });
    report(fmt::format("2^{}, {} threads, blst", log_n, threads), blst, blst);
    const Executor executor(threads);
    for (const Isa isa : {Isa::kAdx, Isa::kIfma}) {
      if (isa > belfry::best_isa()) continue;
      G1Jacobian got;
      const Times own = best_of(repetitions, [&] {
        got = belfry::msm::multiply<G1>(source, input.scalars, executor, {isa, 0}).value();
      });
      equal = equal && got == want;
      report(fmt::format("2^{}, {} threads, belfry {}", log_n, threads, to_string(isa)), own, blst);
    }
  }
  fmt::print("results {}\n", equal ? "equal" : "DIFFER");
  return equal ? 0 : 1;
}
