#pragma once

#include <cstdint>
#include <optional>

namespace belfry::reference {

/// Chord and tangent on y² = x³ + b, in affine coordinates over any field; infinity is a case of
/// its own. `b` plays no part in the formulas.
template <class Field>
struct SlowPoint {
  struct Finite {
    Field x, y;
    friend bool operator==(const Finite&, const Finite&) = default;
  };
  std::optional<Finite> at{};

  static SlowPoint infinity() { return {}; }
  friend bool operator==(const SlowPoint&, const SlowPoint&) = default;
  SlowPoint operator-() const { return at ? SlowPoint{Finite{at->x, -at->y}} : SlowPoint{}; }
  friend SlowPoint operator+(const SlowPoint& p, const SlowPoint& q) {
    if (!p.at) return q;
    if (!q.at) return p;
    if (p == -q) return infinity();
    const Field slope = p == q
                            ? Field::from_u64(3) * p.at->x * p.at->x * (p.at->y + p.at->y).inverse()
                            : (q.at->y - p.at->y) * (q.at->x - p.at->x).inverse();
    const Field x = slope * slope - p.at->x - q.at->x;
    return {Finite{x, slope * (p.at->x - x) - p.at->y}};
  }
};

}  // namespace belfry::reference
