#include "belfry/cli/test_secrets.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/file.h"
#include "belfry/field/fr.h"

namespace belfry::cli {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{16} << 20U;
constexpr std::size_t kDigits = 2 * FrBytes::kSize;

/// A parsed file that can name itself.
class SecretsFile {
 public:
  static Result<SecretsFile> open(const std::filesystem::path& path) {
    BELFRY_TRY(const auto bytes, read_file(path, kMostBytes));
    SecretsFile file(path);
    // The parser copies from the bytes, and there are none to copy from.
    if (bytes.empty()) return fail(file.bad("", "not JSON: the file is empty", ""));
    const auto* const text = reinterpret_cast<const char*>(bytes.data());
    const auto code = file.parser_->parse(text, bytes.size()).get(file.root_);
    if (code != simdjson::SUCCESS) {
      return fail(file.bad("", "not JSON: " + std::string(simdjson::error_message(code)), ""));
    }
    return file;
  }

  [[nodiscard]] Result<Fr> element(std::string_view name) const {
    simdjson::dom::element value;
    if (root_[name].get(value) != simdjson::SUCCESS) return fail(bad(name, "missing", ""));
    return parse(name, value);
  }

  [[nodiscard]] Result<Fr> nonzero(std::string_view name) const {
    BELFRY_TRY(const Fr value, element(name));
    if (!value.is_zero()) return value;
    return fail(bad(name, "a trapdoor has no zero", "0").but("a number from 1 to r - 1", "0"));
  }

  [[nodiscard]] Result<std::vector<Fr>> list(std::string_view name) const {
    simdjson::dom::array values;
    if (root_[name].get(values) != simdjson::SUCCESS) {
      return fail(bad(name, "missing, or not a list", ""));
    }
    std::vector<Fr> elements;
    for (const simdjson::dom::element value : values) {
      const std::string place = std::string(name) + "[" + std::to_string(elements.size()) + "]";
      BELFRY_TRY(const Fr element, parse(place, value));
      elements.push_back(element);
    }
    return elements;
  }

  [[nodiscard]] Error bad(std::string_view section, std::string message,
                          std::string_view found) const {
    return invalid("cli.test_secrets", std::move(message))
        .in_file(path_.string())
        .in_section(std::string(section))
        .but("big-endian hex below r, at most 64 digits", std::string(found));
  }

 private:
  explicit SecretsFile(std::filesystem::path path) : path_(std::move(path)) {}

  [[nodiscard]] Result<Fr> parse(std::string_view place, simdjson::dom::element value) const {
    std::string_view digits;
    if (value.get(digits) != simdjson::SUCCESS) return fail(bad(place, "not a string", ""));
    if (digits.empty() || digits.size() > kDigits) {
      return fail(bad(place, "not a field element", digits));
    }
    auto bytes = bytes32_from_hex(std::string(kDigits - digits.size(), '0') + std::string(digits));
    if (!bytes) return fail(bad(place, "not hex", digits));
    std::ranges::reverse(*bytes);
    const auto element = FrBytes::parse_fr(*bytes);
    if (!element) return fail(bad(place, "not a field element", digits));
    return *element;
  }

  std::filesystem::path path_;
  // Elements point into the parser: it must not move when this object does.
  std::unique_ptr<simdjson::dom::parser> parser_ = std::make_unique<simdjson::dom::parser>();
  simdjson::dom::element root_;
};

}  // namespace

Result<groth16::TestTrapdoor> read_test_trapdoor(const std::filesystem::path& path) {
  BELFRY_TRY(const SecretsFile file, SecretsFile::open(path));
  groth16::TestTrapdoor trapdoor{};
  BELFRY_TRY(trapdoor.alpha, file.nonzero("alpha"));
  BELFRY_TRY(trapdoor.beta, file.nonzero("beta"));
  BELFRY_TRY(trapdoor.gamma, file.nonzero("gamma"));
  BELFRY_TRY(trapdoor.delta, file.nonzero("delta"));
  BELFRY_TRY(trapdoor.tau, file.nonzero("tau"));
  return trapdoor;
}

Result<std::vector<groth16::ProofRandomness>> read_test_randomness(
    const std::filesystem::path& path) {
  BELFRY_TRY(const SecretsFile file, SecretsFile::open(path));
  BELFRY_TRY(const std::vector<Fr> r, file.list("r"));
  BELFRY_TRY(const std::vector<Fr> s, file.list("s"));
  if (r.empty() || r.size() != s.size()) {
    return fail(file.bad("r, s", "the lists are empty or of different lengths",
                         std::to_string(r.size()) + " and " + std::to_string(s.size())));
  }
  std::vector<groth16::ProofRandomness> randomness;
  randomness.reserve(r.size());
  for (std::size_t k = 0; k < r.size(); ++k) randomness.push_back({r[k], s[k]});
  return randomness;
}

}  // namespace belfry::cli
