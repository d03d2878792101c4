#pragma once

#include <type_traits>

#include "belfry/gadgets/uint32_bits.h"
#include "belfry/gadgets/uint32_words.h"

namespace belfry::gadgets {

/// A 32-bit integer of a circuit: 32 Booleans, bit 0 least significant. Two forms with the same
/// members: a list of Booleans where shapes are recorded, machine words where values are computed.
/// Source: spec gadgets.md 6.1, 6.2.
///
///   constant(v), alloc(cs, v), from_bits_be(span of 32)      make one
///   rotr(k), shr(k), append_bits_be(list)                    emit nothing
///   xor_of(cs, a, b), ch_of(cs, a, b, c), maj_of(cs, a, b, c)  bit by bit, least significant first
///   add_many(multi_eq, operands)                             the sum modulo 2^32
template <class Cs>
using Uint32 = std::conditional_t<Cs::kComputesValues, Uint32Words<Cs>, Uint32Bits<Cs>>;

}  // namespace belfry::gadgets
