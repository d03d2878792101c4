#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "belfry/base/bytes.h"
#include "belfry/gadgets/boolean.h"

namespace belfry::gadgets {

/// New bits of a 64-bit value, least significant first (spec gadgets.md 3.8).
/// @param value  std::uint64_t, or r1cs::Unknown
template <class Cs, class Value>
[[nodiscard]] Booleans<Cs> alloc_u64_bits_le(Cs& cs, const Value& value) {
  constexpr std::uint32_t kBits = 64;
  Booleans<Cs> bits;
  bits.reserve(kBits);
  for (std::uint32_t i = 0; i < kBits; ++i) {
    typename Cs::BitValue bit{};
    if constexpr (Cs::kComputesValues) bit = ((value >> i) & 1) != 0;
    bits.push_back(Boolean<Cs>::alloc(cs, bit));
  }
  return bits;
}

/// The order of the bits within a byte.
enum class BitOrder : std::uint8_t { kLeastSignificantFirst, kMostSignificantFirst };

/// New bits of `count` bytes, byte after byte. `bytes` has that many bytes; it is not read by an
/// interpreter without values and may be empty there.
template <class Cs>
[[nodiscard]] Booleans<Cs> alloc_bytes_bits(Cs& cs, ByteSpan bytes, std::size_t count,
                                            BitOrder order) {
  constexpr std::uint32_t kByteBits = 8;
  Booleans<Cs> bits;
  bits.reserve(kByteBits * count);
  for (std::size_t i = 0; i < kByteBits * count; ++i) {
    typename Cs::BitValue bit{};
    if constexpr (Cs::kComputesValues) {
      const std::size_t place = i % kByteBits;
      const std::size_t shift =
          order == BitOrder::kLeastSignificantFirst ? place : kByteBits - 1 - place;
      bit = ((bytes[i / kByteBits] >> shift) & 1) != 0;
    }
    bits.push_back(Boolean<Cs>::alloc(cs, bit));
  }
  return bits;
}

/// Pads with constant false to a multiple of 8, then reverses each group of 8: little-endian bits
/// of a number to the SHA-256 order of its bytes, and back. Emits nothing. Source: spec
/// gadgets.md 15.
template <class Cs>
[[nodiscard]] Booleans<Cs> reverse_bit_numbering(Booleans<Cs> bits) {
  constexpr std::size_t kByteBits = 8;
  bits.resize((bits.size() + kByteBits - 1) / kByteBits * kByteBits);
  for (auto group = bits.begin(); group != bits.end(); group += kByteBits) {
    std::reverse(group, group + kByteBits);
  }
  return bits;
}

}  // namespace belfry::gadgets
