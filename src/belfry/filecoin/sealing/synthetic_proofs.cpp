#include "belfry/filecoin/sealing/synthetic_proofs.h"

#include <algorithm>
#include <string>
#include <vector>

#include "belfry/base/assert.h"
#include "belfry/base/output_file.h"
#include "belfry/filecoin/formats/bincode.h"
#include "belfry/filecoin/formats/node.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kSyntheticProofsStage = "filecoin.synthetic_proofs";
constexpr std::uint64_t kHeaderBytes = 3 * kNodeBytes;
/// Records that are made before they are written: some tens of megabytes.
constexpr std::uint64_t kBatch = 2048;

/// Appends records.
class RecordWriter {
 public:
  void nodes(const std::vector<Node>& values) {
    for (const Node& value : values) out_.node(value);
  }
  void path(const MerkleProof& proof) {
    out_.node(proof.leaf);
    nodes(proof.siblings);
  }
  void column(const ColumnProof& proof) {
    nodes(proof.rows);
    path(proof.inclusion);
  }
  void challenge(const VanillaChallenge& value) {
    out_.number(std::uint64_t{value.column.index});
    for (const ColumnProof& parent : value.drg_parents) out_.number(std::uint64_t{parent.index});
    for (const ColumnProof& parent : value.exp_parents) out_.number(std::uint64_t{parent.index});
    path(value.comm_d);
    column(value.column);
    for (const ColumnProof& parent : value.drg_parents) column(parent);
    for (const ColumnProof& parent : value.exp_parents) column(parent);
    path(value.comm_r_last);
  }
  [[nodiscard]] std::vector<std::uint8_t> take() { return out_.take(); }

 private:
  BincodeWriter out_;
};

/// Reads one record front to back.
class RecordReader {
 public:
  RecordReader(ByteSpan bytes, const std::string& file, std::uint64_t begin,
               const SectorParams& sector)
      : bytes_(bytes, kSyntheticProofsStage, file),
        begin_(begin),
        layers_(sector.layers),
        data_arities_(path_arities(kDataTree, sector.nodes())),
        arities_(path_arities(sector.tree, sector.nodes())) {}

  Result<void> number(std::uint64_t expected, std::string_view field) {
    BELFRY_TRY(const auto found, bytes_.take_le<std::uint64_t>(field));
    if (found == expected) return {};
    return fail(placed(bytes_.error(field, "the record is about another node"), sizeof found)
                    .but(std::to_string(expected), std::to_string(found)));
  }
  Result<Node> node(std::string_view field) {
    BELFRY_TRY(const ByteSpan raw, bytes_.take(kNodeBytes, field));
    return parse_node(raw.first<kNodeBytes>(), [&](const char* message) {
      return placed(bytes_.error(field, message), kNodeBytes);
    });
  }
  Result<MerkleProof> data_path(std::uint64_t index, const Node& root) {
    return path(data_arities_, index, root, "comm_d_proofs");
  }
  Result<MerkleProof> path(std::uint64_t index, const Node& root, std::string_view field) {
    return path(arities_, index, root, field);
  }
  Result<ColumnProof> column(std::uint64_t index, const Node& root, std::string_view field) {
    ColumnProof proof{.index = static_cast<std::uint32_t>(index), .rows = {}, .inclusion = {}};
    for (std::uint32_t layer = 0; layer < layers_; ++layer) {
      BELFRY_TRY(const Node label, node(field));
      proof.rows.push_back(label);
    }
    BELFRY_TRY(proof.inclusion, path(index, root, field));
    return proof;
  }
  [[nodiscard]] Result<void> finish() const { return bytes_.finish(); }

 private:
  /// The value of `size` bytes that was read last, by its offset in the file.
  [[nodiscard]] Error placed(Error error, std::uint64_t size) const {
    return std::move(error).at(begin_ + bytes_.offset() - size);
  }
  Result<MerkleProof> path(const std::vector<std::uint32_t>& arities, std::uint64_t index,
                           const Node& root, std::string_view field) {
    MerkleProof proof;
    proof.root = root;
    BELFRY_TRY(proof.leaf, node(field));
    for (const std::uint32_t arity : arities) {
      proof.positions.push_back(static_cast<std::uint8_t>(index % arity));
      index /= arity;
      for (std::uint32_t i = 1; i < arity; ++i) {
        BELFRY_TRY(const Node sibling, node(field));
        proof.siblings.push_back(sibling);
      }
    }
    return proof;
  }

  ByteReader bytes_;
  std::uint64_t begin_;
  std::uint32_t layers_;
  std::vector<std::uint32_t> data_arities_;
  std::vector<std::uint32_t> arities_;
};

using Record = std::vector<std::uint8_t>;

Result<Record> make_record(const SyntheticSource& source, std::uint64_t number) {
  BELFRY_TRY(const auto challenge, prove_challenge(source.graph, source.layers, source.replica_tree,
                                                   source.set.challenge(number)));
  RecordWriter writer;
  writer.challenge(challenge);
  return writer.take();
}

/// Records first, first + 1, ... of the set, each a record or its error.
std::vector<Result<Record>> make_records(const SyntheticSource& source, std::uint64_t first,
                                         std::uint64_t count, const Executor& executor) {
  constexpr std::size_t kGrain = 16;
  std::vector<Result<Record>> records(count);
  executor.parallel_for(count, kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) records[i] = make_record(source, first + i);
  });
  return records;
}

}  // namespace

std::uint64_t synthetic_record_bytes(const SectorParams& sector) {
  constexpr std::uint64_t kColumns = 1 + kParents;
  const std::uint64_t data_nodes = 1 + path_shape(kDataTree, sector.nodes()).siblings;
  const std::uint64_t path_nodes = 1 + path_shape(sector.tree, sector.nodes()).siblings;
  const std::uint64_t nodes = data_nodes + kColumns * (sector.layers + path_nodes) + path_nodes;
  return kColumns * sizeof(std::uint64_t) + kNodeBytes * nodes;
}

Result<void> write_synthetic_proofs(const SyntheticSource& source,
                                    const std::filesystem::path& path, const WorkView& work) {
  BELFRY_TRY(OutputFile file, OutputFile::create(path));
  const std::vector<Node> roots{source.layers.data_tree.root(), source.layers.column_tree.root(),
                                source.replica_tree.root()};
  BELFRY_CHECK(file.write_at(0, bytes_of(roots)));
  std::uint64_t end = kHeaderBytes;
  const std::uint64_t records = SyntheticSet::production_size(source.sector.nodes());
  for (std::uint64_t first = 0; first < records; first += kBatch) {
    BELFRY_CHECK(work.cancel.check(std::string(kSyntheticProofsStage)));
    const std::uint64_t count = std::min(kBatch, records - first);
    for (auto& made : make_records(source, first, count, work.executor)) {
      BELFRY_TRY(const Record record, std::move(made));
      BELFRY_CHECK(file.write_at(end, record));
      end += record.size();
    }
    work.done(count);
  }
  return file.close();
}

Result<SyntheticProofs> SyntheticProofs::open(const std::filesystem::path& path,
                                              const SectorParams& sector) {
  BELFRY_TRY(MappedFile file, MappedFile::open(path));
  const std::uint64_t expected =
      kHeaderBytes + SyntheticSet::production_size(sector.nodes()) * synthetic_record_bytes(sector);
  if (file.bytes().size() != expected) {
    return fail(invalid(std::string(kSyntheticProofsStage), "the file has another size")
                    .in_file(path.string())
                    .in_section("records")
                    .at(std::min<std::uint64_t>(file.bytes().size(), expected))
                    .but(std::to_string(expected) + " bytes", std::to_string(file.bytes().size())));
  }
  const std::string name = path.string();
  RecordReader header(file.bytes().first(kHeaderBytes), name, 0, sector);
  SyntheticProofs proofs(std::move(file), sector);
  BELFRY_TRY(proofs.root_d_, header.node("root_d"));
  BELFRY_TRY(proofs.root_c_, header.node("root_c"));
  BELFRY_TRY(proofs.root_r_, header.node("root_r"));
  return proofs;
}

Result<VanillaChallenge> SyntheticProofs::challenge(const Graph& graph, std::uint64_t index,
                                                    std::uint64_t node) const {
  BELFRY_ASSERT(index < SyntheticSet::production_size(sector_->nodes()), "a record of the set");
  const std::uint64_t size = synthetic_record_bytes(*sector_);
  const std::uint64_t begin = kHeaderBytes + index * size;
  const std::string name = file_.path().string();
  RecordReader record(file_.bytes().subspan(begin, size), name, begin, *sector_);
  const Graph::Parents parents = graph.parents(node);
  BELFRY_CHECK(record.number(node, "challenge"));
  for (const std::uint64_t parent : parents) BELFRY_CHECK(record.number(parent, "parents"));
  VanillaChallenge out;
  BELFRY_TRY(out.comm_d, record.data_path(node, root_d_));
  BELFRY_TRY(out.column, record.column(node, root_c_, "c_x"));
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const bool drg = i < kDrgParents;
    ColumnProof& parent = drg ? out.drg_parents.at(i) : out.exp_parents.at(i - kDrgParents);
    BELFRY_TRY(parent, record.column(parents.at(i), root_c_, drg ? "drg_parents" : "exp_parents"));
  }
  BELFRY_TRY(out.comm_r_last, record.path(node, root_r_, "comm_r_last_proof"));
  BELFRY_CHECK(record.finish());
  add_labeling(out);
  return out;
}

}  // namespace belfry::filecoin
