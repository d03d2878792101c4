#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/error.h"

namespace belfry {

using Bytes32 = std::array<std::uint8_t, 32>;
using ByteSpan = std::span<const std::uint8_t>;

/// Unsigned integers at fixed places, no alignment needed.
template <std::unsigned_integral T>
[[nodiscard]] constexpr T load_le(const std::uint8_t* bytes) noexcept {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(value | (T{bytes[i]} << (8 * i)));
  return value;
}
template <std::unsigned_integral T>
[[nodiscard]] constexpr T load_be(const std::uint8_t* bytes) noexcept {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(value | (T{bytes[i]} << (8 * (sizeof(T) - 1 - i))));
  return value;
}
template <std::unsigned_integral T>
constexpr void store_le(std::uint8_t* bytes, T value) noexcept {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes[i] = static_cast<std::uint8_t>(value >> (8 * i));
}
template <std::unsigned_integral T>
constexpr void store_be(std::uint8_t* bytes, T value) noexcept {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    bytes[i] = static_cast<std::uint8_t>(value >> (8 * (sizeof(T) - 1 - i)));
}

/// Lower-case hex in the order of the bytes.
[[nodiscard]] std::string to_hex(ByteSpan bytes);
/// Exactly pairs of hex digits, either case, no prefix; empty otherwise.
[[nodiscard]] std::optional<std::vector<std::uint8_t>> from_hex(std::string_view text);
[[nodiscard]] std::optional<Bytes32> bytes32_from_hex(std::string_view text);

/// The bytes of a text, without a copy.
[[nodiscard]] inline ByteSpan as_bytes(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// Reads a byte string front to back; every read names its field and fails with file, section and
/// offset when the bytes do not suffice. A view: the bytes and the names outlive it.
class ByteReader {
 public:
  ByteReader(ByteSpan bytes, std::string_view stage, std::string_view file)
      : bytes_(bytes), stage_(stage), file_(file) {}

  [[nodiscard]] std::uint64_t offset() const noexcept { return offset_; }
  [[nodiscard]] std::uint64_t remaining() const noexcept { return bytes_.size() - offset_; }

  /// The next `size` bytes, as a view.
  [[nodiscard]] Result<ByteSpan> take(std::uint64_t size, std::string_view field);
  template <std::unsigned_integral T>
  [[nodiscard]] Result<T> take_le(std::string_view field) {
    BELFRY_TRY(const ByteSpan raw, take(sizeof(T), field));
    return load_le<T>(raw.data());
  }
  template <std::unsigned_integral T>
  [[nodiscard]] Result<T> take_be(std::string_view field) {
    BELFRY_TRY(const ByteSpan raw, take(sizeof(T), field));
    return load_be<T>(raw.data());
  }
  /// Fails if bytes are left.
  [[nodiscard]] Result<void> finish() const;
  /// An error of this file at the present offset.
  [[nodiscard]] Error error(std::string_view field, std::string message) const;

 private:
  ByteSpan bytes_;
  std::string_view stage_;
  std::string_view file_;
  std::uint64_t offset_ = 0;
};

}  // namespace belfry
