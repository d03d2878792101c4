#include "belfry/groth16/prove/device_quotient_gpu.h"

#include "belfry/groth16/prove/rows_gpu.h"

namespace belfry::groth16 {
namespace {

using ntt::TreeDirection;
using ntt::TreePoints;

/// values of p -> values of X·p', times domain size / 2^32, in place.
void derive_async(const ntt::DeviceTree& tree, gpu::DeviceSpan<Fr> values, gpu::StreamRef stream) {
  tree.transform_async(TreeDirection::kUp, TreePoints::kSubgroup, values, stream);
  scale_by_index_async(values, stream);
  tree.transform_async(TreeDirection::kDown, TreePoints::kSubgroup, values, stream);
}

}  // namespace

Result<void> DeviceQuotient::take_result(std::uint64_t rows, QuotientBasis basis, QuotientRoom room,
                                         gpu::Arena& arena) {
  basis_ = basis;
  room_ = room;
  BELFRY_TRY(result_, arena.take<Fr>(rows, "quotient"));
  return {};
}

Result<void> DeviceQuotient::take_rest(gpu::Arena& arena, ArenaUse use) {
  const std::uint64_t rows = result_.size();
  a_ = result_;
  if (basis_ == QuotientBasis::kDomain && room_ == QuotientRoom::kRoomy) {
    BELFRY_TRY(a_, arena.take<Fr>(rows, "A·w"));
  }
  BELFRY_TRY(b_, arena.take<Fr>(rows, "B·w"));
  if (room_ != QuotientRoom::kSpilled) {
    BELFRY_TRY(c_, arena.take<Fr>(rows, "C·w"));
  } else if (use == ArenaUse::kRun) {
    spill_.emplace(rows);
  }
  return {};
}

Result<void> DeviceQuotient::run_async(const r1cs::DeviceShape& shape, const ntt::DeviceTree& tree,
                                       const r1cs::DeviceWitness& witness, DeviceClock& clock,
                                       gpu::StreamRef stream) {
  if (room_ == QuotientRoom::kRoomy) {
    BELFRY_CHECK(run_roomy(shape, tree, witness, clock, stream));
  } else {
    BELFRY_CHECK(run_lean(shape, tree, witness, stream));
  }
  clock.mark("quotient", stream);
  return {};
}

Result<void> DeviceQuotient::run_roomy(const r1cs::DeviceShape& shape, const ntt::DeviceTree& tree,
                                       const r1cs::DeviceWitness& witness, DeviceClock& clock,
                                       gpu::StreamRef stream) const {
  BELFRY_CHECK(r1cs::multiply_async(shape, r1cs::Matrix::kA, witness, a_, stream));
  BELFRY_CHECK(r1cs::multiply_async(shape, r1cs::Matrix::kB, witness, b_, stream));
  clock.mark("rows", stream);
  if (basis_ == QuotientBasis::kDomain) {
    tree.domain_quotient_async(a_, b_, result_, c_, stream);
  } else {
    multiply_rows_async(a_, b_, c_, stream);
    tree.quotient_async(a_, b_, c_, stream);
  }
  return {};
}

Result<void> DeviceQuotient::run_lean(const r1cs::DeviceShape& shape, const ntt::DeviceTree& tree,
                                      const r1cs::DeviceWitness& witness, gpu::StreamRef stream) {
  const auto rows_of = [&](r1cs::Matrix matrix, gpu::DeviceSpan<Fr> to) {
    return r1cs::multiply_async(shape, matrix, witness, to, stream);
  };
  BELFRY_CHECK(rows_of(r1cs::Matrix::kA, result_));
  derive_async(tree, result_, stream);
  BELFRY_CHECK(rows_of(r1cs::Matrix::kB, b_));
  multiply_rows_async(result_, b_, result_, stream);  // D(a)∘b
  if (room_ == QuotientRoom::kCompact) {
    derive_async(tree, b_, stream);
    BELFRY_CHECK(rows_of(r1cs::Matrix::kA, c_));
    multiply_rows_async(b_, c_, b_, stream);
  } else {
    gpu::download_async<Fr>(result_, spill_->span(), stream);
    derive_async(tree, b_, stream);
    BELFRY_CHECK(rows_of(r1cs::Matrix::kA, result_));
    multiply_rows_async(b_, result_, b_, stream);
    gpu::upload_async<Fr>(spill_->span(), result_, stream);
  }
  add_rows_async(b_, result_, stream);  // + D(b)∘a
  return {};
}

}  // namespace belfry::groth16
