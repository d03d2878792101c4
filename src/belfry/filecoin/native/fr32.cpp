#include "belfry/filecoin/native/fr32.h"

#include <algorithm>
#include <array>

#include "belfry/filecoin/native/node_file.h"

namespace belfry::filecoin {
namespace {

/// A node begins inside a byte, so it reaches into 33 of them.
constexpr std::size_t kWindowBytes = kNodeBytes + 1;

/// The 254 bits from bit `shift` of the window on.
Node cut_node(const std::uint8_t* window, unsigned shift) noexcept {
  constexpr std::uint8_t kLowBits = 0x3f;
  Bytes32 bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const unsigned pair = window[i] | (unsigned{window[i + 1]} << 8U);
    bytes[i] = static_cast<std::uint8_t>(pair >> shift);
  }
  bytes.back() &= kLowBits;
  return known_node(bytes);
}

}  // namespace

void fr32_pad(ByteSpan data, std::uint64_t first, std::span<Node> out) noexcept {
  for (std::size_t i = 0; i < out.size(); ++i) {
    const std::uint64_t bit = kFr32NodeBits * (first + i);
    const std::uint64_t begin = bit / 8;
    const auto shift = static_cast<unsigned>(bit % 8);
    if (begin + kWindowBytes <= data.size()) {
      out[i] = cut_node(data.data() + begin, shift);
      continue;
    }
    std::array<std::uint8_t, kWindowBytes> window{};
    if (begin < data.size()) std::ranges::copy(data.subspan(begin), window.begin());
    out[i] = cut_node(window.data(), shift);
  }
}

LeafSource fr32_leaves(ByteSpan data) {
  return [data](std::uint64_t first, std::span<Node> out) -> Result<void> {
    fr32_pad(data, first, out);
    return {};
  };
}

}  // namespace belfry::filecoin
