#include "belfry/r1cs/aux_values.h"

#include <algorithm>
#include <bit>

#include "belfry/base/assert.h"
#include "belfry/r1cs/word_bits.h"

namespace belfry::r1cs {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0};

/// The lowest `count` bits.
constexpr std::uint64_t low_bits(std::uint64_t count) {
  return count == kWordBits ? kAll : (std::uint64_t{1} << count) - 1;
}

/// Takes bits one after the other from packed words.
class BitReader {
 public:
  explicit BitReader(std::span<const std::uint64_t> words) : words_(words) {}
  /// The next `count` bits, 0 < count <= 64.
  std::uint64_t take(std::uint64_t count) {
    const std::uint64_t word = at_ / kWordBits;
    const std::uint64_t shift = at_ % kWordBits;
    std::uint64_t bits = words_[word] >> shift;
    if (shift + count > kWordBits) bits |= words_[word + 1] << (kWordBits - shift);
    at_ += count;
    return bits & low_bits(count);
  }

 private:
  std::span<const std::uint64_t> words_;
  std::uint64_t at_ = 0;
};

/// The next popcount(mask) bits at the places of the mask, run by run.
std::uint64_t deposit(BitReader& reader, std::uint64_t mask) {
  if (mask == kAll) return reader.take(kWordBits);
  std::uint64_t out = 0;
  while (mask != 0) {
    const auto start = static_cast<std::uint64_t>(std::countr_zero(mask));
    const auto length = static_cast<std::uint64_t>(std::countr_one(mask >> start));
    out |= reader.take(length) << start;
    mask &= ~(low_bits(length) << start);
  }
  return out;
}

}  // namespace

std::vector<std::uint64_t> ones_bitmap(const PartView& part, std::span<const std::uint64_t> bits) {
  std::vector<std::uint64_t> ones;
  ones.reserve(part.aux_is_bit.size());
  BitReader reader(bits);
  for (const std::uint64_t mask : part.aux_is_bit) ones.push_back(deposit(reader, mask));
  return ones;
}

std::vector<std::uint32_t> field_indices(const PartView& part) {
  std::vector<std::uint32_t> indices;
  indices.reserve(part.counts.fields());
  for (std::uint64_t word = 0; word < part.aux_is_bit.size(); ++word) {
    const std::uint64_t used = std::min(kWordBits, part.counts.aux - word * kWordBits);
    std::uint64_t mask = ~part.aux_is_bit[word] & low_bits(used);
    for (; mask != 0; mask &= mask - 1) {
      indices.push_back(static_cast<std::uint32_t>(word * kWordBits) +
                        static_cast<std::uint32_t>(std::countr_zero(mask)));
    }
  }
  return indices;
}

Fr WitnessLookupView::aux(std::uint64_t index) const {
  const std::uint64_t header_aux = shape_->header().counts.aux;
  const bool in_header = index < header_aux;
  const PartView& part = in_header ? shape_->header() : shape_->block();
  const std::uint64_t block = in_header ? 0 : (index - header_aux) / part.counts.aux;
  const std::uint64_t own = in_header ? index : (index - header_aux) % part.counts.aux;
  BELFRY_ASSERT(in_header || block < shape_->blocks(), "an aux that the system does not have");
  const WitnessPartView values = in_header ? witness_->header() : witness_->block(block);

  const std::uint64_t word = own / kWordBits;
  std::uint64_t bits_before = 0;
  for (std::uint64_t i = 0; i < word; ++i) {
    bits_before += static_cast<std::uint64_t>(std::popcount(part.aux_is_bit[i]));
  }
  const std::uint64_t mask = part.aux_is_bit[word];
  bits_before += static_cast<std::uint64_t>(std::popcount(mask & low_bits(own % kWordBits)));
  if (((mask >> (own % kWordBits)) & 1) == 0) return values.fields[own - bits_before];
  const bool one = ((values.bits[bits_before / kWordBits] >> (bits_before % kWordBits)) & 1) != 0;
  return one ? Fr::one() : Fr::zero();
}

std::vector<Fr> aux_of_part(const PartView& part, const WitnessPartView& values) {
  std::vector<Fr> out(part.counts.aux, Fr::zero());
  const auto ones = ones_bitmap(part, values.bits);
  for (std::uint64_t i = 0; i < out.size(); ++i) {
    if (((ones[i / kWordBits] >> (i % kWordBits)) & 1) != 0) out[i] = Fr::one();
  }
  const auto fields = field_indices(part);
  for (std::size_t i = 0; i < fields.size(); ++i) out[fields[i]] = values.fields[i];
  return out;
}

}  // namespace belfry::r1cs
