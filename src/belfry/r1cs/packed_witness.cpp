#include "belfry/r1cs/packed_witness.h"

#include <algorithm>
#include <utility>

#include "belfry/base/assert.h"

namespace belfry::r1cs {

Result<PackedWitness> PackedWitness::create(const WitnessLayout& layout) {
  PackedWitness witness;
  witness.layout_ = layout;
  // A 32 GiB WindowPoSt has 4 GB of elements; zero bytes are the element zero.
  BELFRY_TRY(witness.fields_, LargeArray<Fr>::create(layout.fields()));
  witness.inputs_.assign(layout.inputs(), Fr::zero());
  witness.bits_.assign(layout.words(), 0);
  if (!witness.inputs_.empty()) witness.inputs_.front() = Fr::one();
  return witness;
}

PackedWitness::PackedWitness(const PackedWitness& other)
    : layout_(other.layout_), inputs_(other.inputs_), bits_(other.bits_) {
  auto fields = LargeArray<Fr>::create(other.fields_.size());
  BELFRY_ASSERT(fields.has_value(), "memory for a copy of a witness");
  fields_ = std::move(*fields);
  std::ranges::copy(other.fields_.span(), fields_.span().begin());
}

PackedWitness& PackedWitness::operator=(const PackedWitness& other) {
  if (this != &other) *this = PackedWitness(other);
  return *this;
}

WitnessPartView PackedWitness::header() const noexcept {
  const PartLayout& part = layout_.header;
  return {std::span(inputs_).first(part.inputs), std::span(bits_).first(part.words()),
          fields_.span().first(part.fields)};
}

WitnessPartView PackedWitness::block(std::uint64_t block) const noexcept {
  const PartLayout& part = layout_.block;
  const PartLayout& header = layout_.header;
  return {std::span(inputs_).subspan(header.inputs + block * part.inputs, part.inputs),
          std::span(bits_).subspan(header.words() + block * part.words(), part.words()),
          fields_.span().subspan(header.fields + block * part.fields, part.fields)};
}

WitnessSlice PackedWitness::header_slice() noexcept {
  const PartLayout& part = layout_.header;
  const std::uint64_t one = part.inputs == 0 ? 0 : 1;
  return {std::span(inputs_).subspan(one, part.inputs - one), std::span(bits_).first(part.words()),
          part.bits, fields_.span().first(part.fields)};
}

WitnessSlice PackedWitness::block_slice(std::uint64_t block) noexcept {
  const PartLayout& part = layout_.block;
  const PartLayout& header = layout_.header;
  return {std::span(inputs_).subspan(header.inputs + block * part.inputs, part.inputs),
          std::span(bits_).subspan(header.words() + block * part.words(), part.words()), part.bits,
          fields_.span().subspan(header.fields + block * part.fields, part.fields)};
}

std::uint64_t PackedWitness::memory_bytes() const noexcept {
  return inputs_.capacity() * sizeof(Fr) + bits_.capacity() * sizeof(std::uint64_t) +
         fields_.size() * sizeof(Fr);
}

}  // namespace belfry::r1cs
