#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/base/large_array.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/work.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// The m − 1 coefficients of (A·B − C)/Z for a witness (spec formats.md 2.2) in natural order, then
/// one zero. C is not multiplied out: the rows are taken as satisfied, c = a∘b, so a wrong witness
/// gives a proof that does not verify. kInvalidInput for a domain above 2^31, kResourceExhausted
/// without memory, else as r1cs::multiply.
[[nodiscard]] Result<LargeArray<Fr>> quotient_coefficients(const r1cs::Shape& shape,
                                                           const r1cs::PackedWitness& witness,
                                                           const WorkView& work);

/// Most bytes that it holds: three vectors of the domain's size.
[[nodiscard]] std::uint64_t quotient_bytes(const r1cs::Shape& shape);

}  // namespace belfry::groth16
