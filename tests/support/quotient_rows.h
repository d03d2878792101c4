#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/ntt.h"
#include "belfry/ntt/tree_plan.h"

namespace belfry::test {

/// Rows of a satisfied system in natural order, padded to a domain.
struct QuotientRows {
  std::vector<Fr> a, b, c;
};

/// Random ones, a quarter of them zero in a and b.
inline QuotientRows random_quotient_rows(unsigned log_size) {
  std::mt19937_64 rng(log_size);
  QuotientRows rows;
  for (std::size_t i = 0; i < (std::size_t{1} << log_size); ++i) {
    const bool zero = rng() % 4 == 0;
    rows.a.push_back(zero ? Fr::zero() : Fr{{rng(), rng(), rng(), rng() >> 2}});
    rows.b.push_back(zero ? Fr::zero() : Fr{{rng(), rng(), rng(), rng() >> 2}});
    rows.c.push_back(rows.a.back() * rows.b.back());
  }
  return rows;
}

inline std::vector<Fr> bit_reversed(const std::vector<Fr>& in) {
  const auto log_size = static_cast<unsigned>(std::countr_zero(in.size()));
  std::vector<Fr> out(in.size());
  for (std::uint32_t i = 0; i < in.size(); ++i) {
    out[ntt::core::reverse_low_bits(i, log_size)] = in[i];
  }
  return out;
}

/// The values of the quotient on the domain, by the six transforms of the CPU.
inline std::vector<Fr> quotient_values(const ntt::Domain& domain, QuotientRows rows) {
  const auto plan = ntt::Plan::create(domain);
  const Executor executor(2);
  EXPECT_TRUE(plan && ntt::quotient(*plan, rows.a, rows.b, rows.c, executor));
  EXPECT_TRUE(rows.a.back().is_zero());
  EXPECT_TRUE(ntt::forward(*plan, rows.a, executor));
  return rows.a;
}

/// f·h[bitrev(j)] - D(c)_j/m for all rows j.
inline std::vector<Fr> with_c(const ntt::Domain& domain, const std::vector<Fr>& h,
                              std::vector<Fr> c) {
  const auto plan = ntt::Plan::create(domain);
  const Executor executor(2);
  EXPECT_TRUE(plan && ntt::inverse(*plan, c, executor));
  for (std::size_t k = 0; k < c.size(); ++k) c[k] *= Fr::from_u64(k);
  EXPECT_TRUE(ntt::forward(*plan, c, executor));
  const Fr factor = ntt::domain_quotient_factor(domain);
  auto values = bit_reversed(h);
  for (std::size_t j = 0; j < values.size(); ++j) {
    values[j] = factor * values[j] - domain.size_inverse() * c[j];
  }
  return values;
}

}  // namespace belfry::test
