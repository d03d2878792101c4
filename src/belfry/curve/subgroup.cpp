#include "belfry/curve/subgroup.h"

#include <bit>

#include "belfry/curve/curve_gen.h"

namespace belfry::curve {
namespace {

/// [|z|]P by double and add, since |z| has six bits set. `start` is the point in Jacobian
/// coordinates, `addend` the same point in whichever form adds best.
template <class Curve, class Addend>
Jacobian<Curve> times_seed(const Jacobian<Curve>& start, const Addend& addend) noexcept {
  Jacobian<Curve> out = start;
  for (int bit = std::bit_width(kSeedMagnitude) - 1; bit-- > 0;) {
    out = out.doubled();
    if (((kSeedMagnitude >> bit) & 1) != 0) out += addend;
  }
  return out;
}
template <class Curve>
Jacobian<Curve> times_seed(const Affine<Curve>& point) noexcept {
  return times_seed(Jacobian<Curve>::from_affine(point), point);
}

/// Whether a point in Jacobian coordinates is this affine one, without an inversion.
template <class Curve>
bool equals(const Jacobian<Curve>& p, const Affine<Curve>& q) noexcept {
  return p == Jacobian<Curve>::from_affine(q);
}

}  // namespace

G1Affine endomorphism(const G1Affine& point) noexcept { return {point.x * kBeta, point.y}; }

G2Affine psi(const G2Affine& point) noexcept {
  return {point.x.conjugate() * kPsiX, point.y.conjugate() * kPsiY};
}

bool in_subgroup(const G1Affine& point) noexcept {
  const G1Jacobian once = times_seed(point);
  return equals(-times_seed(once, once), endomorphism(point));
}

bool in_subgroup(const G2Affine& point) noexcept { return equals(-times_seed(point), psi(point)); }

}  // namespace belfry::curve
