#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>

#include "belfry/base/error.h"
#include "belfry/base/file.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// A file of raw nodes, mapped: layers, trees, replicas. Its size is checked when it is opened,
/// each node when it is read, so a damaged file gives an error that names file and offset.
/// Move-only; const use is thread-safe.
class NodeFile {
 public:
  /// kInvalidInput unless the file holds exactly `nodes` nodes; otherwise as MappedFile::open.
  [[nodiscard]] static Result<NodeFile> open(const std::filesystem::path& path,
                                             std::uint64_t nodes);

  [[nodiscard]] std::uint64_t size() const noexcept { return file_.bytes().size() / kNodeBytes; }
  [[nodiscard]] const std::filesystem::path& path() const noexcept { return file_.path(); }
  /// One node below size(). kInvalidInput if it is not canonical.
  [[nodiscard]] Result<Node> at(std::uint64_t index) const;
  /// Nodes first, first + 1, ..., all below size().
  [[nodiscard]] Result<void> read(std::uint64_t first, std::span<Node> out) const;

 private:
  explicit NodeFile(MappedFile file) : file_(std::move(file)) {}

  MappedFile file_;
};

/// The node of bytes that are below r by their making: a digest cut to 254 bits, a reduced sum.
/// Anything else is a bug.
[[nodiscard]] Node known_node(const Bytes32& bytes) noexcept;

/// The bytes of nodes, without a copy.
[[nodiscard]] inline ByteSpan bytes_of(std::span<const Node> nodes) noexcept {
  static_assert(sizeof(Node) == kNodeBytes && alignof(Node) == 1);
  return {reinterpret_cast<const std::uint8_t*>(nodes.data()), nodes.size_bytes()};
}

}  // namespace belfry::filecoin
