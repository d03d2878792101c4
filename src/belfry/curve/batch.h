#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "belfry/curve/weierstrass.h"
#include "belfry/field/batch_invert.h"

namespace belfry::curve {

/// out[i] = affine form of in[i]; infinity becomes x = y = 0.
///
/// @param in, out of one length; they do not overlap
///
/// Cost: one inversion for the whole span, three multiplications a point for it, then 3M + 1S.
/// Single-threaded: callers that own an Executor cut the spans (a block of about 2^10 points hides
/// the inversion). Thread-safe on separate spans.
template <class Curve>
void batch_to_affine(std::span<const Jacobian<Curve>> in, std::span<Affine<Curve>> out) {
  std::vector<typename Curve::Field> inverses(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) inverses[i] = in[i].z;
  field::batch_invert(std::span(inverses));
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i].to_affine(inverses[i]);
}

/// The same from XYZZ coordinates.
template <class Curve>
void batch_to_affine(std::span<const Xyzz<Curve>> in, std::span<Affine<Curve>> out) {
  std::vector<typename Curve::Field> inverses(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) inverses[i] = in[i].zzz;
  field::batch_invert(std::span(inverses));
  for (std::size_t i = 0; i < in.size(); ++i) out[i] = in[i].to_affine(inverses[i]);
}

}  // namespace belfry::curve
