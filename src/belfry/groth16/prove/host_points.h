#pragma once

#include <array>
#include <cstdint>

#include "belfry/base/bytes.h"
#include "belfry/groth16/params/params.h"

namespace belfry::groth16 {

/// The points of a proof in host memory, from where devices take them. A view.
struct HostPoints {
  /// Points of each section, one after the other: curve::Affine as it lies in memory, or encoded as
  /// in a parameter file.
  std::array<ByteSpan, kSections> sections{};
  const Parameters* encoded_in = nullptr;  ///< the file, if they are encoded

  [[nodiscard]] static HostPoints of(const Parameters& parameters) noexcept {
    HostPoints out;
    for (std::size_t i = 0; i < kSections; ++i) {
      out.sections[i] = parameters.section_bytes(static_cast<Section>(i));
    }
    out.encoded_in = &parameters;
    return out;
  }
  [[nodiscard]] ByteSpan of(Section section) const noexcept {
    return sections[static_cast<std::size_t>(section)];
  }
};

}  // namespace belfry::groth16
