#include "belfry/groth16/params/text_guess.h"

#include <algorithm>
#include <cstddef>
#include <string>

namespace belfry::groth16 {
namespace {

constexpr std::size_t kLookedAt = 256;
constexpr std::size_t kShown = 32;
constexpr std::uint8_t kDelete = 0x7f;

bool is_blank(std::uint8_t c) { return c == '\n' || c == '\r' || c == '\t' || c == ' '; }

/// Printable ASCII, white space, or a byte of a UTF-8 sequence.
bool is_text(std::uint8_t c) { return is_blank(c) || (c > ' ' && c != kDelete); }

bool is_printable_ascii(std::uint8_t c) { return c > ' ' && c < kDelete; }

}  // namespace

Result<void> refuse_text(ByteSpan bytes, std::string_view stage, std::string_view file) {
  const auto error = [&](std::string message) {
    return invalid(std::string(stage), std::move(message))
        .in_file(std::string(file))
        .in_section("file")
        .at(0);
  };
  if (bytes.empty()) return fail(error("the file is empty").but("binary points", "0 bytes"));
  const ByteSpan head = bytes.first(std::min(bytes.size(), kLookedAt));
  if (!std::all_of(head.begin(), head.end(), is_text)) return {};
  std::string shown;
  for (const std::uint8_t c : head.first(std::min(head.size(), kShown))) {
    shown += is_printable_ascii(c) ? static_cast<char>(c) : ' ';
  }
  return fail(error("the file looks like text")
                  .but("binary points", '"' + shown + '"')
                  .with_hint("Fetch the file again: a download may have stored an error page"));
}

}  // namespace belfry::groth16
