#pragma once

#include "belfry/base/error.h"
#include "belfry/field/fr.h"

namespace belfry::groth16 {

/// A uniform element from the operating system: draws of 255 bits until one is below r. Secret
/// where the caller keeps it so.
[[nodiscard]] Result<Fr> draw_scalar();

}  // namespace belfry::groth16
