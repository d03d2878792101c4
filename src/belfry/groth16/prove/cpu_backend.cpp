#include "belfry/groth16/prove/cpu_backend.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "belfry/base/cpu.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/params/section_source.h"
#include "belfry/groth16/prove/quotient.h"
#include "belfry/groth16/prove/witness_selection.h"
#include "belfry/groth16/work.h"
#include "belfry/msm/msm.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kCpuStage = "groth16.cpu";

/// What a multi-scalar multiplication over `points` holds beside its input (msm.h).
std::uint64_t msm_bytes(std::uint64_t points, std::uint64_t bytes_a_point) {
  constexpr std::uint64_t kChunkPoints = std::uint64_t{1} << 20;
  constexpr std::uint64_t kBuckets = std::uint64_t{64} << 20;
  return std::min(points, kChunkPoints) * bytes_a_point + kBuckets;
}

/// One partition of a batch. A view.
struct PartitionView {
  const Parameters& parameters;
  const r1cs::Shape& shape;
  const r1cs::PackedWitness& witness;
  WorkView work;
};

/// Σ over the points of a section, bits and elements together.
template <class Curve>
Result<typename Curve::Affine> sum_section(const PartitionView& partition, Section section,
                                           const Selection& selection, std::string_view span_name) {
  BELFRY_CHECK(partition.work.cancel.check(std::string(span_name)));
  const trace::Span span(partition.work.tracer, span_name);
  const SectionSource<Curve> points(partition.parameters, section);
  BELFRY_TRY(typename Curve::Jacobian sum,
             msm::sum_selected(points, std::span(selection.mask), partition.work.executor));
  BELFRY_TRY(const typename Curve::Jacobian elements,
             msm::multiply_gathered(points, std::span(selection.indices),
                                    std::span(selection.scalars), partition.work.executor));
  sum += elements;
  return sum.to_affine();
}

/// The sums whose scalars are the assignment: L, A, B1, B2.
Result<PartialSums> sum_witness(const PartitionView& partition) {
  PartialSums sums;
  const auto selection = [&partition](Query query) {
    return select(query, partition.shape, partition.witness);
  };
  BELFRY_TRY(sums.l,
             sum_section<curve::G1>(partition, Section::kL, selection(Query::kL), "groth16.sum_l"));
  BELFRY_TRY(sums.a,
             sum_section<curve::G1>(partition, Section::kA, selection(Query::kA), "groth16.sum_a"));
  const Selection b = selection(Query::kB);
  BELFRY_TRY(sums.b_g1, sum_section<curve::G1>(partition, Section::kBG1, b, "groth16.sum_b_g1"));
  BELFRY_TRY(sums.b_g2, sum_section<curve::G2>(partition, Section::kBG2, b, "groth16.sum_b_g2"));
  return sums;
}

/// Σ h_i·H_i.
Result<curve::G1Affine> sum_quotient(const PartitionView& partition) {
  BELFRY_TRY(const LargeArray<Fr> h,
             quotient_coefficients(partition.shape, partition.witness, partition.work));
  BELFRY_CHECK(partition.work.cancel.check("groth16.msm_h"));
  const trace::Span span(partition.work.tracer, "groth16.msm_h");
  const SectionSource<curve::G1> points(partition.parameters, Section::kH);
  BELFRY_TRY(const curve::G1Jacobian sum,
             msm::multiply(points, h.span().first(points.size()), partition.work.executor));
  return sum.to_affine();
}

Result<PartialSums> sum_partition(const PartitionView& partition) {
  const trace::Span span(partition.work.tracer, "groth16.partition");
  BELFRY_TRY(PartialSums sums, sum_witness(partition));
  BELFRY_TRY(sums.h, sum_quotient(partition));
  return sums;
}

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const Executor& executor) : executor_(executor) {}

  [[nodiscard]] std::string_view name() const noexcept override { return "cpu"; }
  [[nodiscard]] std::string device() const override {
    return "cpu, " + std::to_string(executor_.threads()) + " threads, " +
           std::string(to_string(best_isa()));
  }

  [[nodiscard]] Result<Plan> plan(const r1cs::Shape& shape, std::size_t partitions,
                                  std::uint64_t budget_bytes) const override;
  [[nodiscard]] Result<BatchSums> run(const ProveBatchView& batch, const Plan& plan) const override;

 private:
  const Executor& executor_;
};

Result<Plan> CpuBackend::plan(const r1cs::Shape& shape, std::size_t partitions,
                              std::uint64_t budget_bytes) const {
  constexpr std::uint64_t kBytesG1 = 200;
  constexpr std::uint64_t kBytesG2 = 2 * kBytesG1;
  const QueryCounts counts = query_counts(shape);
  const std::uint64_t coefficients = counts.h * sizeof(Fr);
  Plan plan{
      .partitions = partitions,
      .stages = {{"witness_sums", selection_bytes(shape) + std::max(msm_bytes(counts.l, kBytesG1),
                                                                    msm_bytes(counts.b, kBytesG2))},
                 {"quotient", quotient_bytes(shape)},
                 {"msm_h", coefficients + msm_bytes(counts.h, kBytesG1)}}};
  return within_budget(std::move(plan), shape, budget_bytes, kCpuStage);
}

Result<BatchSums> CpuBackend::run(const ProveBatchView& batch, const Plan& plan) const {
  BELFRY_CHECK(check_batch(batch, plan, kCpuStage));
  BatchSums sums;
  for (const r1cs::PackedWitness& witness : batch.witnesses) {
    BELFRY_TRY(const PartialSums partition,
               sum_partition({batch.parameters, batch.shape, witness,
                              WorkView{executor_, batch.tracer, batch.cancel}}));
    sums.partitions.push_back(partition);
  }
  return sums;
}

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const Executor& executor) {
  return std::make_unique<CpuBackend>(executor);
}

}  // namespace belfry::groth16
