#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/groth16/params/params.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {

/// What the heavy half of a proof leaves (spec formats.md 2.3), without r and s.
struct PartialSums {
  curve::G1Affine a;     ///< Aans
  curve::G1Affine b_g1;  ///< B1ans
  curve::G2Affine b_g2;  ///< B2ans
  curve::G1Affine l;     ///< Lans
  curve::G1Affine h;     ///< H
};

/// The sums of a batch.
struct BatchSums {
  std::vector<PartialSums> partitions;  ///< in order
  std::filesystem::path derived{};  ///< the file of derived parameters that had part in them, if
                                    ///< one had
};

/// One stage under a plan.
struct StagePlan {
  std::string name;                ///< "bit_sums", "quotient", "msm_h", ...
  std::uint64_t host_bytes = 0;    ///< most memory it holds at once beside the mapped parameters
  std::uint64_t device_bytes = 0;  ///< 0 on the CPU
};

/// What a backend will use for a batch, decided before anything is allocated.
struct Plan {
  std::size_t partitions = 0;  ///< of the batch
  std::vector<StagePlan> stages;

  /// The largest stage: what an engine reserves.
  [[nodiscard]] std::uint64_t host_bytes() const noexcept;
  [[nodiscard]] std::uint64_t device_bytes() const noexcept;
};

/// Everything a batch is made of; all partitions share parameters and shape. A view: the referents
/// outlive the call.
struct ProveBatchView {
  const Parameters& parameters;
  const r1cs::Shape& shape;
  std::span<const r1cs::PackedWitness> witnesses;  ///< one per partition
  trace::Tracer* tracer = nullptr;                 ///< null: nobody listens
  CancelToken cancel{};                            ///< asked between stages
};

/// The plan, unless it needs more host memory than `budget_bytes`: then kResourceExhausted with
/// needed and allowed bytes.
[[nodiscard]] Result<Plan> within_budget(Plan plan, const r1cs::Shape& shape,
                                         std::uint64_t budget_bytes, std::string_view stage);
/// kInvalidUsage if the batch has another number of partitions than the plan.
[[nodiscard]] Result<void> check_batch(const ProveBatchView& batch, const Plan& plan,
                                       std::string_view stage);

/// Runs the heavy stages of proofs. Implementations are thread-safe: batches may take turns, and
/// plans don't wait for them, so that another caller prepares the next batch meanwhile.
class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  /// "cpu" or "cuda".
  [[nodiscard]] virtual std::string_view name() const noexcept = 0;
  /// What it runs on, for results and logs: "cpu, 2 threads, ifma".
  [[nodiscard]] virtual std::string device() const = 0;

  /// What each stage of a batch will use within `budget_bytes` of memory beside the parameters.
  /// kResourceExhausted, with needed and allowed bytes, when no plan fits.
  [[nodiscard]] virtual Result<Plan> plan(const r1cs::Shape& shape, std::size_t partitions,
                                          std::uint64_t budget_bytes) const = 0;

  /// As `plan`, for the parameters that will be proved with: with or without derived ones, as `run`
  /// would. Looks at heads of files alone. By default `plan`.
  [[nodiscard]] virtual Result<Plan> plan_with(const Parameters& parameters,
                                               const r1cs::Shape& shape, std::size_t partitions,
                                               std::uint64_t budget_bytes) const;

  /// To be told that proofs of a batch do not verify, by its parameters and its BatchSums::derived:
  /// batches of others may have come since. Points that are kept from these files are forgotten, so
  /// the next batch reads them anew; if a file of derived parameters had part, these parameters are
  /// proved without any until another file takes its place, and the same batch may be tried once
  /// more. Others are not touched. By default nothing.
  virtual void distrust(const Parameters& parameters, const std::filesystem::path& derived) const;

  /// The five sums of each partition. The batch fits the plan and the parameters fit the
  /// shape (checked: kInvalidUsage). kInvalidInput, naming file, section and index, when a point
  /// that it reads does not decode.
  [[nodiscard]] virtual Result<BatchSums> run(const ProveBatchView& batch,
                                              const Plan& plan) const = 0;
};

}  // namespace belfry::groth16
