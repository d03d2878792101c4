#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "belfry/base/file.h"
#include "belfry/hash/sha256.h"
#include "belfry/r1cs/shape_file.h"
#include "belfry/r1cs/shape_sections.h"

namespace belfry::r1cs {
namespace {

template <class T>
ByteSpan bytes_of(std::span<const T> list) {
  return {reinterpret_cast<const std::uint8_t*>(list.data()), list.size_bytes()};
}

void append_part(const PartView& part, std::vector<ByteSpan>& sections) {
  for (const auto bitmap :
       {part.aux_is_bit, part.a_aux_density, part.b_aux_density, part.b_input_density}) {
    sections.push_back(bytes_of(bitmap));
  }
  for (const MatrixView& matrix : part.matrices) {
    sections.push_back(bytes_of(matrix.groups));
    sections.push_back(bytes_of(matrix.lengths));
    sections.push_back(bytes_of(matrix.long_lengths));
    sections.push_back(bytes_of(matrix.terms));
    sections.push_back(bytes_of(matrix.wide));
  }
}

std::vector<std::uint8_t> encode_head(const ShapeView& view,
                                      const std::vector<ByteSpan>& sections) {
  std::vector<std::uint8_t> head(detail::kHeadBytes, 0);
  std::uint8_t* at = head.data() + kShapeMagic.size();
  std::copy(kShapeMagic.begin(), kShapeMagic.end(), head.begin());
  const auto put = [&at](auto value) {
    store_le(at, value);
    at += sizeof(value);
  };
  put(kShapeVersion);
  put(static_cast<std::uint32_t>(detail::kSections));
  detail::HeadNumbers numbers = detail::numbers_of(view);
  numbers[0] = detail::kHeadBytes + detail::kDigestBytes;
  for (const ByteSpan section : sections) numbers[0] += detail::padded(section.size());
  for (const std::uint64_t number : numbers) put(number);
  for (const ByteSpan section : sections) put(std::uint64_t{section.size()});
  return head;
}

}  // namespace

Result<void> write_shape(const Shape& shape, const std::filesystem::path& path) {
  const ShapeView& view = shape.view();
  std::vector<std::uint8_t> dictionary;
  for (const Fr& value : view.dictionary) {
    const FrBytes bytes(value);
    dictionary.insert(dictionary.end(), bytes.bytes().begin(), bytes.bytes().end());
  }
  std::vector<ByteSpan> sections{as_bytes(view.circuit_id), bytes_of(view.bindings), dictionary};
  append_part(view.header, sections);
  append_part(view.block, sections);

  BELFRY_TRY(AtomicFile file, AtomicFile::create(path));
  hash::Sha256 sha;
  const auto write = [&](ByteSpan bytes) -> Result<void> {
    sha.update(bytes);
    return file.write(bytes);
  };
  BELFRY_CHECK(write(encode_head(view, sections)));
  constexpr std::array<std::uint8_t, detail::kAlignment> kZeros{};
  for (const ByteSpan section : sections) {
    BELFRY_CHECK(write(section));
    const std::uint64_t gap = detail::padded(section.size()) - section.size();
    BELFRY_CHECK(write(ByteSpan(kZeros).first(gap)));
  }
  BELFRY_CHECK(file.write(sha.finish()));
  return file.commit();
}

}  // namespace belfry::r1cs
