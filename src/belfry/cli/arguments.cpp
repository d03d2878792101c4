#include "belfry/cli/arguments.h"

#include <string>
#include <string_view>
#include <utility>

#include "belfry/base/parse_decimal.h"

namespace belfry::cli {
namespace {

Error bad_option(std::string_view option, std::string expected, std::string_view found) {
  return Error{ErrorCode::kInvalidUsage, "cli.arguments", "a bad value"}
      .in_section(std::string(option))
      .but(std::move(expected), "'" + std::string(found) + "'");
}

}  // namespace

Result<std::uint64_t> parse_number(std::string_view option, std::string_view text) {
  const auto number = parse_decimal<std::uint64_t>(text);
  if (!number) return fail(bad_option(option, "a number", text));
  return *number;
}

Result<std::uint64_t> parse_miner(std::string_view option, std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with("f0") || digits.starts_with("t0")) digits.remove_prefix(2);
  const auto number = parse_number(option, digits);
  if (!number) return fail(bad_option(option, "a miner such as 1000 or f01000", text));
  return *number;
}

Result<std::uint32_t> parse_partition(std::string_view option, std::string_view text) {
  const auto number = parse_decimal<std::uint32_t>(text);
  if (!number) return fail(bad_option(option, "a number of a partition", text));
  return *number;
}

Result<Bytes32> parse_bytes32(std::string_view option, std::string_view text) {
  const auto bytes = bytes32_from_hex(text);
  if (bytes) return *bytes;
  Error error = bad_option(option, "64 hex digits", text);
  if (text.starts_with("0x")) error.hint = "Leave out the 0x";
  return fail(std::move(error));
}

Result<filecoin::PostProof> parse_post_proof(std::string_view option, std::string_view text,
                                             filecoin::PostKind kind) {
  BELFRY_TRY(const auto proof, filecoin::find_post_proof(text));
  if (proof.kind == kind) return proof;
  const bool winning = kind == filecoin::PostKind::kWinning;
  return fail(invalid("cli.arguments", "the registered proof is of another kind")
                  .in_section(std::string(option))
                  .but(winning ? "a WinningPoSt" : "a WindowPoSt", proof.name()));
}

Result<SectorArgument> parse_sector(std::string_view option, std::string_view text) {
  const std::size_t sign = text.find('=');
  const auto number = parse_number(option, text.substr(0, sign));
  if (!number || sign == std::string_view::npos)
    return fail(bad_option(option, "a sector number, '=' and its value", text));
  return SectorArgument{*number, text.substr(sign + 1)};
}

}  // namespace belfry::cli
