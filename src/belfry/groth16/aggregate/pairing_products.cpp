#include "belfry/groth16/aggregate/pairing_products.h"

#include <algorithm>

namespace belfry::groth16 {
namespace {

/// A range of the lists. One loop of squarings is shared by the pairs of a product in it; more
/// pairs would save little and leave threads without work.
constexpr std::size_t kPairChunk = 8;

/// The Miller values of all products over [begin, end).
std::vector<Fp12> miller_values(std::span<const std::span<const curve::G2Affine>> q,
                                std::span<const ProductFactor> factors, std::size_t products,
                                std::size_t begin, std::size_t end) {
  const std::size_t length = end - begin;
  std::vector<curve::G2Prepared> prepared;
  prepared.reserve(q.size() * length);
  for (const auto& list : q) {
    for (const curve::G2Affine& point : list.subspan(begin, length)) prepared.emplace_back(point);
  }
  std::vector<std::vector<curve::PairingTerm>> terms(products);
  for (const ProductFactor& factor : factors) {
    for (std::size_t i = 0; i < length; ++i) {
      terms[factor.product].push_back({factor.p[begin + i], &prepared[factor.q * length + i]});
    }
  }
  std::vector<Fp12> values(products);
  std::ranges::transform(terms, values.begin(),
                         [](const auto& list) { return curve::multi_miller_loop(list); });
  return values;
}

}  // namespace

std::vector<curve::Gt> pairing_products(std::span<const std::span<const curve::G2Affine>> q,
                                        std::span<const ProductFactor> factors,
                                        std::size_t products, const Executor& executor) {
  const std::size_t length = q.empty() ? 0 : q.front().size();
  const std::size_t chunks = (length + kPairChunk - 1) / kPairChunk;
  std::vector<std::vector<Fp12>> values(chunks);
  executor.for_each(chunks, [&](std::size_t chunk) {
    const std::size_t begin = chunk * kPairChunk;
    values[chunk] =
        miller_values(q, factors, products, begin, std::min(begin + kPairChunk, length));
  });
  std::vector<curve::Gt> out(products);
  executor.for_each(products, [&](std::size_t product) {
    Fp12 value = Fp12::one();
    for (const std::vector<Fp12>& chunk : values) value *= chunk[product];
    out[product] = curve::final_exponentiation(value);
  });
  return out;
}

}  // namespace belfry::groth16
