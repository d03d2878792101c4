#pragma once

#include <cstddef>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"

namespace belfry::groth16 {

/// A uniform element from the operating system: draws of 255 bits until one is below r. Secret
/// where the caller keeps it so.
[[nodiscard]] Result<Fr> draw_scalar();

/// Uniform weights below 2^128 from the operating system, for a random combination of claims: a
/// false one passes with probability 2^-128.
[[nodiscard]] Result<std::vector<Fr>> draw_weights(std::size_t count);

}  // namespace belfry::groth16
