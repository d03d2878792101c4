#include "belfry/filecoin/formats/bincode.h"

#include <array>
#include <utility>

#include "belfry/filecoin/formats/node.h"

namespace belfry::filecoin {
namespace {

/// Names of the parts of a path whose tree has upper levels.
constexpr std::array<std::string_view, 3> kParts{"base_proof", "sub_proof", "top_proof"};

std::string element(std::string_view list, std::size_t index) {
  return std::string(list) + "[" + std::to_string(index) + "]";
}

}  // namespace

Error inside(const std::string& outer, Error error) {
  std::string section = error.section.empty() ? outer : outer + "." + error.section;
  return std::move(error).in_section(std::move(section));
}

Error BincodeReader::wrong(std::uint64_t size, std::string_view field, std::string message) const {
  return bytes_.error(field, std::move(message)).at(bytes_.offset() - size);
}

Result<void> BincodeReader::count(std::uint64_t expected, std::string_view field) {
  BELFRY_TRY(const std::uint64_t found, number(field));
  if (found == expected) return {};
  return fail(wrong(sizeof(found), field, "another number than the sector size and proof have")
                  .but(std::to_string(expected), std::to_string(found)));
}

Result<Node> BincodeReader::node(std::string_view field) {
  BELFRY_TRY(const ByteSpan raw, bytes_.take(kNodeBytes, field));
  return parse_node(raw.first<kNodeBytes>(),
                    [&](const char* message) { return wrong(kNodeBytes, field, message); });
}

Result<void> BincodeReader::nodes(std::vector<Node>& out, std::uint64_t count,
                                  std::string_view field) {
  BELFRY_CHECK(this->count(count, field));
  if (count > bytes_.remaining() / kNodeBytes) {
    return fail(bytes_.error(field, "the file is truncated")
                    .but(std::to_string(count) + " nodes of 32 bytes",
                         std::to_string(bytes_.remaining()) + " bytes"));
  }
  out.reserve(out.size() + count);
  for (std::size_t i = 0; i < count; ++i) {
    auto value = node({});
    if (!value) return fail(inside(element(field, i), std::move(value.error())));
    out.push_back(*value);
  }
  return {};
}

Result<void> BincodeReader::variant(const PathShape& tree) {
  BELFRY_TRY(const std::uint32_t found, bytes_.take_le<std::uint32_t>("data"));
  if (found == tree.upper_levels) return {};
  return fail(wrong(sizeof(found), "data", "the tree is not that of the sector size")
                  .but("variant " + std::to_string(tree.upper_levels) + " (" +
                           std::string(tree.variant()) + ")",
                       std::to_string(found)));
}

Result<void> BincodeReader::merkle_proof(MerkleProof& out, const PathShape& tree) {
  BELFRY_CHECK(variant(tree));
  out.positions.clear();
  out.siblings.clear();
  if (tree.upper_levels == 0) {
    BELFRY_TRY(out.root, node("root"));
    BELFRY_TRY(out.leaf, node("leaf"));
    return path(out, tree, {0, tree.arities.size()});
  }
  Section section{0, tree.base_levels()};
  for (std::size_t part = 0; part <= tree.upper_levels; ++part) {
    if (auto done = path(out, tree, section); !done)
      return fail(inside(std::string(kParts[part]), std::move(done.error())));
    section = {section.first + section.count, 1};
  }
  BELFRY_TRY(out.root, node("root"));
  BELFRY_TRY(out.leaf, node("leaf"));
  return {};
}

Result<void> BincodeReader::path(MerkleProof& out, const PathShape& tree, Section section) {
  BELFRY_CHECK(count(section.count, "path"));
  for (std::size_t i = 0; i < section.count; ++i) {
    if (auto done = level(out, tree.arities[section.first + i]); !done)
      return fail(inside(element("path", i), std::move(done.error())));
  }
  return {};
}

Result<void> BincodeReader::level(MerkleProof& out, std::uint32_t arity) {
  BELFRY_CHECK(nodes(out.siblings, arity - 1, "hashes"));
  BELFRY_TRY(const std::uint64_t index, number("index"));
  if (index >= arity) {
    return fail(wrong(sizeof(index), "index", "outside its level")
                    .but("below " + std::to_string(arity), std::to_string(index)));
  }
  out.positions.push_back(static_cast<std::uint8_t>(index));
  return {};
}

void BincodeWriter::node(const Node& value) {
  bytes_.insert(bytes_.end(), value.bytes().begin(), value.bytes().end());
}

void BincodeWriter::merkle_proof(const MerkleProof& proof, const PathShape& tree) {
  number(static_cast<std::uint32_t>(tree.upper_levels));
  if (tree.upper_levels == 0) {
    node(proof.root);
    node(proof.leaf);
    return path(proof, tree, 0, tree.arities.size());
  }
  path(proof, tree, 0, tree.base_levels());
  for (std::size_t upper = 0; upper < tree.upper_levels; ++upper) {
    path(proof, tree, tree.base_levels() + upper, 1);
  }
  node(proof.root);
  node(proof.leaf);
}

void BincodeWriter::path(const MerkleProof& proof, const PathShape& tree, std::size_t first,
                         std::size_t count) {
  std::size_t sibling = 0;
  for (std::size_t level = 0; level < first; ++level) sibling += tree.arities[level] - 1;
  number(std::uint64_t{count});
  for (std::size_t level = first; level < first + count; ++level) {
    const std::uint32_t siblings = tree.arities[level] - 1;
    number(std::uint64_t{siblings});
    for (std::uint32_t i = 0; i < siblings; ++i) node(proof.siblings[sibling++]);
    number(std::uint64_t{proof.positions[level]});
  }
}

}  // namespace belfry::filecoin
