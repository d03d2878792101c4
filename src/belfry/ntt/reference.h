#pragma once

#include <span>

#include "belfry/field/fr.h"

namespace belfry::ntt {

/// The transform as a textbook has it, which everything else in this room is compared with:
/// out[i] = sum_j x[j] · omega^(i·j), in place, natural order on both sides, by splitting into even
/// and odd indices. The length is a power of two and the order of omega. n·log2(n)
/// multiplications on one thread and n elements of memory.
void reference_transform(std::span<Fr> x, const Fr& omega);

}  // namespace belfry::ntt
