#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/curve/batch.h"
#include "belfry/curve/encoding.h"
#include "belfry/curve/multiply.h"
#include "belfry/curve/pairing.h"
#include "belfry/curve/subgroup.h"

namespace belfry::curve {
namespace {

constexpr std::size_t kPoints = 256;

/// The first multiples of the generator.
template <class Curve>
std::vector<Affine<Curve>> points() {
  std::vector<Jacobian<Curve>> sums(kPoints);
  sums[0] = Jacobian<Curve>::from_affine(Affine<Curve>::generator());
  for (std::size_t i = 1; i < kPoints; ++i) sums[i] = sums[i - 1] + Affine<Curve>::generator();
  std::vector<Affine<Curve>> out(kPoints);
  batch_to_affine<Curve>(std::span<const Jacobian<Curve>>(sums), out);
  return out;
}

Fr scalar() { return Fr::from_u64(3).pow(std::uint64_t{1} << 40); }

/// Runs `body` on one point after another; the time is for one.
template <class Curve, class Body>
void each_point(benchmark::State& state, Body body) {
  const auto all = points<Curve>();
  std::size_t i = 0;
  for (auto _ : state) {
    body(all[i]);
    i = (i + 1) % kPoints;
  }
}

/// Chained products: latency, not throughput.
template <class Field>
void multiply_field(benchmark::State& state) {
  Field x = Field::one().doubled().doubled();
  const Field y = x.inverse() + Field::one();
  for (auto _ : state) benchmark::DoNotOptimize(x = x * y);
}
template <class Field>
void square_field(benchmark::State& state) {
  Field x = Field::one().doubled().doubled();
  for (auto _ : state) benchmark::DoNotOptimize(x = x.square());
}
template <class Field>
void invert_field(benchmark::State& state) {
  Field x = Field::one().doubled().doubled();
  for (auto _ : state) benchmark::DoNotOptimize(x = x.inverse() + Field::one());
}
template <class Curve>
void add_mixed_xyzz(benchmark::State& state) {
  Xyzz<Curve> sum = Xyzz<Curve>::from_affine(-Affine<Curve>::generator()).doubled();
  each_point<Curve>(state, [&](const auto& p) { benchmark::DoNotOptimize(sum += p); });
}
template <class Curve>
void add_mixed_jacobian(benchmark::State& state) {
  auto sum = Jacobian<Curve>::from_affine(-Affine<Curve>::generator()).doubled();
  each_point<Curve>(state, [&](const auto& p) { benchmark::DoNotOptimize(sum += p); });
}
template <class Curve>
void double_jacobian(benchmark::State& state) {
  auto p = Jacobian<Curve>::from_affine(Affine<Curve>::generator());
  for (auto _ : state) benchmark::DoNotOptimize(p = p.doubled());
}
template <class Curve>
void multiply_point(benchmark::State& state) {
  const Fr k = scalar();
  each_point<Curve>(state, [&](const auto& p) { benchmark::DoNotOptimize(multiply(p, k)); });
}
template <class Curve>
void decode_uncompressed(benchmark::State& state) {
  using Point = Affine<Curve>;
  const auto bytes = encode(multiply(Point::generator(), scalar()).to_affine());
  for (auto _ : state) benchmark::DoNotOptimize(decode_unchecked<Point>(bytes));
}
template <class Curve>
void decode_compressed_form(benchmark::State& state) {
  using Point = Affine<Curve>;
  const auto bytes = encode_compressed(multiply(Point::generator(), scalar()).to_affine());
  for (auto _ : state) benchmark::DoNotOptimize(decode_compressed_unchecked<Point>(bytes));
}
template <class Curve>
void test_subgroup(benchmark::State& state) {
  each_point<Curve>(state, [](const auto& p) { benchmark::DoNotOptimize(in_subgroup(p)); });
}
template <class Curve>
void normalise_batch(benchmark::State& state) {
  std::vector<Jacobian<Curve>> in(kPoints);
  std::vector<Affine<Curve>> out(kPoints);
  for (std::size_t i = 0; i < kPoints; ++i) {
    in[i] = multiply(Affine<Curve>::generator(), std::uint64_t{i + 2});
  }
  for (auto _ : state) batch_to_affine<Curve>(std::span<const Jacobian<Curve>>(in), out);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * kPoints));
}

void prepare_g2(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(G2Prepared(G2Affine::generator()));
}
void miller_loop(benchmark::State& state) {
  const G2Prepared q(G2Affine::generator());
  const std::vector<PairingTerm> terms(static_cast<std::size_t>(state.range(0)),
                                       PairingTerm{G1Affine::generator(), &q});
  for (auto _ : state) benchmark::DoNotOptimize(multi_miller_loop(terms));
}
void final_power(benchmark::State& state) {
  const G2Prepared q(G2Affine::generator());
  const PairingTerm term{G1Affine::generator(), &q};
  const Fp12 f = multi_miller_loop({&term, 1});
  for (auto _ : state) benchmark::DoNotOptimize(final_exponentiation(f));
}
void full_pairing(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(pairing(G1Affine::generator(), G2Affine::generator()));
  }
}

BENCHMARK(multiply_field<Fr>);
BENCHMARK(multiply_field<Fp>);
BENCHMARK(multiply_field<Fp2>);
BENCHMARK(square_field<Fp>);
BENCHMARK(square_field<Fp2>);
BENCHMARK(invert_field<Fr>);
BENCHMARK(invert_field<Fp>);
BENCHMARK(add_mixed_xyzz<G1>);
BENCHMARK(add_mixed_xyzz<G2>);
BENCHMARK(add_mixed_jacobian<G1>);
BENCHMARK(add_mixed_jacobian<G2>);
BENCHMARK(double_jacobian<G1>);
BENCHMARK(double_jacobian<G2>);
BENCHMARK(multiply_point<G1>);
BENCHMARK(multiply_point<G2>);
BENCHMARK(decode_uncompressed<G1>);
BENCHMARK(decode_uncompressed<G2>);
BENCHMARK(decode_compressed_form<G1>);
BENCHMARK(decode_compressed_form<G2>);
BENCHMARK(test_subgroup<G1>);
BENCHMARK(test_subgroup<G2>);
BENCHMARK(normalise_batch<G1>);
BENCHMARK(normalise_batch<G2>);
BENCHMARK(prepare_g2);
BENCHMARK(miller_loop)->Arg(1)->Arg(4);
BENCHMARK(final_power);
BENCHMARK(full_pairing);

}  // namespace
}  // namespace belfry::curve
