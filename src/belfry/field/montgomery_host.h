#pragma once

#include <array>
#include <cstdint>

// What MontgomeryField calls on a CPU, outside constant expressions. Defined out of line on
// purpose: files compiled for one instruction set include montgomery.h too, and a function they
// could emit themselves might be the copy that the linker keeps for everyone.

namespace belfry::field::host {

template <class Params>
using Limbs = std::array<std::uint64_t, Params::kLimbs>;

/// a·b/R mod p, canonical. Chooses between ADX and portable text by CPU; both give the same bits.
/// `Params` is FrParams or FpParams here and below. Thread-safe.
template <class Params>
[[nodiscard]] Limbs<Params> multiply(const Limbs<Params>& a, const Limbs<Params>& b) noexcept;

/// R²/a mod p, which is the Montgomery form of 1/x for the form a of x; 0 for 0. Variable time:
/// about 13 (Fp) or 9 (Fr) rounds of 62 division steps. Source: Bernstein, Yang, "Fast
/// constant-time gcd computation and modular inversion", 2019, section 11, with runs of zeros
/// skipped.
template <class Params>
[[nodiscard]] Limbs<Params> invert(const Limbs<Params>& a) noexcept;

}  // namespace belfry::field::host
