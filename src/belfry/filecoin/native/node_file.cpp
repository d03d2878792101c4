#include "belfry/filecoin/native/node_file.h"

#include <algorithm>
#include <string>

#include "belfry/base/assert.h"
#include "belfry/filecoin/formats/node.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kNodeFileStage = "filecoin.node_file";

}  // namespace

Node known_node(const Bytes32& bytes) noexcept {
  const auto node = FrBytes::parse(bytes);
  BELFRY_ASSERT(node.has_value(), "a digest of 254 bits or a reduced sum");
  return node.value_or(Node());
}

Result<NodeFile> NodeFile::open(const std::filesystem::path& path, std::uint64_t nodes) {
  BELFRY_TRY(MappedFile file, MappedFile::open(path));
  if (file.bytes().size() % kNodeBytes != 0 || file.bytes().size() / kNodeBytes != nodes) {
    return fail(invalid(std::string(kNodeFileStage), "the file has another size")
                    .in_file(path.string())
                    .in_section("nodes")
                    .at(std::min<std::uint64_t>(file.bytes().size(), nodes * kNodeBytes))
                    .but(std::to_string(nodes) + " nodes of 32 bytes",
                         std::to_string(file.bytes().size()) + " bytes"));
  }
  return NodeFile(std::move(file));
}

Result<Node> NodeFile::at(std::uint64_t index) const {
  Node node;
  BELFRY_CHECK(read(index, {&node, 1}));
  return node;
}

Result<void> NodeFile::read(std::uint64_t first, std::span<Node> out) const {
  BELFRY_ASSERT(first <= size() && out.size() <= size() - first, "nodes of the file only");
  const std::uint8_t* from = file_.bytes().data() + first * kNodeBytes;
  for (std::size_t i = 0; i < out.size(); ++i, from += kNodeBytes) {
    const std::span<const std::uint8_t, kNodeBytes> bytes(from, kNodeBytes);
    BELFRY_TRY(out[i], parse_node(bytes, [&](const char* message) {
                 return invalid(std::string(kNodeFileStage), message)
                     .in_file(path().string())
                     .in_section("nodes[" + std::to_string(first + i) + "]")
                     .at((first + i) * kNodeBytes);
               }));
  }
  return {};
}

}  // namespace belfry::filecoin
