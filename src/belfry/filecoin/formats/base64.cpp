#include "belfry/filecoin/formats/base64.h"

#include <array>
#include <cstddef>
#include <string>

namespace belfry::filecoin {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t kNoDigit = 64;
constexpr std::size_t kGroup = 4;
constexpr unsigned kDigitBits = 6;

constexpr std::array<std::uint8_t, 256> make_digits() {
  std::array<std::uint8_t, 256> digits{};
  digits.fill(kNoDigit);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::uint8_t>(i);
  }
  return digits;
}
constexpr std::array<std::uint8_t, 256> kDigits = make_digits();

/// Decodes four digits to 24 bits; the flag of kNoDigit survives in `seen`.
std::uint32_t decode_group(const char* group, std::uint8_t& seen) noexcept {
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < kGroup; ++i) {
    const std::uint8_t digit = kDigits[static_cast<unsigned char>(group[i])];
    seen |= digit;
    bits = (bits << kDigitBits) | (digit % kNoDigit);
  }
  return bits;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> from_base64(std::string_view text) {
  if (text.size() % kGroup != 0) return std::nullopt;
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string last(text.substr(text.size() - (padding > 0 ? kGroup : 0)));
  last.replace(last.size() - padding, padding, padding, kAlphabet.front());

  std::vector<std::uint8_t> out(text.size() / kGroup * 3);
  std::uint8_t seen = 0;
  std::uint32_t bits = 0;
  std::size_t at = 0;
  for (std::size_t i = 0; i < text.size(); i += kGroup) {
    const bool is_last = padding > 0 && i + kGroup == text.size();
    bits = decode_group(is_last ? last.data() : text.data() + i, seen);
    out[at++] = static_cast<std::uint8_t>(bits >> 16);
    out[at++] = static_cast<std::uint8_t>(bits >> 8);
    out[at++] = static_cast<std::uint8_t>(bits);
  }
  const bool cut_bits = (bits & ((std::uint32_t{1} << (8 * padding)) - 1)) != 0;
  if (seen >= kNoDigit || cut_bits) return std::nullopt;
  out.erase(out.end() - static_cast<std::ptrdiff_t>(padding), out.end());
  return out;
}

}  // namespace belfry::filecoin
