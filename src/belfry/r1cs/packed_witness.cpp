#include "belfry/r1cs/packed_witness.h"

#include <sys/mman.h>

#include <cstdint>

namespace belfry::r1cs {
namespace {

constexpr std::uintptr_t kHugePage = std::uintptr_t{1} << 21;

/// n zeros, in huge pages where they fill some: a 32 GiB WindowPoSt has 4 GB of them, a million
/// faults in small pages. Advice: a kernel without huge pages ignores it.
std::vector<Fr> zeros(std::uint64_t n) {
  std::vector<Fr> elements;
  elements.reserve(n);
  const auto begin = reinterpret_cast<std::uintptr_t>(elements.data());
  const std::uintptr_t first = (begin + kHugePage - 1) / kHugePage * kHugePage;
  const std::uintptr_t end = (begin + n * sizeof(Fr)) / kHugePage * kHugePage;
  if (first < end) {
    const std::uintptr_t offset = first - begin;
    auto* const bytes = reinterpret_cast<std::byte*>(elements.data());
    (void)::madvise(bytes + offset, end - first, MADV_HUGEPAGE);
  }
  elements.resize(n, Fr::zero());
  return elements;
}

}  // namespace

PackedWitness::PackedWitness(const WitnessLayout& layout)
    : layout_(layout),
      inputs_(layout.inputs(), Fr::zero()),
      bits_(layout.words(), 0),
      fields_(zeros(layout.fields())) {
  if (!inputs_.empty()) inputs_.front() = Fr::one();
}

WitnessPartView PackedWitness::header() const noexcept {
  const PartLayout& part = layout_.header;
  return {std::span(inputs_).first(part.inputs), std::span(bits_).first(part.words()),
          std::span(fields_).first(part.fields)};
}

WitnessPartView PackedWitness::block(std::uint64_t block) const noexcept {
  const PartLayout& part = layout_.block;
  const PartLayout& header = layout_.header;
  return {std::span(inputs_).subspan(header.inputs + block * part.inputs, part.inputs),
          std::span(bits_).subspan(header.words() + block * part.words(), part.words()),
          std::span(fields_).subspan(header.fields + block * part.fields, part.fields)};
}

WitnessSlice PackedWitness::header_slice() noexcept {
  const PartLayout& part = layout_.header;
  const std::uint64_t one = part.inputs == 0 ? 0 : 1;
  return {std::span(inputs_).subspan(one, part.inputs - one), std::span(bits_).first(part.words()),
          part.bits, std::span(fields_).first(part.fields)};
}

WitnessSlice PackedWitness::block_slice(std::uint64_t block) noexcept {
  const PartLayout& part = layout_.block;
  const PartLayout& header = layout_.header;
  return {std::span(inputs_).subspan(header.inputs + block * part.inputs, part.inputs),
          std::span(bits_).subspan(header.words() + block * part.words(), part.words()), part.bits,
          std::span(fields_).subspan(header.fields + block * part.fields, part.fields)};
}

std::uint64_t PackedWitness::memory_bytes() const noexcept {
  return inputs_.capacity() * sizeof(Fr) + bits_.capacity() * sizeof(std::uint64_t) +
         fields_.capacity() * sizeof(Fr);
}

}  // namespace belfry::r1cs
