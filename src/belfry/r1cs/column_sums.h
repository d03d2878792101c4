#pragma once

#include <cstdint>
#include <span>

#include "belfry/field/fr.h"
#include "belfry/r1cs/shape.h"

/// The transposed product of `accumulate_columns` part by part, for those who can not hold the sums
/// of all variables at once.
namespace belfry::r1cs {

/// special[i] and aux[i] = Σ over the rows of block `block`, or of the header, of coefficient ·
/// weights[row], where special are the part's slots and then its inputs.
///
/// @param weights  one for each constraint of the part
/// @param special  as many as the part has slots and inputs; overwritten, as is `aux`
///
/// One thread. Appended input rows belong to no part. Thread-safe.
void accumulate_header(const Shape& shape, Matrix matrix, std::span<const Fr> weights,
                       std::span<Fr> special, std::span<Fr> aux);
void accumulate_block(const Shape& shape, Matrix matrix, std::span<const Fr> weights,
                      std::span<Fr> special, std::span<Fr> aux);

/// Hands what a block found for its slots to the header's variables behind them, and what it found
/// for its inputs to their place: header_aux += ..., inputs += ... for those of the header.
///
/// @param special     of accumulate_block for block `block`
/// @param inputs      all of the shape
/// @param header_aux  those of the header
void add_block_special(const Shape& shape, std::uint64_t block, std::span<const Fr> special,
                       std::span<Fr> inputs, std::span<Fr> header_aux);

}  // namespace belfry::r1cs
