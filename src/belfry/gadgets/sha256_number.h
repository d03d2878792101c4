#pragma once

#include <span>

#include "belfry/gadgets/bits.h"
#include "belfry/gadgets/insert.h"
#include "belfry/gadgets/pack.h"
#include "belfry/gadgets/sha256.h"

namespace belfry::gadgets {

/// SHA-256 of whole bytes (SHA order) as a number: the digest read little-endian, its two top bits
/// dropped. Source of this file: spec gadgets.md 12.3.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> sha256_number(Cs& cs, Booleans<Cs> message) {
  const Booleans<Cs> digest = reverse_bit_numbering<Cs>(sha256(cs, std::move(message)));
  return pack_bits(cs, digest);
}

/// SHA-256 of the 32-byte little-endian forms of two or more numbers: the parent of nodes in a data
/// tree. All numbers are decomposed before the hash begins. 45,331 aux and 45,379 rows for two.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> sha256_of_numbers(Cs& cs,
                                                    std::span<const AllocatedNumber<Cs>> numbers) {
  Booleans<Cs> message;
  for (const auto& number : numbers) {
    const Booleans<Cs> bits = reverse_bit_numbering<Cs>(number.to_bits_le(cs));
    message.insert(message.end(), bits.begin(), bits.end());
  }
  return sha256_number(cs, std::move(message));
}

/// The same for two numbers given by their bits, least significant first.
template <class Cs>
[[nodiscard]] AllocatedNumber<Cs> sha256_of_bits(Cs& cs, Booleans<Cs> left, Booleans<Cs> right) {
  Booleans<Cs> message = reverse_bit_numbering<Cs>(std::move(left));
  const Booleans<Cs> rest = reverse_bit_numbering<Cs>(std::move(right));
  message.insert(message.end(), rest.begin(), rest.end());
  return sha256_number(cs, std::move(message));
}

}  // namespace belfry::gadgets
