#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/work.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// Compares derived points with those that they were made from, on the host: a wrong file costs
/// every proof its second try.
///
/// A, B1 and B2 are decoded and compared. For H and L one random combination of both,
///
///     Σ_j u_j·H'_j + Σ_v w_v·L'_v = Σ_k q_k·H_k + Σ_v w_v·L_v
///
/// with u_j = rho^(j+1) at the place j of the file and w_v = sigma^(v+1), rho and sigma drawn from
/// the operating system, and q_k what both say of the points of the file of parameters: (2^32 / m)
/// times the inverse transform of u, less k/m times that of C·w. Points that differ pass with
/// probability 2^28/r at most, if they lie in the group of order r.
///
/// @return kInvalidInput, with the file of derived points and the section, if they differ; errors
///         of the parameters' points; kCancelled
///
/// Cost: sums of all points of H and L twice, two transforms, all points decoded: about a tenth of
/// deriving them. Memory: derived_check_bytes.
[[nodiscard]] Result<void> check_derived_points(const DerivedParameters& derived,
                                                const Parameters& parameters,
                                                const r1cs::Shape& shape, const WorkView& work);

/// Bytes of the two lists of field elements that the check holds at once.
[[nodiscard]] std::uint64_t derived_check_bytes(const r1cs::Shape& shape) noexcept;

}  // namespace belfry::groth16
