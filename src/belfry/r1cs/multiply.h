#pragma once

#include <span>

#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// out[j] = <row j of the matrix, z> for all rows of the whole system, then the appended input
/// rows: for A out[constraints + i] = input_i, for B and C zero there.
///
/// @param witness  has the layout of the shape
/// @param out      shape.rows() elements, or more: what follows is set to zero (a domain's padding)
/// @return kInvalidUsage if layouts or lengths do not fit
///
/// Bits cost one addition a term, no multiplication. Parts are cut into pieces that run in
/// parallel; the result does not depend on how. Thread-safe. Workspace: a bitmap of each part's
/// aux. Source: spec gadgets.md 2.1.
[[nodiscard]] Result<void> multiply(const Shape& shape, Matrix matrix, const PackedWitness& witness,
                                    std::span<Fr> out, const Executor& executor);

/// The transposed product: for every variable the sum over all rows of coefficient · weights[row],
/// as key generation needs it with weights L_j(tau).
///
/// @param weights  shape.rows() elements, the appended input rows included
/// @param inputs   shape.inputs() elements, overwritten
/// @param aux      shape.aux() elements, overwritten
/// @return kInvalidUsage if lengths do not fit
///
/// Blocks run in parallel; the result does not depend on how. Thread-safe. Source: spec gadgets.md
/// 2.1, 2.2.
[[nodiscard]] Result<void> accumulate_columns(const Shape& shape, Matrix matrix,
                                              std::span<const Fr> weights, std::span<Fr> inputs,
                                              std::span<Fr> aux, const Executor& executor);

}  // namespace belfry::r1cs
