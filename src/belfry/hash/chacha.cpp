#include "belfry/hash/chacha.h"

#include <algorithm>
#include <bit>

#include "belfry/base/assert.h"

namespace belfry::hash {
namespace {

using State = std::array<std::uint32_t, 16>;

constexpr std::size_t kKeyWord = 4;
constexpr std::size_t kCounterWord = 12;
constexpr std::size_t kNonceWord = 13;
constexpr unsigned kHalfWordBits = 32;

void quarter_round(State& x, std::size_t a, std::size_t b, std::size_t c, std::size_t d) noexcept {
  // NOLINTBEGIN(readability-magic-numbers): rotations of RFC 8439, 2.1
  x[a] += x[b];
  x[d] = std::rotl(x[d] ^ x[a], 16);
  x[c] += x[d];
  x[b] = std::rotl(x[b] ^ x[c], 12);
  x[a] += x[b];
  x[d] = std::rotl(x[d] ^ x[a], 8);
  x[c] += x[d];
  x[b] = std::rotl(x[b] ^ x[c], 7);
  // NOLINTEND(readability-magic-numbers)
}

/// Mixes the four columns, then the four diagonals.
void double_round(State& x) noexcept {
  constexpr std::array<std::size_t, 4> kRows{0, 4, 8, 12};
  const auto [a, b, c, d] = kRows;
  for (std::size_t i = 0; i < 4; ++i) quarter_round(x, a + i, b + i, c + i, d + i);
  for (std::size_t i = 0; i < 4; ++i) {
    quarter_round(x, a + i, b + (i + 1) % 4, c + (i + 2) % 4, d + (i + 3) % 4);
  }
}

}  // namespace

ChaCha::ChaCha(const Bytes32& key, unsigned double_rounds, bool wide_counter) noexcept
    : double_rounds_(double_rounds), wide_counter_(wide_counter) {
  const ByteSpan constant = as_bytes("expand 32-byte k");
  for (std::size_t i = 0; i < kKeyWord; ++i) {
    state_[i] = load_le<std::uint32_t>(constant.data() + 4 * i);
  }
  for (std::size_t i = 0; i < key.size() / 4; ++i) {
    state_[kKeyWord + i] = load_le<std::uint32_t>(key.data() + 4 * i);
  }
}

ChaCha ChaCha::chacha8(const Bytes32& key) noexcept { return {key, 4, true}; }

ChaCha ChaCha::chacha20(const Bytes32& key, const Nonce& nonce) noexcept {
  constexpr unsigned kDoubleRounds = 10;
  ChaCha stream(key, kDoubleRounds, false);
  for (std::size_t i = 0; i < nonce.size() / 4; ++i) {
    stream.state_[kNonceWord + i] = load_le<std::uint32_t>(nonce.data() + 4 * i);
  }
  return stream;
}

void ChaCha::make_block() noexcept {
  state_[kCounterWord] = static_cast<std::uint32_t>(next_block_);
  const auto high = static_cast<std::uint32_t>(next_block_ >> kHalfWordBits);
  if (wide_counter_) {
    state_[kCounterWord + 1] = high;
  } else {
    BELFRY_ASSERT(high == 0, "a ChaCha20 stream ends after 2^32 blocks");
  }
  State mixed = state_;
  for (unsigned i = 0; i < double_rounds_; ++i) double_round(mixed);
  for (std::size_t i = 0; i < mixed.size(); ++i) {
    store_le(block_.data() + 4 * i, mixed[i] + state_[i]);
  }
  ++next_block_;
  used_ = 0;
}

void ChaCha::seek(std::uint64_t offset) noexcept {
  next_block_ = offset / kBlockBytes;
  used_ = kBlockBytes;
  const std::size_t inside = offset % kBlockBytes;
  if (inside == 0) return;
  make_block();
  used_ = inside;
}

void ChaCha::read(std::span<std::uint8_t> out) noexcept {
  while (!out.empty()) {
    if (used_ == kBlockBytes) make_block();
    const std::size_t size = std::min(out.size(), kBlockBytes - used_);
    std::copy_n(block_.begin() + static_cast<std::ptrdiff_t>(used_), size, out.begin());
    used_ += size;
    out = out.subspan(size);
  }
}

std::uint32_t ChaCha::next_u32() noexcept {
  std::array<std::uint8_t, sizeof(std::uint32_t)> bytes{};
  read(bytes);
  return load_le<std::uint32_t>(bytes.data());
}

std::uint64_t ChaCha::next_u64() noexcept {
  std::array<std::uint8_t, sizeof(std::uint64_t)> bytes{};
  read(bytes);
  return load_le<std::uint64_t>(bytes.data());
}

}  // namespace belfry::hash
