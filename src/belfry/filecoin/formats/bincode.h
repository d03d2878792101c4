#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/path_shape.h"
#include "belfry/filecoin/formats/vanilla_proof.h"

/// bincode 1.x as vanilla proofs travel in it: little-endian integers of fixed width, usize and
/// list lengths as u64, enums as u32 and payload, structs without framing (formats.md 5.4).
namespace belfry::filecoin {

/// Reads one value front to back. Every list has a length that the context dictates, so nothing is
/// allocated by a number that stands in the bytes. Errors are kInvalidInput with file, section and
/// the offset of the value that is wrong. A view: bytes and names outlive it.
class BincodeReader {
 public:
  BincodeReader(ByteSpan bytes, std::string_view stage, std::string_view file)
      : bytes_(bytes, stage, file) {}

  [[nodiscard]] Result<std::uint64_t> number(std::string_view field) {
    return bytes_.take_le<std::uint64_t>(field);
  }
  /// A list length or a fixed number; anything but `expected` is refused.
  [[nodiscard]] Result<void> count(std::uint64_t expected, std::string_view field);
  /// 32 canonical bytes.
  [[nodiscard]] Result<Node> node(std::string_view field);
  /// `count` nodes behind their number, appended to `out`.
  [[nodiscard]] Result<void> nodes(std::vector<Node>& out, std::uint64_t count,
                                   std::string_view field);
  /// A path in a tree of that shape: the enum variant and all counts must be the shape's.
  [[nodiscard]] Result<void> merkle_proof(MerkleProof& out, const PathShape& tree);
  /// Fails if bytes are left.
  [[nodiscard]] Result<void> finish() const { return bytes_.finish(); }

 private:
  /// Levels of one arity list that are written as one path: [first, first + count).
  struct Section {
    std::size_t first;
    std::size_t count;
  };

  [[nodiscard]] Result<void> variant(const PathShape& tree);
  [[nodiscard]] Result<void> path(MerkleProof& out, const PathShape& tree, Section section);
  [[nodiscard]] Result<void> level(MerkleProof& out, std::uint32_t arity);
  /// An error about the value of `size` bytes that was just read.
  [[nodiscard]] Error wrong(std::uint64_t size, std::string_view field, std::string message) const;

  ByteReader bytes_;
};

/// Puts the name of what surrounds a failure in front of its section: "path[1]" and "index" make
/// "path[1].index".
[[nodiscard]] Error inside(const std::string& outer, Error error);

/// Writes what BincodeReader reads.
class BincodeWriter {
 public:
  template <std::unsigned_integral T>
  void number(T value) {
    bytes_.resize(bytes_.size() + sizeof(T));
    store_le(bytes_.data() + bytes_.size() - sizeof(T), value);
  }
  void node(const Node& value);
  /// The path has the levels and siblings of the tree.
  void merkle_proof(const MerkleProof& proof, const PathShape& tree);

  [[nodiscard]] std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  void path(const MerkleProof& proof, const PathShape& tree, std::size_t first, std::size_t count);

  std::vector<std::uint8_t> bytes_;
};

}  // namespace belfry::filecoin
