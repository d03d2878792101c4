#include "belfry/groth16/aggregate/transcript.h"

#include <array>

#include "belfry/curve/encoding.h"
#include "belfry/curve/gt_encoding.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kTranscriptDomain = "snarkpack-v1";

}  // namespace

Transcript::Transcript(std::string_view tag) {
  hash_.update(as_bytes(kTranscriptDomain)).update(as_bytes(tag));
}

Transcript& Transcript::add(const Fr& value) {
  hash_.update(FrBytes(value).bytes());
  return *this;
}

Transcript& Transcript::add(const curve::G1Affine& point) {
  hash_.update(curve::encode_compressed(point));
  return *this;
}

Transcript& Transcript::add(const curve::G2Affine& point) {
  hash_.update(curve::encode_compressed(point));
  return *this;
}

Transcript& Transcript::add(const curve::Gt& value) {
  hash_.update(curve::encode(value));
  return *this;
}

Transcript& Transcript::add(ByteSpan bytes) {
  std::array<std::uint8_t, sizeof(std::uint64_t)> length{};
  store_le(length.data(), std::uint64_t{bytes.size()});
  hash_.update(length).update(bytes);
  return *this;
}

Fr Transcript::challenge() {
  constexpr std::uint8_t kLowBits = 0x7f;
  for (std::uint64_t counter = 1;; ++counter) {
    std::array<std::uint8_t, sizeof(counter)> bytes{};
    store_be(bytes.data(), counter);
    Bytes32 digest = hash_.update(bytes).peek();
    digest.back() &= kLowBits;
    const auto value = FrBytes::parse_fr(digest);
    if (value && !value->is_zero() && *value != Fr::one()) return *value;
  }
}

}  // namespace belfry::groth16
