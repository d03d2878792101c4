#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/keygen/test_files.h"
#include "belfry/groth16/work.h"
#include "belfry/msm/fixed_base.h"

namespace belfry::groth16 {

/// Turns scalars into multiples of a generator, chunk by chunk, and appends them to the open
/// section of a file. `Curve` is curve::G1 or curve::G2. Not thread-safe.
template <class Curve>
class SectionStream {
 public:
  static constexpr std::size_t kChunk = 1 << 16;

  /// The referents outlive the stream.
  SectionStream(const msm::FixedBase<Curve>& base, SectionPrinter& printer, const WorkView& work)
      : base_(base), printer_(printer), work_(work) {}

  /// Appends scalars[i]·generator for every non-zero scalar: identities are left out (spec
  /// formats.md 2.4). Whole chunks are written; see `flush`.
  Result<void> append(std::span<const Fr> scalars) {
    for (const Fr& scalar : scalars) {
      if (scalar.is_zero()) continue;
      pending_.push_back(scalar);
      if (pending_.size() == kChunk) BELFRY_CHECK(flush());
    }
    return {};
  }

  /// Writes what is left. kCancelled between chunks.
  Result<void> flush() {
    BELFRY_CHECK(work_.cancel.check("groth16.keygen"));
    points_.resize(pending_.size());
    BELFRY_CHECK(base_.multiply(pending_, points_, work_.executor));
    pending_.clear();
    return printer_.append(std::span<const Affine>(points_));
  }

 private:
  using Affine = typename Curve::Affine;

  const msm::FixedBase<Curve>& base_;
  SectionPrinter& printer_;
  const WorkView& work_;
  std::vector<Fr> pending_;
  std::vector<Affine> points_;
};

}  // namespace belfry::groth16
