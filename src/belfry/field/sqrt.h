#pragma once

#include <optional>

#include "belfry/field/fp.h"
#include "belfry/field/fp2.h"
#include "belfry/field/fr.h"

namespace belfry::field {

/// A y with y² = x, one of two; empty if there is none; 0 for 0. Variable time; thread-safe.
/// Fp: one power, since p = 3 mod 4.
[[nodiscard]] std::optional<Fp> sqrt(const Fp& x) noexcept;
/// Fp2: two powers in Fp when there is a root (complex method; Scott, eprint 2020/1497, section 6).
[[nodiscard]] std::optional<Fp2> sqrt(const Fp2& x) noexcept;
/// Fr: Tonelli and Shanks over the 2^32 subgroup.
[[nodiscard]] std::optional<Fr> sqrt(const Fr& x) noexcept;

}  // namespace belfry::field
