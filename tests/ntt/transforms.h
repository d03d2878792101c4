#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/ntt.h"
#include "belfry/ntt/reference.h"

/// What all tests of transforms share.
namespace belfry::ntt {

using Transform = Result<void> (*)(const Plan&, std::span<Fr>, const Executor&);

inline Domain domain_of(unsigned log_size) { return Domain::of_log_size(log_size).value(); }

inline std::vector<Fr> times_powers(std::vector<Fr> x, const Fr& base, const Fr& start) {
  Fr power = start;
  for (Fr& value : x) {
    value *= power;
    power *= base;
  }
  return x;
}

inline std::vector<Fr> reversed(const std::vector<Fr>& x) {
  std::vector<Fr> out(x.size());
  std::size_t r = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    out[r] = x[i];
    std::size_t bit = x.size() >> 1;
    for (; bit != 0 && (r & bit) != 0; bit >>= 1) r ^= bit;
    r |= bit;
  }
  return out;
}

/// What the four transforms must give, by the reference.
struct Expected {
  std::vector<Fr> forward;
  std::vector<Fr> inverse;
  std::vector<Fr> coset_forward;
  std::vector<Fr> coset_inverse;
};

inline Expected expect(const Domain& domain, const std::vector<Fr>& x) {
  Expected e{.forward = x,
             .inverse = times_powers(x, Fr::one(), domain.size_inverse()),
             .coset_forward = times_powers(x, Fr::from_u64(7), Fr::one()),
             .coset_inverse = {}};
  reference_transform(e.forward, domain.omega());
  reference_transform(e.inverse, domain.omega_inverse());
  reference_transform(e.coset_forward, domain.omega());
  e.coset_inverse = times_powers(e.inverse, Fr::from_u64(7).inverse(), Fr::one());
  return e;
}

inline std::vector<Fr> apply(Transform transform, const Plan& plan, std::vector<Fr> x,
                             const Executor& executor) {
  EXPECT_TRUE(transform(plan, x, executor).has_value());
  return x;
}

/// All ten transforms of x against what the reference gives.
inline void check_all(const Plan& plan, const std::vector<Fr>& x, const Expected& e,
                      const Executor& executor) {
  const std::vector<Fr> mirrored = reversed(x);
  EXPECT_TRUE(apply(forward, plan, x, executor) == e.forward);
  EXPECT_TRUE(apply(inverse, plan, x, executor) == e.inverse);
  EXPECT_TRUE(apply(coset_forward, plan, x, executor) == e.coset_forward);
  EXPECT_TRUE(apply(coset_inverse, plan, x, executor) == e.coset_inverse);
  EXPECT_TRUE(apply(forward_to_reversed, plan, x, executor) == reversed(e.forward));
  EXPECT_TRUE(apply(inverse_to_reversed, plan, x, executor) == reversed(e.inverse));
  EXPECT_TRUE(apply(coset_inverse_to_reversed, plan, x, executor) == reversed(e.coset_inverse));
  EXPECT_TRUE(apply(forward_from_reversed, plan, mirrored, executor) == e.forward);
  EXPECT_TRUE(apply(inverse_from_reversed, plan, mirrored, executor) == e.inverse);
  EXPECT_TRUE(apply(coset_forward_from_reversed, plan, mirrored, executor) == e.coset_forward);
}

}  // namespace belfry::ntt
