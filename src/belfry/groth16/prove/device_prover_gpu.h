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
#include "belfry/gpu/staged_upload.h"
#include "belfry/gpu/stream.h"
#include "belfry/groth16/prove/backend.h"
#include "belfry/groth16/prove/device_clock_gpu.h"
#include "belfry/groth16/prove/device_query_gpu.h"
#include "belfry/groth16/prove/device_quotient_gpu.h"
#include "belfry/groth16/prove/host_points.h"
#include "belfry/groth16/prove/prepared_shape.h"
#include "belfry/groth16/prove/prover_options.h"
#include "belfry/groth16/prove/query_masks_gpu.h"
#include "belfry/groth16/prove/tile_feed_gpu.h"
#include "belfry/groth16/prove/tiled_sums_gpu.h"
#include "belfry/groth16/prove/witness_lane_gpu.h"
#include "belfry/groth16/work.h"
#include "belfry/ntt/tree_gpu.h"
#include "belfry/r1cs/device_shape_gpu.h"
#include "belfry/r1cs/multiply_gpu.h"
#include "belfry/r1cs/packed_witness.h"

namespace belfry::groth16 {

/// Stages, as plans and times name them.
namespace stages {
inline constexpr std::string_view kUpload = "upload";
inline constexpr std::string_view kMasks = "masks";
inline constexpr std::string_view kQuotient = "quotient";
inline constexpr std::string_view kMsmH = "msm_h";
}  // namespace stages

/// The stages of a query.
struct QueryStages {
  std::string_view bits;
  std::string_view tail;
};

/// Where the points of the parameters lie on the device, in the order of their sections.
struct DevicePoints {
  gpu::DeviceSpan<curve::G1Affine> h;  ///< the first copy
  gpu::DeviceSpan<curve::G1Affine> l;
  gpu::DeviceSpan<curve::G1Affine> a;
  gpu::DeviceSpan<curve::G1Affine> b_g1;
  gpu::DeviceSpan<curve::G2Affine> b_g2;
};

/// Where a prover takes points from while it works, and by what. A view.
struct PointSupply {
  HostPoints points;
  gpu::StagedUpload& upload;
};

/// The heavy half of proofs with one set of parameters and one shape, on one device. All points are
/// in its memory, or H alone, or none: then they come from the host in tiles (TileFeed), those of
/// L, A, B1 and B2 once a pass, those of H once a witness.
///
/// Stages of a pass of up to `masks` witnesses: upload; masks of the queries and their bit sums,
/// one addition a point for all witnesses; then for each witness the sums over its elements, A·w
/// and B·w, the quotient by six transforms (four on the domain), and the H sum. Where no points
/// stay, tiles of the bit sums come between those of H. Where most points have an element (PoSt)
/// and come in tiles, each tile's bits and its elements of all witnesses are summed while it is
/// there, before all else. Results go to the host while the next stage runs. Sums are on one
/// stream, tiles come on another; nothing allocates on the way.
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
  [[nodiscard]] const DeviceProverOptions& options() const noexcept { return options_; }
  [[nodiscard]] unsigned masks() const noexcept { return options_.masks; }
  /// Points of a tail that are in host memory at once on their way to the device.
  static constexpr std::uint64_t kGatheredAtOnce = std::uint64_t{1} << 13;
  /// Host bytes that running takes: staging and spill buffers, gathered points, the prepared shape.
  [[nodiscard]] std::uint64_t host_bytes() const noexcept;

  /// Brings the points that stay, with all that follows from them. Once, before `prove`. Waits.
  /// Errors of PointLoader::check; kCancelled, asked every few hundred megabytes.
  [[nodiscard]] Result<void> load(const PointSupply& supply, const WorkView& work,
                                  gpu::StreamRef stream);
  /// Queues what follows from points that are all in their place already, instead of `load`.
  void derive_async(gpu::StreamRef stream) const;

  /// The five sums of each witness, in order; any number of them. Asks `cancel` between stages
  /// and tiles. Waits. Errors of PointLoader::check.
  ///
  /// @param supply  the points that were loaded; read again unless all of them stay
  [[nodiscard]] Result<std::vector<PartialSums>> prove(
      std::span<const r1cs::PackedWitness> witnesses, const PointSupply& supply,
      const CancelToken& cancel, gpu::StreamRef stream);

  /// `prove` in two halves, so that the witnesses of the next pass arrive while one is computed:
  /// first up to `masks` witnesses to a lane (below options().lanes), then their sums. The halves
  /// of different lanes may run at once on two threads, with a `staging` of its own for the first.
  [[nodiscard]] Result<void> upload(unsigned number, std::span<const r1cs::PackedWitness> witnesses,
                                    gpu::StagedUpload& staging);
  [[nodiscard]] Result<std::vector<PartialSums>> prove_lane(unsigned number,
                                                            const PointSupply& supply,
                                                            const CancelToken& cancel,
                                                            gpu::StreamRef stream);

  /// After a failure, before the memory is given to others: waits for copies that are on their way.
  void drain() const noexcept;

  /// What the stages of the last call took on the device.
  [[nodiscard]] const std::vector<StageTime>& times() const noexcept { return times_; }

 private:
  using G1Query = DeviceQuery<curve::G1>;
  using G2Query = DeviceQuery<curve::G2>;

  DeviceProver(std::shared_ptr<const PreparedShape> shape, const DeviceProverOptions& options)
      : shape_(std::move(shape)), options_(options) {}

  [[nodiscard]] Result<void> take_shape(gpu::Arena& arena, std::optional<gpu::StreamRef> stream);
  [[nodiscard]] Result<void> take_queries(gpu::Arena& arena, std::optional<gpu::StreamRef> stream);
  /// What is summed before the first witness's elements.
  [[nodiscard]] Result<void> take_first_sums(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                             ArenaUse use);
  /// Buffers and workspace of the bit sums between those of H.
  [[nodiscard]] Result<void> take_mixed_bits(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                             ArenaUse use);
  [[nodiscard]] Result<void> take_tails(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                        ArenaUse use);
  void add_stage(std::string_view name, const gpu::Arena& arena);
  [[nodiscard]] Result<void> take_buffers(gpu::Arena& arena);
  [[nodiscard]] Result<void> take_rows(const gpu::DeviceInfo& device, gpu::Arena& arena,
                                       ArenaUse use);

  /// Calls visit(query, its scalars, its stages) for L, A, B1 and B2, until an error.
  template <class Visit>
  [[nodiscard]] Result<void> visit_queries(const Visit& visit) {
    BELFRY_CHECK(visit(l_, Query::kL, QueryStages{"bits_l", "tail_l"}));
    BELFRY_CHECK(visit(a_, Query::kA, QueryStages{"bits_a", "tail_a"}));
    BELFRY_CHECK(visit(b_g1_, Query::kB, QueryStages{"bits_b_g1", "tail_b_g1"}));
    return visit(b_g2_, Query::kB, QueryStages{"bits_b_g2", "tail_b_g2"});
  }
  /// Bits of such a query are summed between tiles of H.
  template <class Curve>
  [[nodiscard]] bool mixes(const DeviceQuery<Curve>& query) const noexcept {
    return options_.residency == Residency::kNone && !query.streams_tail();
  }
  /// Queues what `load` brings to the memory.
  [[nodiscard]] Result<void> queue_load(PointLoader& loader, const PointSupply& supply,
                                        const WorkView& work);
  /// The tiles of a pass in the order of their use.
  [[nodiscard]] std::vector<TileJob> jobs(std::size_t witnesses);
  /// Tiles of bit sums that are still to come between those of H.
  [[nodiscard]] std::uint64_t mixed_tiles_left();
  /// kInvalidUsage if there is no such lane.
  [[nodiscard]] Result<WitnessLane*> lane(unsigned number);
  /// The sums of a lane's witnesses.
  [[nodiscard]] Result<void> run_pass(unsigned number, const PointSupply& supply,
                                      const CancelToken& cancel, gpu::StreamRef stream,
                                      std::vector<PartialSums>& out);
  [[nodiscard]] Result<void> prove_pass(TileFeed* feed, const CancelToken& cancel,
                                        gpu::StreamRef stream, std::vector<PartialSums>& out);
  /// What the bit sums of all witnesses are made from.
  void make_masks_async(gpu::StreamRef stream);
  /// All that does not wait for H: bits where points stay, or of queries one after the other, and
  /// the elements of streamed tails.
  [[nodiscard]] Result<void> sum_first_async(TileFeed* feed, const CancelToken& cancel,
                                             gpu::StreamRef stream);
  /// The next of the tiles between those of H.
  void sum_mixed_tile_async(TileFeed& feed, gpu::StreamRef stream);
  /// The next tile of a query: its bits and, if they are streamed, its elements.
  template <class Curve>
  void sum_tile_async(DeviceQuery<Curve>& query, Query scalars, const QueryStages& names,
                      TileFeed* feed, gpu::StreamRef stream);
  [[nodiscard]] DeviceValues values_of(std::size_t witness) const noexcept {
    return {witnesses_[witness].inputs, witnesses_[witness].fields};
  }
  void sum_tails_async(std::size_t witness, gpu::StreamRef stream);
  /// A witness's quotient and all tiles of its H sum, with a feed those of bit sums between them as
  /// `mixture` spreads them; waits for all but the last tiles.
  [[nodiscard]] Result<void> sum_h_async(std::size_t witness, TileFeed* feed,
                                         const TileMixture& mixture, const CancelToken& cancel,
                                         gpu::StreamRef stream);
  void collect_h(std::uint64_t tile);
  /// Sums of a witness without its bits, which may be summed later.
  struct WitnessSums {
    curve::G1Jacobian l;
    curve::G1Jacobian a;
    curve::G1Jacobian b_g1;
    curve::G2Jacobian b_g2;
    curve::G1Jacobian h;
  };
  /// The sums over the elements of the witness whose tails were last; h is missing.
  [[nodiscard]] WitnessSums read_tails(std::size_t witness);
  /// The sums of a witness, when all bits of the pass are summed.
  [[nodiscard]] PartialSums with_bits(std::size_t witness, const WitnessSums& sums);

  std::shared_ptr<const PreparedShape> shape_;
  DeviceProverOptions options_;
  std::vector<StagePlan> stages_;
  std::vector<StageTime> times_;

  // What stays.
  std::optional<r1cs::DeviceShape> rows_;
  std::optional<ntt::DeviceTree> tree_;
  gpu::DeviceSpan<std::uint64_t> ones_;  // of one witness
  std::optional<DeviceQueryMasks> masks_;
  std::vector<WitnessLane> lanes_;
  std::span<const r1cs::DeviceWitness> witnesses_;  // of the pass that runs
  DeviceTail tail_l_;
  DeviceTail tail_a_;
  DeviceTail tail_b_;
  G1Query l_;
  G1Query a_;
  G1Query b_g1_;
  G2Query b_g2_;
  gpu::DeviceSpan<curve::G1Affine> h_points_;  // (copies, points), or none
  gpu::DeviceSpan<std::uint64_t> faults_;      // of points, for loaders

  // What stages use one after the other.
  TileFeed::Buffers buffers_{};
  DeviceQuotient quotient_;
  TiledSums<msm::DeviceMsm<curve::G1>> h_sums_;
  curve::G1Jacobian h_total_;
  DeviceClock clock_;
  gpu::Event tails_done_;
  gpu::Event rows_done_;
  TileEvents tile_events_;
  gpu::Stream tiles_stream_;
};

}  // namespace belfry::groth16
