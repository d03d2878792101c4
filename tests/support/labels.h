#pragma once

#include <string>

#include "belfry/base/bytes.h"
#include "belfry/field/fr.h"
#include "belfry/hash/sha256.h"

namespace belfry::test {

/// The element of a label (tests/vectors/README.md). For tests that link belfry_hash.
inline Fr labelled(const std::string& text) {
  constexpr std::uint8_t kBelowTheModulus = 0x3f;
  Bytes32 bytes = hash::sha256(as_bytes(text));
  bytes.back() &= kBelowTheModulus;
  return FrBytes::parse_fr(bytes).value();
}

}  // namespace belfry::test
