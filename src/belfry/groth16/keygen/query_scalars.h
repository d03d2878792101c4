#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/keygen/polynomials.h"
#include "belfry/groth16/params/verifying_key.h"
#include "belfry/groth16/work.h"
#include "belfry/msm/fixed_base.h"
#include "belfry/ntt/domain.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// The scalars of every point that depends on the circuit (spec formats.md 2.4). Zeros have no
/// point.
struct QueryScalars {
  ColumnValues a;      ///< u
  ColumnValues b;      ///< v
  std::vector<Fr> ic;  ///< of the inputs
  std::vector<Fr> l;   ///< of the aux
};

/// w[i] = (beta·u[i] + alpha·v[i] + w[i])/divisor: the scalars of ic (gamma), respectively l
/// (delta).
void combine_scalars(const TestTrapdoor& trapdoor, const Fr& divisor, std::span<const Fr> u,
                     std::span<const Fr> v, std::span<Fr> w, const Executor& executor);
/// kInvalidInput ("unconstrained variable", with kind and number) for a zero among the scalars of
/// variables `first`, `first` + 1, ....
[[nodiscard]] Result<void> refuse_zeros(std::span<const Fr> scalars, std::string_view kind,
                                        std::uint64_t first = 0);

/// kInvalidUsage when an element is zero.
[[nodiscard]] Result<void> check_trapdoor(const TestTrapdoor& trapdoor);

/// kInvalidInput ("unconstrained variable", with its index) when an aux variable has a zero l;
/// otherwise as evaluate_polynomials.
[[nodiscard]] Result<QueryScalars> query_scalars(const r1cs::Shape& shape,
                                                 const ntt::Domain& domain,
                                                 const TestTrapdoor& trapdoor,
                                                 const WorkView& work);

/// The key of a trapdoor; `base` multiplies the generator of G1.
[[nodiscard]] Result<VerifyingKey> make_key(const TestTrapdoor& trapdoor, std::span<const Fr> ic,
                                            const msm::FixedBase<curve::G1>& base,
                                            const Executor& executor);

}  // namespace belfry::groth16
