#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "belfry/base/bytes.h"

namespace belfry::hash {

/// A ChaCha keystream, read front to back or from any place.
///
/// Two layouts of the counter words are in use (spec circuits.md 2.2): ChaCha8 as a random
/// generator, with a 64-bit block counter and a zero nonce, and ChaCha20 after RFC 8439, with a
/// 32-bit block counter (so 256 GiB of stream; reading past it is a bug of the caller) and a 96-bit
/// nonce. Both count from 0. A value; copies go on independently. Does not allocate.
class ChaCha {
 public:
  static constexpr std::size_t kNonceSize = 12;
  using Nonce = std::array<std::uint8_t, kNonceSize>;

  [[nodiscard]] static ChaCha chacha8(const Bytes32& key) noexcept;
  [[nodiscard]] static ChaCha chacha20(const Bytes32& key, const Nonce& nonce) noexcept;

  /// The next read starts at this byte of the stream.
  void seek(std::uint64_t offset) noexcept;
  /// The next bytes of the stream.
  void read(std::span<std::uint8_t> out) noexcept;
  /// The next four or eight bytes as a little-endian integer.
  [[nodiscard]] std::uint32_t next_u32() noexcept;
  [[nodiscard]] std::uint64_t next_u64() noexcept;

 private:
  static constexpr std::size_t kBlockBytes = 64;

  ChaCha(const Bytes32& key, unsigned double_rounds, bool wide_counter) noexcept;
  void make_block() noexcept;

  std::array<std::uint32_t, 16> state_{};
  std::array<std::uint8_t, kBlockBytes> block_{};
  std::uint64_t next_block_ = 0;    ///< number of the block after the one in `block_`
  std::size_t used_ = kBlockBytes;  ///< bytes of `block_` already read
  unsigned double_rounds_;
  bool wide_counter_;
};

}  // namespace belfry::hash
