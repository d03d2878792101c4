#include "belfry/curve/gt_encoding.h"

#include <algorithm>

namespace belfry::curve {
namespace {

void put_little_endian(const Fp& value, std::uint8_t* out) noexcept {
  const FpBytes bytes(value);
  std::ranges::reverse_copy(bytes.bytes(), out);
}

void put_little_endian(const Fp6& value, std::uint8_t* out) noexcept {
  for (const Fp2* c : {&value.c0, &value.c1, &value.c2}) {
    put_little_endian(c->c0, out);
    put_little_endian(c->c1, out + FpBytes::kSize);
    out += 2 * FpBytes::kSize;
  }
}

bool get_little_endian(const std::uint8_t* bytes, Fp& value) noexcept {
  FpBytes::Array big_endian;
  std::ranges::reverse_copy(std::span(bytes, FpBytes::kSize), big_endian.begin());
  const auto parsed = FpBytes::parse_fp(big_endian);
  if (parsed) value = *parsed;
  return parsed.has_value();
}

bool get_little_endian(const std::uint8_t* bytes, Fp6& value) noexcept {
  for (Fp2* c : {&value.c0, &value.c1, &value.c2}) {
    if (!get_little_endian(bytes, c->c0) || !get_little_endian(bytes + FpBytes::kSize, c->c1))
      return false;
    bytes += 2 * FpBytes::kSize;
  }
  return true;
}

}  // namespace

std::array<std::uint8_t, kGtSize> encode(const Gt& value) {
  std::array<std::uint8_t, kGtSize> out{};
  put_little_endian(value.value().c0, out.data());
  put_little_endian(value.value().c1, out.data() + kGtSize / 2);
  return out;
}

std::optional<std::array<std::uint8_t, kGtCompressedSize>> encode_compressed(const Gt& value) {
  const Fp12& f = value.value();
  if (f.c1.is_zero()) return std::nullopt;
  std::array<std::uint8_t, kGtCompressedSize> out{};
  put_little_endian((f.c0 + Fp6::one()) * f.c1.inverse(), out.data());
  return out;
}

std::optional<Gt> decode_gt_compressed(std::span<const std::uint8_t, kGtCompressedSize> bytes) {
  Fp6 b;
  if (!get_little_endian(bytes.data(), b)) return std::nullopt;
  // b - w is never zero: its coefficient of w is -1.
  const Fp12 numerator{b, Fp6::one()};
  return Gt::from_value(numerator * numerator.conjugate().inverse());
}

}  // namespace belfry::curve
