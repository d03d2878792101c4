#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/curve/encoding.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/params/writer.h"
#include "belfry/groth16/work.h"
#include "belfry/msm/fixed_base.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {

/// Turns scalars into encoded multiples of a generator, chunk by chunk, and appends them to the
/// open section of a file. `Curve` is curve::G1 or curve::G2. Not thread-safe.
template <class Curve>
class SectionStream {
 public:
  static constexpr std::size_t kChunk = 1 << 16;

  /// The referents outlive the stream.
  SectionStream(const msm::FixedBase<Curve>& base, ParametersWriter& writer, const WorkView& work,
                trace::Span& span)
      : base_(base), writer_(writer), work_(work), span_(span) {}

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
    constexpr std::size_t kGrain = 1 << 10;
    BELFRY_CHECK(work_.cancel.check("groth16.keygen"));
    points_.resize(pending_.size());
    BELFRY_CHECK(base_.multiply(pending_, points_, work_.executor));
    bytes_.resize(points_.size() * kPointBytes);
    work_.executor.parallel_for(points_.size(), kGrain, [this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        const auto encoded = curve::encode(points_[i]);
        std::copy(encoded.begin(), encoded.end(), bytes_.data() + i * kPointBytes);
      }
    });
    BELFRY_CHECK(writer_.append(bytes_, work_.executor));
    span_.advance(points_.size());
    pending_.clear();
    return {};
  }

 private:
  using Affine = typename Curve::Affine;
  static constexpr std::size_t kPointBytes = curve::kUncompressedSize<Affine>;

  const msm::FixedBase<Curve>& base_;
  ParametersWriter& writer_;
  const WorkView& work_;
  trace::Span& span_;
  std::vector<Fr> pending_;
  std::vector<Affine> points_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace belfry::groth16
