#include "belfry/groth16/keygen/query_scalars.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "belfry/curve/multiply.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kKeygenStage = "groth16.keygen";
constexpr std::size_t kScalarGrain = 1 << 14;

}  // namespace

void combine_scalars(const TestTrapdoor& trapdoor, const Fr& divisor, std::span<const Fr> u,
                     std::span<const Fr> v, std::span<Fr> w, const Executor& executor) {
  const Fr inverse = divisor.inverse();
  executor.parallel_for(w.size(), kScalarGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      w[i] = (trapdoor.beta * u[i] + trapdoor.alpha * v[i] + w[i]) * inverse;
    }
  });
}

Result<void> refuse_zeros(std::span<const Fr> scalars, std::string_view kind, std::uint64_t first) {
  const auto zero = std::find_if(scalars.begin(), scalars.end(),
                                 [](const Fr& scalar) { return scalar.is_zero(); });
  if (zero == scalars.end()) return {};
  const auto index = first + static_cast<std::uint64_t>(zero - scalars.begin());
  return fail(invalid(std::string(kKeygenStage), "unconstrained variable")
                  .in_section(std::string(kind) + " " + std::to_string(index)));
}

Result<void> check_trapdoor(const TestTrapdoor& trapdoor) {
  for (const auto& [name, value] :
       {std::pair{"alpha", trapdoor.alpha}, std::pair{"beta", trapdoor.beta},
        std::pair{"gamma", trapdoor.gamma}, std::pair{"delta", trapdoor.delta},
        std::pair{"tau", trapdoor.tau}}) {
    if (!value.is_zero()) continue;
    return fail(Error{ErrorCode::kInvalidUsage, std::string(kKeygenStage),
                      "an element of the trapdoor is zero"}
                    .in_section(name));
  }
  return {};
}

Result<QueryScalars> query_scalars(const r1cs::Shape& shape, const ntt::Domain& domain,
                                   const TestTrapdoor& trapdoor, const WorkView& work) {
  BELFRY_TRY(Polynomials p, evaluate_polynomials(shape, domain, trapdoor.tau, work));
  combine_scalars(trapdoor, trapdoor.gamma, p.u.inputs, p.v.inputs, p.w.inputs, work.executor);
  combine_scalars(trapdoor, trapdoor.delta, p.u.aux, p.v.aux, p.w.aux, work.executor);
  BELFRY_CHECK(refuse_zeros(p.w.inputs, "input"));
  BELFRY_CHECK(refuse_zeros(p.w.aux, "aux"));
  return QueryScalars{std::move(p.u), std::move(p.v), std::move(p.w.inputs), std::move(p.w.aux)};
}

Result<VerifyingKey> make_key(const TestTrapdoor& trapdoor, std::span<const Fr> ic,
                              const msm::FixedBase<curve::G1>& base, const Executor& executor) {
  constexpr auto kG1 = curve::G1Affine::generator();
  constexpr auto kG2 = curve::G2Affine::generator();
  VerifyingKey key{.alpha_g1 = curve::multiply(kG1, trapdoor.alpha).to_affine(),
                   .beta_g1 = curve::multiply(kG1, trapdoor.beta).to_affine(),
                   .beta_g2 = curve::multiply(kG2, trapdoor.beta).to_affine(),
                   .gamma_g2 = curve::multiply(kG2, trapdoor.gamma).to_affine(),
                   .delta_g1 = curve::multiply(kG1, trapdoor.delta).to_affine(),
                   .delta_g2 = curve::multiply(kG2, trapdoor.delta).to_affine(),
                   .ic = std::vector<curve::G1Affine>(ic.size())};
  BELFRY_CHECK(base.multiply(ic, key.ic, executor));
  return key;
}

}  // namespace belfry::groth16
