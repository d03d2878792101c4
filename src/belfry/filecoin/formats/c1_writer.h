#pragma once

#include <string>

#include "belfry/filecoin/formats/vanilla_proof.h"

namespace belfry::filecoin {

/// The JSON of a C1 output, byte for byte as the reference writes it (formats.md 5.2): compact,
/// keys in its order. Without a registered proof it is the inner structure. Cost: about a
/// nanosecond a byte.
[[nodiscard]] std::string write_c1(const C1Output& c1);

}  // namespace belfry::filecoin
