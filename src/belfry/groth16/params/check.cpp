#include "belfry/groth16/params/check.h"

#include <algorithm>
#include <string>

#include "belfry/base/file.h"
#include "belfry/trace/log.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.params.check";

std::filesystem::path key_path_of(const std::filesystem::path& params_path) {
  return std::filesystem::path(params_path).replace_extension(".vk");
}

Result<CheckReport> check_key_file(const std::filesystem::path& path) {
  BELFRY_TRY([[maybe_unused]] const VerifyingKey key, read_verifying_key(path));
  BELFRY_TRY(const MappedFile file, MappedFile::open(path));
  return CheckReport{.kind = "vk",
                     .bytes = file.bytes().size(),
                     .digest = file_digest(file.bytes()),
                     .checked = {"structure", "curve", "subgroup"}};
}

Result<CheckReport> check_params_file(const std::filesystem::path& path,
                                      const std::filesystem::path& cache_dir,
                                      const WorkView& work) {
  BELFRY_TRY(const FileIdentity identity, identify(path));
  BELFRY_TRY(const Parameters parameters, Parameters::open(path));
  CheckReport report{.kind = "params",
                     .bytes = parameters.bytes().size(),
                     .digest = file_digest(parameters.bytes()),
                     .checked = {"structure", "curve", "subgroup"}};
  const std::filesystem::path key_path = key_path_of(path);
  if (std::filesystem::exists(key_path)) {
    BELFRY_CHECK(check_same_key(parameters, key_path));
    report.checked.emplace_back("vk");
  }
  const VerdictCache cache(cache_dir);
  report.from_cache = !cache_dir.empty() && cache.holds(identity, report.digest);
  if (report.from_cache) return report;
  BELFRY_CHECK(check_points(parameters, work));
  if (cache_dir.empty()) return report;
  const Result<void> stored = cache.store(identity, report.digest);
  if (!stored) {
    trace::write_log(work.tracer, "groth16", trace::Level::kWarning, "verdict not stored",
                     {{"reason", stored.error().describe()}});
  }
  return report;
}

}  // namespace

Result<void> check_same_key(const Parameters& parameters, const std::filesystem::path& vk_path) {
  BELFRY_TRY(const MappedFile file, MappedFile::open(vk_path));
  const ByteSpan key = file.bytes();
  const ByteSpan head = parameters.bytes().first(std::min<std::uint64_t>(
      verifying_key_bytes(parameters.verifying_key().ic.size()), parameters.bytes().size()));
  const auto differs = std::mismatch(key.begin(), key.end(), head.begin(), head.end());
  if (differs.first == key.end() && differs.second == head.end()) return {};
  return fail(invalid(std::string(kStage), "the key differs from the start of the parameters")
                  .in_file(vk_path.string())
                  .in_section("vk")
                  .at(static_cast<std::uint64_t>(differs.first - key.begin()))
                  .but("the first " + std::to_string(head.size()) + " bytes of " +
                           parameters.path().string(),
                       std::to_string(key.size()) + " other bytes"));
}

Result<CheckReport> check_file(const std::filesystem::path& path,
                               const std::filesystem::path& cache_dir, const WorkView& work) {
  if (path.extension() == ".vk") return check_key_file(path);
  return check_params_file(path, cache_dir, work);
}

}  // namespace belfry::groth16
