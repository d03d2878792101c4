#include "belfry/groth16/keygen/part_scalars.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "belfry/groth16/keygen/domain_basis.h"
#include "belfry/groth16/keygen/polynomials.h"
#include "belfry/groth16/keygen/query_scalars.h"
#include "belfry/r1cs/column_sums.h"

namespace belfry::groth16 {
namespace {

constexpr std::array kKindMatrices{r1cs::Matrix::kA, r1cs::Matrix::kB, r1cs::Matrix::kC,
                                   r1cs::Matrix::kC};
/// Places among the kinds.
enum SumKind : std::uint8_t { kSumA, kSumB, kSumC, kSumFolded };

constexpr std::size_t kSumGrain = 1 << 14;

}  // namespace

/// The sums of one part and kind.
struct PartScalarMaker::PartSums {
  std::vector<Fr> special;
  std::vector<Fr> aux;
};

PartScalarMaker::PartScalarMaker(const r1cs::Shape& shape, QuotientBasis basis,
                                 const TestTrapdoor& trapdoor, const ntt::Domain& domain,
                                 const WorkView& work)
    : shape_(shape), basis_(basis), trapdoor_(trapdoor), domain_(domain), work_(work) {
  for (std::size_t kind = 0; kind < kinds(); ++kind) {
    inputs_[kind].resize(shape.inputs());
    header_aux_[kind].resize(shape.header().counts.aux);
  }
}

Result<PartScalarMaker> PartScalarMaker::create(const r1cs::Shape& shape, QuotientBasis basis,
                                                const TestTrapdoor& trapdoor,
                                                const WorkView& work) {
  BELFRY_CHECK(check_trapdoor(trapdoor));
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape.rows()));
  BELFRY_CHECK(check_tau(domain, trapdoor.tau));
  return PartScalarMaker(shape, basis, trapdoor, domain, work);
}

std::size_t PartScalarMaker::kinds() const noexcept {
  return basis_ == QuotientBasis::kDomain ? kKinds : kKinds - 1;
}

std::uint64_t PartScalarMaker::blocks_within(std::uint64_t bytes) const noexcept {
  const r1cs::PartCounts& block = shape_.block().counts;
  const std::uint64_t each = sizeof(Fr) * (kinds() * block.columns() + 2 * block.constraints);
  // A system without blocks has an empty one.
  return each == 0 ? 1 : std::max<std::uint64_t>(bytes / each, 1);
}

std::vector<Fr> PartScalarMaker::weights_of(std::uint64_t first_row, std::uint64_t rows) const {
  std::vector<Fr> weights(rows);
  lagrange_range(domain_, trapdoor_.tau, first_row, weights, work_.executor);
  return weights;
}

std::vector<Fr> PartScalarMaker::folded(std::vector<Fr> weights) const {
  if (basis_ != QuotientBasis::kDomain) return {};
  to_folded_weights(domain_, trapdoor_, weights, work_.executor);
  return weights;
}

Result<PartScalars> PartScalarMaker::combined(ForKinds<std::vector<Fr>>& aux,
                                              std::uint64_t first_aux) const {
  PartScalars out{std::move(aux[kSumC]), std::move(aux[kSumA]), std::move(aux[kSumB])};
  combine_scalars(trapdoor_, trapdoor_.delta, out.a, out.b, out.l, work_.executor);
  const std::vector<Fr>& less = aux[kSumFolded];
  work_.executor.parallel_for(less.size(), kSumGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out.l[i] -= less[i];
  });
  BELFRY_CHECK(refuse_zeros(out.l, "aux", first_aux));
  return out;
}

Result<std::vector<PartScalars>> PartScalarMaker::blocks(std::uint64_t first, std::uint64_t count) {
  const r1cs::PartCounts& block = shape_.block().counts;
  std::vector<ForKinds<PartSums>> sums(count);
  {
    std::vector<std::vector<Fr>> weights(count);
    std::vector<std::vector<Fr>> folds(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      weights[i] = weights_of(shape_.block_row_offset(first + i), block.constraints);
      folds[i] = folded(weights[i]);
    }
    work_.executor.for_each(count * kinds(), [&](std::size_t task) {
      const std::size_t i = task / kinds();
      const std::size_t kind = task % kinds();
      PartSums& own = sums[i][kind];
      own.special.resize(block.slots + block.inputs);
      own.aux.resize(block.aux);
      r1cs::accumulate_block(shape_, kKindMatrices[kind],
                             kind == kSumFolded ? folds[i] : weights[i], own.special, own.aux);
    });
  }
  std::vector<PartScalars> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    ForKinds<std::vector<Fr>> aux;
    for (std::size_t kind = 0; kind < kinds(); ++kind) {
      r1cs::add_block_special(shape_, first + i, sums[i][kind].special, inputs_[kind],
                              header_aux_[kind]);
      aux[kind] = std::move(sums[i][kind].aux);
    }
    BELFRY_TRY(auto part, combined(aux, shape_.block_aux_offset(first + i)));
    out.push_back(std::move(part));
  }
  return out;
}

Result<PartScalarMaker::Rest> PartScalarMaker::rest() && {
  const r1cs::PartCounts& header = shape_.header().counts;
  const std::vector<Fr> weights = weights_of(0, header.constraints);
  const std::vector<Fr> folds = folded(weights);
  const std::vector<Fr> appended = weights_of(shape_.constraints(), shape_.inputs());
  work_.executor.for_each(kinds(), [&](std::size_t kind) {
    std::vector<Fr> special(header.inputs);
    std::vector<Fr> aux(header.aux);
    r1cs::accumulate_header(shape_, kKindMatrices[kind], kind == kSumFolded ? folds : weights,
                            special, aux);
    for (std::size_t i = 0; i < special.size(); ++i) inputs_[kind][i] += special[i];
    for (std::size_t i = 0; i < aux.size(); ++i) header_aux_[kind][i] += aux[i];
  });
  for (std::size_t i = 0; i < appended.size(); ++i) inputs_[kSumA][i] += appended[i];

  Rest out;
  BELFRY_TRY(out.header, combined(header_aux_, 0));
  for (Fr& scalar : inputs_[kSumFolded]) scalar = -scalar;
  out.inputs = {std::move(inputs_[kSumC]), std::move(inputs_[kSumFolded]),
                std::move(inputs_[kSumA]), std::move(inputs_[kSumB])};
  combine_scalars(trapdoor_, trapdoor_.gamma, out.inputs.a, out.inputs.b, out.inputs.ic,
                  work_.executor);
  BELFRY_CHECK(refuse_zeros(out.inputs.ic, "input"));
  return out;
}

}  // namespace belfry::groth16
