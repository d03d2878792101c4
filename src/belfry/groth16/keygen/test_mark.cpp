#include "belfry/groth16/keygen/test_mark.h"

#include <string>
#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/file.h"
#include "belfry/base/write_file.h"

namespace belfry::groth16 {
namespace {

constexpr std::uint64_t kMarkLimitBytes = 1024;

std::string mark_text(std::string_view digest) {
  return "{\"belfry_test_parameters\": 1, \"digest\": \"" + std::string(digest) +
         "\", \"warning\": \"for tests only: whoever made these parameters can forge proofs\"}\n";
}

/// The text of the mark beside a file; empty if there is none.
std::string read_mark(const std::filesystem::path& params_path) {
  const auto bytes = read_file(test_mark_path(params_path), kMarkLimitBytes);
  return bytes ? std::string(bytes->begin(), bytes->end()) : std::string();
}

}  // namespace

std::filesystem::path test_mark_path(const std::filesystem::path& params_path) {
  return std::filesystem::path(params_path).replace_extension(".test.json");
}

Result<void> write_test_mark(const FileSummary& params) {
  return write_file(test_mark_path(params.file), as_bytes(mark_text(to_hex(params.digest))));
}

bool is_marked_for_tests(const std::filesystem::path& params_path, const FileDigest& digest) {
  return read_mark(params_path) == mark_text(to_hex(digest));
}

bool is_marked_for_tests(const std::filesystem::path& params_path) {
  return read_mark(params_path).starts_with("{\"belfry_test_parameters\":");
}

}  // namespace belfry::groth16
