#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "belfry/base/cancel.h"
#include "belfry/base/error.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/backend.h"
#include "belfry/groth16/prove/device_clock_gpu.h"
#include "belfry/groth16/prove/device_query_gpu.h"
#include "belfry/groth16/prove/prepared_shape.h"
#include "belfry/groth16/prove/query_masks_gpu.h"
#include "belfry/ntt/tree_gpu.h"
#include "belfry/r1cs/device_shape_gpu.h"
#include "belfry/r1cs/multiply_gpu.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::groth16 {

/// Where the points of the parameters lie on the device, in the order of their sections.
struct DevicePoints {
  gpu::DeviceSpan<curve::G1Affine> h;  ///< the first copy
  gpu::DeviceSpan<curve::G1Affine> l;
  gpu::DeviceSpan<curve::G1Affine> a;
  gpu::DeviceSpan<curve::G1Affine> b_g1;
  gpu::DeviceSpan<curve::G2Affine> b_g2;
};

/// How a device prover lies in memory.
struct DeviceProverOptions {
  unsigned masks = 1;          ///< witnesses that share a pass over the points: 1 to 10
  unsigned h_copies = 1;       ///< copies of the H points: four make its sum a tenth faster
  unsigned sets_per_pass = 0;  ///< of sums of products; 0: what pays and fits, 1: the least memory
};

/// The heavy half of proofs with one set of parameters and one shape, on one device with all of
/// the parameters in its memory.
///
/// Stages of a pass of up to `masks` witnesses: upload; masks of the queries and their bit sums,
/// one addition a point for all witnesses; then for each witness the sums over its elements, A·w
/// and B·w, the quotient by six transforms (four on the domain),
/// and the H sum. Results go to the host while the next
/// stage runs. Everything is on one stream; nothing allocates on the way.
///
/// Throws gpu::CudaError. One call at a time.
class DeviceProver {
 public:
  /// Takes all memory from the arena and queues the upload of what depends on the shape alone.
  /// Without a stream it only measures: the arena has no memory and nothing is queued.
  /// kResourceExhausted names what does not fit.
  [[nodiscard]] static Result<DeviceProver> take(std::shared_ptr<const PreparedShape> shape,
                                                 const DeviceProverOptions& options,
                                                 const gpu::DeviceInfo& device, gpu::Arena& arena,
                                                 std::optional<gpu::StreamRef> stream);

  /// Names, and the bytes of the arena that are in use while each runs, what stays included.
  [[nodiscard]] const std::vector<StagePlan>& stages() const noexcept { return stages_; }
  [[nodiscard]] const PreparedShape& shape() const noexcept { return *shape_; }
  [[nodiscard]] DevicePoints points() const noexcept;
  [[nodiscard]] unsigned masks() const noexcept { return options_.masks; }

  /// Queues what is derived from the points, which are in their place. Once, before `prove`.
  void derive_async(gpu::StreamRef stream) const;

  /// The five sums of each witness, in order; any number of them. Asks `cancel` between stages.
  /// Waits.
  [[nodiscard]] Result<std::vector<PartialSums>> prove(
      std::span<const r1cs::PackedWitness> witnesses, const CancelToken& cancel,
      gpu::StreamRef stream);

  /// What the stages of the last call took on the device.
  [[nodiscard]] const std::vector<StageTime>& times() const noexcept { return times_; }

 private:
  using G1Query = DeviceQuery<curve::G1>;
  using G2Query = DeviceQuery<curve::G2>;

  DeviceProver(std::shared_ptr<const PreparedShape> shape, const DeviceProverOptions& options)
      : shape_(std::move(shape)), options_(options) {}

  [[nodiscard]] Result<void> take_shape(gpu::Arena& arena, std::optional<gpu::StreamRef> stream);
  [[nodiscard]] Result<void> take_queries(gpu::Arena& arena, std::optional<gpu::StreamRef> stream);
  [[nodiscard]] Result<void> take_sums(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                       ArenaUse use);
  template <class Query>
  [[nodiscard]] Result<void> take_sums_of(Query& query, std::string_view name,
                                          const gpu::DeviceInfo& device, gpu::Arena& arena,
                                          ArenaUse use);
  void add_stage(std::string_view name, const gpu::Arena& arena);
  [[nodiscard]] Result<void> take_rows(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                       ArenaUse use);

  /// One pass over at most `masks` witnesses.
  [[nodiscard]] Result<void> prove_pass(std::span<const r1cs::PackedWitness> witnesses,
                                        const CancelToken& cancel, gpu::StreamRef stream,
                                        std::vector<PartialSums>& out);
  [[nodiscard]] Result<void> sum_bits_async(std::span<const r1cs::PackedWitness> witnesses,
                                            gpu::StreamRef stream);
  void sum_tails_async(std::size_t witness, gpu::StreamRef stream);
  [[nodiscard]] Result<void> sum_rows_async(std::size_t witness, gpu::StreamRef stream);
  /// The four sums of a witness whose tails are done; h is missing.
  [[nodiscard]] PartialSums read_tails(std::size_t witness) const;

  std::shared_ptr<const PreparedShape> shape_;
  DeviceProverOptions options_;
  std::vector<StagePlan> stages_;
  std::vector<StageTime> times_;

  // What stays.
  std::optional<r1cs::DeviceShape> rows_;
  std::optional<ntt::DeviceTree> tree_;
  gpu::DeviceSpan<std::uint64_t> ones_;  // of one witness
  std::optional<DeviceQueryMasks> masks_;
  std::vector<r1cs::DeviceWitness> witnesses_;  // (masks)
  DeviceTail tail_l_;
  DeviceTail tail_a_;
  DeviceTail tail_b_;
  G1Query l_;
  G1Query a_;
  G1Query b_g1_;
  G2Query b_g2_;
  gpu::DeviceSpan<curve::G1Affine> h_points_;  // (copies, points)

  // What stages use one after the other.
  gpu::DeviceSpan<Fr> quotient_;
  gpu::DeviceSpan<Fr> row_a_;  // A·w; the same place for coefficients
  gpu::DeviceSpan<Fr> row_b_;  // B·w
  gpu::DeviceSpan<Fr> row_c_;  // a∘b, or scratch of the transforms on the domain
  std::unique_ptr<msm::DeviceMsm<curve::G1>> h_sum_;
  DeviceClock clock_;
  gpu::Event tails_done_;
  gpu::Event rows_done_;
};

}  // namespace belfry::groth16
