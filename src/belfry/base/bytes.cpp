#include "belfry/base/bytes.h"

#include <algorithm>
#include <string>

namespace belfry {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";
constexpr int kTen = 10;
constexpr unsigned kLowNibble = 0xf;

int digit_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + kTen;
  if (c >= 'A' && c <= 'F') return c - 'A' + kTen;
  return -1;
}

}  // namespace

std::string to_hex(ByteSpan bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text.push_back(kDigits[byte >> 4]);
    text.push_back(kDigits[byte & kLowNibble]);
  }
  return text;
}

std::optional<std::vector<std::uint8_t>> from_hex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<std::uint8_t> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const int high = digit_value(text[2 * i]);
    const int low = digit_value(text[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return bytes;
}

std::optional<Bytes32> bytes32_from_hex(std::string_view text) {
  const auto bytes = from_hex(text);
  if (!bytes || bytes->size() != Bytes32{}.size()) return std::nullopt;
  Bytes32 out;
  std::copy(bytes->begin(), bytes->end(), out.begin());
  return out;
}

Result<ByteSpan> ByteReader::take(std::uint64_t size, std::string_view field) {
  if (size > remaining()) {
    return fail(error(field, bytes_.empty() ? "the file is empty" : "the file is truncated")
                    .but(std::to_string(size) + " more bytes", std::to_string(remaining())));
  }
  const ByteSpan out = bytes_.subspan(offset_, size);
  offset_ += size;
  return out;
}

Result<void> ByteReader::finish() const {
  if (remaining() == 0) return {};
  return fail(error("end", "bytes follow the last section")
                  .but(std::to_string(offset_) + " bytes", std::to_string(bytes_.size())));
}

Error ByteReader::error(std::string_view field, std::string message) const {
  return invalid(std::string(stage_), std::move(message))
      .in_file(std::string(file_))
      .in_section(std::string(field))
      .at(offset_);
}

}  // namespace belfry
