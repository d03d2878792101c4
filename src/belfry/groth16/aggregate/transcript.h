#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/curve/pairing.h"
#include "belfry/field/fr.h"
#include "belfry/hash/sha256.h"

namespace belfry::groth16 {

/// One challenge of SnarkPack: SHA-256 over "snarkpack-v1" ‖ tag ‖ elements (spec formats.md 9.3).
/// Elements enter without framing: field elements as 32 bytes little-endian, points compressed,
/// pairing values as 576 bytes. One thread at a time.
class Transcript {
 public:
  explicit Transcript(std::string_view tag);

  Transcript& add(const Fr& value);
  Transcript& add(const curve::G1Affine& point);
  Transcript& add(const curve::G2Affine& point);
  Transcript& add(const curve::Gt& value);
  /// A string of any length: its length as u64 little-endian, then its bytes.
  Transcript& add(ByteSpan bytes);

  /// The first digest, over the elements and a growing counter (1, 2, ... as u64 big-endian, each
  /// appended to the last), that is below r and neither zero nor one when its top bit is cleared
  /// and it is read little-endian. Called once.
  [[nodiscard]] Fr challenge();

 private:
  hash::Sha256 hash_;
};

}  // namespace belfry::groth16
