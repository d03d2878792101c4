#pragma once

#include "belfry/base/platform.h"

namespace belfry::curve {

/// A point of y² = x³ + b in affine coordinates. Infinity is x = y = 0, which is never on a curve
/// with b != 0. `Curve` is G1 or G2 (g1.h, g2.h). A value; thread-safe.
template <class Curve>
struct Affine {
  using Group = Curve;
  using Field = typename Curve::Field;

  Field x{};
  Field y{};

  BELFRY_HD static constexpr Affine infinity() noexcept { return {}; }
  BELFRY_HD static constexpr Affine generator() noexcept { return Curve::generator(); }
  [[nodiscard]] BELFRY_HD constexpr bool is_infinity() const noexcept {
    return x.is_zero() && y.is_zero();
  }
  BELFRY_HD friend constexpr bool operator==(const Affine&, const Affine&) noexcept = default;
  BELFRY_HD constexpr Affine operator-() const noexcept { return {x, -y}; }
  /// True for infinity and for points that satisfy the equation; says nothing about the subgroup.
  [[nodiscard]] BELFRY_HD constexpr bool is_on_curve() const noexcept {
    return is_infinity() || y.square() == x.square() * x + Curve::b();
  }
};

/// A point in Jacobian coordinates: x/z², y/z³; z = 0 is infinity. Additions are complete: equal,
/// opposite and infinite operands give the right sum. Best for chains of doublings.
template <class Curve>
struct Jacobian {
  using Group = Curve;
  using Field = typename Curve::Field;

  Field x{};
  Field y{};
  Field z{};

  BELFRY_HD static constexpr Jacobian infinity() noexcept { return {}; }
  BELFRY_HD static constexpr Jacobian from_affine(const Affine<Curve>& p) noexcept {
    return p.is_infinity() ? Jacobian{} : Jacobian{p.x, p.y, Field::one()};
  }
  [[nodiscard]] BELFRY_HD constexpr bool is_infinity() const noexcept { return z.is_zero(); }
  /// Equality of points, not of coordinates.
  BELFRY_HD friend constexpr bool operator==(const Jacobian& p, const Jacobian& q) noexcept {
    if (p.is_infinity() || q.is_infinity()) return p.is_infinity() == q.is_infinity();
    const Field pzz = p.z.square();
    const Field qzz = q.z.square();
    return p.x * qzz == q.x * pzz && p.y * (qzz * q.z) == q.y * (pzz * p.z);
  }
  BELFRY_HD constexpr Jacobian operator-() const noexcept { return {x, -y, z}; }

  /// 2P: 2M + 5S. Source: "dbl-2009-l" of the Explicit-Formulas Database (a = 0).
  [[nodiscard]] BELFRY_HD constexpr Jacobian doubled() const noexcept {
    const Field xx = x.square();
    const Field yy = y.square();
    const Field yyyy = yy.square();
    const Field s = ((x + yy).square() - xx - yyyy).doubled();
    const Field m = xx.doubled() + xx;
    const Field x3 = m.square() - s.doubled();
    const Field y3 = m * (s - x3) - yyyy.doubled().doubled().doubled();
    return {x3, y3, (y * z).doubled()};
  }
  /// P + Q: 12M + 4S.
  BELFRY_HD friend constexpr Jacobian operator+(const Jacobian& p, const Jacobian& q) noexcept {
    if (p.is_infinity()) return q;
    if (q.is_infinity()) return p;
    const Field pzz = p.z.square();
    const Field qzz = q.z.square();
    const Chord chord{p.x * qzz, p.y * (q.z * qzz), q.x * pzz, q.y * (p.z * pzz)};
    return add_over_common_z(p, chord, p.z * q.z);
  }
  /// P + Q with Q affine: 8M + 3S.
  BELFRY_HD friend constexpr Jacobian operator+(const Jacobian& p,
                                                const Affine<Curve>& q) noexcept {
    if (q.is_infinity()) return p;
    if (p.is_infinity()) return from_affine(q);
    const Field pzz = p.z.square();
    const Chord chord{p.x, p.y, q.x * pzz, q.y * (p.z * pzz)};
    return add_over_common_z(p, chord, p.z);
  }
  BELFRY_HD friend constexpr Jacobian operator-(const Jacobian& p, const Jacobian& q) noexcept {
    return p + (-q);
  }
  BELFRY_HD friend constexpr Jacobian operator-(const Jacobian& p,
                                                const Affine<Curve>& q) noexcept {
    return p + (-q);
  }
  BELFRY_HD constexpr Jacobian& operator+=(const Jacobian& q) noexcept { return *this = *this + q; }
  BELFRY_HD constexpr Jacobian& operator+=(const Affine<Curve>& q) noexcept {
    return *this = *this + q;
  }

  /// One inversion in the field; for many points use batch_to_affine (batch.h).
  [[nodiscard]] BELFRY_HD constexpr Affine<Curve> to_affine() const noexcept {
    return to_affine(z.inverse());
  }
  /// The same when 1/z is already known (0 for infinity).
  [[nodiscard]] BELFRY_HD constexpr Affine<Curve> to_affine(const Field& z_inverse) const noexcept {
    const Field zz = z_inverse.square();
    return {x * zz, y * (zz * z_inverse)};
  }

 private:
  /// Both points scaled to one denominator: x1/z², y1/z³ and x2/z², y2/z³.
  struct Chord {
    Field x1, y1, x2, y2;
  };
  BELFRY_HD static constexpr Jacobian add_over_common_z(const Jacobian& p, const Chord& c,
                                                        const Field& z) noexcept {
    const Field h = c.x2 - c.x1;
    const Field r = c.y2 - c.y1;
    if (h.is_zero()) return r.is_zero() ? p.doubled() : infinity();
    const Field hh = h.square();
    const Field hhh = hh * h;
    const Field v = c.x1 * hh;
    const Field x3 = r.square() - hhh - v.doubled();
    return {x3, r * (v - x3) - c.y1 * hhh, z * h};
  }
};

/// A point in XYZZ coordinates: x/zz, y/zzz with zz³ = zzz²; zz = 0 is infinity. The cheapest mixed
/// addition without an inversion, so the form of buckets. Additions are complete.
template <class Curve>
struct Xyzz {
  using Group = Curve;
  using Field = typename Curve::Field;

  Field x{};
  Field y{};
  Field zz{};
  Field zzz{};

  BELFRY_HD static constexpr Xyzz infinity() noexcept { return {}; }
  BELFRY_HD static constexpr Xyzz from_affine(const Affine<Curve>& p) noexcept {
    return p.is_infinity() ? Xyzz{} : Xyzz{p.x, p.y, Field::one(), Field::one()};
  }
  BELFRY_HD static constexpr Xyzz from_jacobian(const Jacobian<Curve>& p) noexcept {
    const Field zz = p.z.square();
    return {p.x, p.y, zz, zz * p.z};
  }
  [[nodiscard]] BELFRY_HD constexpr bool is_infinity() const noexcept { return zz.is_zero(); }
  /// Equality of points, not of coordinates.
  BELFRY_HD friend constexpr bool operator==(const Xyzz& p, const Xyzz& q) noexcept {
    if (p.is_infinity() || q.is_infinity()) return p.is_infinity() == q.is_infinity();
    return p.x * q.zz == q.x * p.zz && p.y * q.zzz == q.y * p.zzz;
  }
  BELFRY_HD constexpr Xyzz operator-() const noexcept { return {x, -y, zz, zzz}; }

  /// 2P: 6M + 3S. Source: "dbl-2008-s-1" of the Explicit-Formulas Database (a = 0).
  [[nodiscard]] BELFRY_HD constexpr Xyzz doubled() const noexcept {
    const Field u = y.doubled();
    const Field v = u.square();
    const Field w = u * v;
    const Field s = x * v;
    const Field xx = x.square();
    const Field m = xx.doubled() + xx;
    const Field x3 = m.square() - s.doubled();
    return {x3, m * (s - x3) - w * y, v * zz, w * zzz};
  }
  /// P + Q: 12M + 2S. Source: "add-2008-s".
  BELFRY_HD friend constexpr Xyzz operator+(const Xyzz& p, const Xyzz& q) noexcept {
    if (p.is_infinity()) return q;
    if (q.is_infinity()) return p;
    const Field x1 = p.x * q.zz;
    const Field y1 = p.y * q.zzz;
    const Field h = q.x * p.zz - x1;
    const Field r = q.y * p.zzz - y1;
    if (h.is_zero()) return r.is_zero() ? p.doubled() : infinity();
    const Field hh = h.square();
    const Field hhh = h * hh;
    const Field v = x1 * hh;
    const Field x3 = r.square() - hhh - v.doubled();
    return {x3, r * (v - x3) - y1 * hhh, p.zz * q.zz * hh, p.zzz * q.zzz * hhh};
  }
  /// P + Q with Q affine: 8M + 2S. Source: "madd-2008-s".
  BELFRY_HD friend constexpr Xyzz operator+(const Xyzz& p, const Affine<Curve>& q) noexcept {
    if (q.is_infinity()) return p;
    if (p.is_infinity()) return from_affine(q);
    const Field h = q.x * p.zz - p.x;
    const Field r = q.y * p.zzz - p.y;
    if (h.is_zero()) return r.is_zero() ? p.doubled() : infinity();
    const Field hh = h.square();
    const Field hhh = h * hh;
    const Field v = p.x * hh;
    const Field x3 = r.square() - hhh - v.doubled();
    return {x3, r * (v - x3) - p.y * hhh, p.zz * hh, p.zzz * hhh};
  }
  BELFRY_HD friend constexpr Xyzz operator-(const Xyzz& p, const Affine<Curve>& q) noexcept {
    return p + (-q);
  }
  BELFRY_HD friend constexpr Xyzz operator-(const Xyzz& p, const Xyzz& q) noexcept {
    return p + (-q);
  }
  BELFRY_HD constexpr Xyzz& operator+=(const Xyzz& q) noexcept { return *this = *this + q; }
  BELFRY_HD constexpr Xyzz& operator+=(const Affine<Curve>& q) noexcept {
    return *this = *this + q;
  }

  /// The same point over the denominator z = zz: (x·zz, y·zzz, zz), without an inversion.
  [[nodiscard]] BELFRY_HD constexpr Jacobian<Curve> to_jacobian() const noexcept {
    return {x * zz, y * zzz, zz};
  }
  /// One inversion in the field; for many points use batch_to_affine (batch.h).
  [[nodiscard]] BELFRY_HD constexpr Affine<Curve> to_affine() const noexcept {
    return to_affine(zzz.inverse());
  }
  /// The same when 1/zzz is already known (0 for infinity).
  [[nodiscard]] BELFRY_HD constexpr Affine<Curve> to_affine(
      const Field& zzz_inverse) const noexcept {
    const Field z_inverse = zzz_inverse * zz;
    return {x * z_inverse.square(), y * zzz_inverse};
  }
};

}  // namespace belfry::curve
