#include "belfry/filecoin/formats/c1_writer.h"

#include <charconv>
#include <limits>
#include <span>
#include <string_view>

#include "belfry/filecoin/formats/path_shape.h"

namespace belfry::filecoin {
namespace {

/// Appends JSON; lists and objects are written by their callers' commas.
class C1Writer {
 public:
  explicit C1Writer(const SectorParams& sector)
      : replica_tree_(path_shape(sector.tree, sector.nodes())),
        data_tree_(path_shape(kDataTree, sector.nodes())) {}

  void text(std::string_view raw) { out_ += raw; }
  void number(std::uint64_t value) {
    std::array<char, std::numeric_limits<std::uint64_t>::digits10 + 1> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out_.append(digits.data(), end);
  }
  void bytes(ByteSpan values) {
    list(values, [&](std::uint8_t byte) { number(byte); });
  }
  void node(const Node& value) { bytes(value.bytes()); }

  /// `[a,b,...]`
  template <class Range, class Write>
  void list(const Range& range, Write write) {
    text("[");
    bool first = true;
    for (const auto& element : range) {
      if (!first) text(",");
      first = false;
      write(element);
    }
    text("]");
  }

  void challenge(const VanillaChallenge& value) {
    text(R"({"comm_d_proofs":)");
    data_proof(value.comm_d);
    text(R"(,"comm_r_last_proof":)");
    replica_proof(value.comm_r_last);
    text(R"(,"replica_column_proofs":{"c_x":)");
    column_proof(value.column);
    text(R"(,"drg_parents":)");
    list(value.drg_parents, [&](const ColumnProof& parent) { column_proof(parent); });
    text(R"(,"exp_parents":)");
    list(value.exp_parents, [&](const ColumnProof& parent) { column_proof(parent); });
    text(R"(},"labeling_proofs":)");
    list(value.labeling, [&](const LabelingProof& proof) { labeling(proof); });
    text(R"(,"encoding_proof":)");
    labeling(value.encoding);
    text("}");
  }

  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  void column_proof(const ColumnProof& proof) {
    text(R"({"column":{"index":)");
    number(proof.index);
    text(R"(,"rows":)");
    list(proof.rows, [&](const Node& row) { node(row); });
    text(R"(,"_h":null},"inclusion_proof":)");
    replica_proof(proof.inclusion);
    text("}");
  }

  void labeling(const LabelingProof& proof) {
    text(R"({"parents":)");
    list(proof.parents, [&](const Node& parent) { node(parent); });
    text(R"(,"layer_index":)");
    number(proof.layer_index);
    text(R"(,"node":)");
    number(proof.node);
    text("}");
  }

  void data_proof(const MerkleProof& proof) { single_proof(data_tree_, proof); }

  void replica_proof(const MerkleProof& proof) {
    const PathShape& tree = replica_tree_;
    if (tree.upper_levels == 0) return single_proof(tree, proof);
    const std::size_t base = tree.base_levels();
    text(tree.upper_levels == 1 ? R"({"data":{"Sub":{"base_proof":)"
                                : R"({"data":{"Top":{"base_proof":)");
    path(tree, proof, 0, base);
    text(R"(,"sub_proof":)");
    path(tree, proof, base, 1);
    if (tree.upper_levels == 2) {
      text(R"(,"top_proof":)");
      path(tree, proof, base + 1, 1);
    }
    text(R"(,"root":)");
    node(proof.root);
    text(R"(,"leaf":)");
    node(proof.leaf);
    text("}}}");
  }

  void single_proof(const PathShape& tree, const MerkleProof& proof) {
    text(R"({"data":{"Single":{"root":)");
    node(proof.root);
    text(R"(,"leaf":)");
    node(proof.leaf);
    text(R"(,"path":)");
    path(tree, proof, 0, tree.arities.size());
    text("}}}");
  }

  void path(const PathShape& tree, const MerkleProof& proof, std::size_t first, std::size_t count) {
    std::size_t sibling = 0;
    for (std::size_t level = 0; level < first; ++level) sibling += tree.arities[level] - 1;
    text(R"({"path":[)");
    for (std::size_t level = first; level < first + count; ++level) {
      const std::span<const Node> siblings(proof.siblings);
      text(level == first ? R"({"hashes":)" : R"(,{"hashes":)");
      list(siblings.subspan(sibling, tree.arities[level] - 1),
           [&](const Node& hash) { node(hash); });
      text(R"(,"index":)");
      number(proof.positions[level]);
      text("}");
      sibling += tree.arities[level] - 1;
    }
    text("]}");
  }

  std::string out_;
  PathShape replica_tree_;
  PathShape data_tree_;
};

}  // namespace

std::string write_c1(const C1Output& c1) {
  C1Writer json(*c1.config.sector);
  json.text("{");
  if (c1.registered) {
    json.text(R"("registered_proof":")" + c1.registered->name() + R"(",)");
  }
  json.text(R"("vanilla_proofs":)");
  // The variant is the plain name of the size, for all versions and features.
  if (c1.registered) {
    json.text("{\"" + seal_proofs().at(c1.config.sector->published.value_or(0)).name() + "\":");
  }
  json.list(c1.partitions, [&](const VanillaPartition& partition) {
    json.list(partition, [&](const VanillaChallenge& challenge) { json.challenge(challenge); });
  });
  if (c1.registered) json.text("}");
  json.text(R"(,"comm_r":)");
  json.node(c1.comm_r);
  json.text(R"(,"comm_d":)");
  json.node(c1.comm_d);
  json.text(R"(,"replica_id":)");
  json.node(c1.replica_id);
  json.text(R"(,"seed":)");
  json.bytes(c1.seed);
  json.text(R"(,"ticket":)");
  json.bytes(c1.ticket);
  json.text("}");
  return json.take();
}

}  // namespace belfry::filecoin
