#pragma once

#include "belfry/field/fp_gen.h"
#include "belfry/field/montgomery.h"

namespace belfry {

/// The base field of BLS12-381, in Montgomery form (spec formats.md 0).
using Fp = field::MontgomeryField<field::FpParams>;

}  // namespace belfry
