#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "belfry/r1cs/shape_file.h"

namespace belfry::test {

/// Bytes of a shape file in memory, aligned as parse_shape wants them.
class ShapeBytes final : public r1cs::ShapeStorage {
 public:
  explicit ShapeBytes(ByteSpan source) : words_((source.size() + 7) / 8), size_(source.size()) {
    if (size_ != 0) std::memcpy(words_.data(), source.data(), size_);
  }
  [[nodiscard]] ByteSpan bytes() const {
    return {reinterpret_cast<const std::uint8_t*>(words_.data()), size_};
  }

 private:
  std::vector<std::uint64_t> words_;
  std::size_t size_;
};

/// parse_shape of a copy of the bytes, which the shape keeps.
inline Result<r1cs::Shape> parse_shape_bytes(ByteSpan source, const std::string& file_name,
                                             r1cs::DigestCheck digest) {
  auto owner = std::make_shared<ShapeBytes>(source);
  const ByteSpan view = owner->bytes();
  return r1cs::parse_shape(view, file_name, std::move(owner), digest);
}

}  // namespace belfry::test
