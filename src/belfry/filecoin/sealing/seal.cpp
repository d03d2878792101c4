#include "belfry/filecoin/sealing/seal.h"

#include <string>
#include <utility>
#include <vector>

#include "belfry/base/large_array.h"
#include "belfry/base/memory.h"
#include "belfry/base/output_file.h"
#include "belfry/filecoin/native/fr32.h"
#include "belfry/filecoin/native/graph.h"
#include "belfry/filecoin/native/layers.h"
#include "belfry/filecoin/native/stored_tree.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/sealing/sector_files.h"
#include "belfry/filecoin/sealing/sector_folder.h"
#include "belfry/filecoin/sealing/synthetic_proofs.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kSealStage = "filecoin.seal";
/// Runs of labels and subtrees of all workers.
constexpr std::uint64_t kWorkBytes = std::uint64_t{32} << 20;

/// One sector on its way; `paths` are those of the unfinished folder.
class Sealer {
 public:
  Sealer(const SectorIdentity& identity, const SealOptions& options, SectorPaths paths)
      : identity_(identity),
        sector_(*identity.config.sector),
        options_(options),
        paths_(std::move(paths)),
        graph_(identity.config) {}

  Result<SealedCommitments> seal(ByteSpan data);
  /// What the reference reads beside layers and trees, for a sector that will stand in `target`.
  [[nodiscard]] Result<void> write_aux(const SealedCommitments& sealed,
                                       const SectorPaths& target) const;

 private:
  [[nodiscard]] Result<Node> make_data_tree(ByteSpan data) const;
  [[nodiscard]] Result<void> make_layers(const Node& replica_id) const;
  [[nodiscard]] Result<Node> make_column_tree() const;
  [[nodiscard]] Result<Node> make_replica() const;
  [[nodiscard]] Result<void> prepare_proofs(const SealedCommitments& sealed) const;

  const SectorIdentity& identity_;
  const SectorParams& sector_;
  const SealOptions& options_;
  SectorPaths paths_;
  Graph graph_;
};

Result<Node> Sealer::make_data_tree(ByteSpan data) const {
  trace::Span span(options_.tracer, "filecoin.seal_tree_d");
  span.expect(sector_.nodes(), "nodes");
  return write_tree(paths_.data_tree(sector_), fr32_leaves(data), work_of(options_, span));
}

Result<void> Sealer::make_layers(const Node& replica_id) const {
  trace::Span span(options_.tracer, "filecoin.seal_labels");
  span.expect(sector_.nodes() * sector_.layers, "labels");
  LargeArray<Node> below;
  BELFRY_TRY(auto labels, LargeArray<Node>::create(sector_.nodes()));
  for (std::uint32_t layer = 1; layer <= sector_.layers; ++layer) {
    BELFRY_CHECK(make_layer(graph_, replica_id, layer, below.span(), labels.span(),
                            work_of(options_, span)));
    BELFRY_CHECK(write_output_file(paths_.layer(layer), bytes_of(labels.span())));
    std::swap(below, labels);
    if (layer == 1 && sector_.layers > 1) {
      BELFRY_TRY(labels, LargeArray<Node>::create(sector_.nodes()));
    }
  }
  return {};
}

Result<Node> Sealer::make_column_tree() const {
  trace::Span span(options_.tracer, "filecoin.seal_tree_c");
  span.expect(sector_.nodes(), "nodes");
  std::vector<NodeFile> layers;
  for (std::uint32_t layer = 1; layer <= sector_.layers; ++layer) {
    BELFRY_TRY(NodeFile file, NodeFile::open(paths_.layer(layer), sector_.nodes()));
    layers.push_back(std::move(file));
  }
  return write_tree(paths_.column_tree(sector_), column_hashes(layers), work_of(options_, span));
}

Result<Node> Sealer::make_replica() const {
  trace::Span span(options_.tracer, "filecoin.seal_tree_r");
  span.expect(sector_.nodes(), "nodes");
  BELFRY_TRY(const NodeFile labels, NodeFile::open(paths_.layer(sector_.layers), sector_.nodes()));
  // The leaf row of TreeD is the padded data.
  BELFRY_TRY(const StoredTree data_tree, StoredTree::open(paths_.data_tree(sector_)));
  const auto encode = [&](std::uint64_t first, std::span<Node> out) -> Result<void> {
    std::vector<Node> data(out.size());
    BELFRY_CHECK(labels.read(first, out));
    BELFRY_CHECK(data_tree.read_row(0, 0, first, data));
    encode_replica(out, data, out);
    return {};
  };
  return write_tree(paths_.replica_tree(sector_), encode, work_of(options_, span));
}

Result<void> Sealer::prepare_proofs(const SealedCommitments& sealed) const {
  trace::Span span(options_.tracer, "filecoin.seal_synthetic_proofs");
  const std::uint64_t size = SyntheticSet::production_size(sector_.nodes());
  span.expect(size, "proofs");
  const SyntheticSet set(sector_.nodes(), size, sealed.replica_id, sealed.comm_r);
  BELFRY_TRY(const SealedLayers layers, open_layers(paths_, sector_));
  BELFRY_TRY(StoredTree replica_tree, StoredTree::open(paths_.replica_tree(sector_)));
  BELFRY_CHECK(replica_tree.complete({.executor = options_.executor, .cancel = options_.cancel}));
  return write_synthetic_proofs({sector_, graph_, set, layers, replica_tree},
                                paths_.synthetic_proofs(), work_of(options_, span));
}

Result<SealedCommitments> Sealer::seal(ByteSpan data) {
  SealedCommitments out;
  graph_.tabulate();
  BELFRY_TRY(out.comm_d, make_data_tree(data));
  out.replica_id = replica_id_of(identity_, out.comm_d);
  BELFRY_CHECK(make_layers(out.replica_id));
  BELFRY_TRY(out.comm_c, make_column_tree());
  BELFRY_TRY(out.comm_r_last, make_replica());
  out.comm_r = comm_r(out.comm_c, out.comm_r_last);
  if (identity_.config.feature == PorepFeature::kSynthetic) BELFRY_CHECK(prepare_proofs(out));
  return out;
}

Result<void> Sealer::write_aux(const SealedCommitments& sealed, const SectorPaths& target) const {
  BELFRY_CHECK(write_output_file(paths_.p_aux(), write_p_aux({sealed.comm_c, sealed.comm_r_last})));
  BELFRY_CHECK(write_output_file(paths_.t_aux(), write_t_aux(sector_, target.cache())));
  if (!identity_.registered) return {};
  return write_output_file(paths_.record(), as_bytes(write_sector_record(identity_)));
}

Result<void> check_request(const SectorParams& sector, ByteSpan data, const SealOptions& options) {
  BELFRY_CHECK(check_data_fits(sector, data, kSealStage, options.data_file));
  const std::uint64_t needed = 2 * sector.bytes + kWorkBytes;
  const std::uint64_t budget_bytes = options.memory_budget_bytes;
  const std::uint64_t allowed = budget_bytes == 0 ? available_memory_bytes() : budget_bytes;
  if (needed <= allowed) return {};
  return fail(Error{ErrorCode::kResourceExhausted, std::string(kSealStage),
                    "two layers of labels exceed the memory budget"}
                  .but(std::to_string(needed) + " bytes", std::to_string(allowed)));
}

}  // namespace

Result<SealedCommitments> seal_sector(const SectorIdentity& identity, ByteSpan data,
                                      const std::filesystem::path& directory,
                                      const SealOptions& options) {
  BELFRY_CHECK(check_request(*identity.config.sector, data, options));
  BELFRY_TRY(AtomicDirectory folder, create_sector_folder(directory, kSealStage));
  Sealer sealer(identity, options, SectorPaths(folder.path()));
  BELFRY_TRY(const SealedCommitments sealed, sealer.seal(data));
  BELFRY_CHECK(sealer.write_aux(sealed, SectorPaths(folder.target())));
  BELFRY_CHECK(folder.commit());
  return sealed;
}

}  // namespace belfry::filecoin
