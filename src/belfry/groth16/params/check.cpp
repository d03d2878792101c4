#include "belfry/groth16/params/check.h"

#include <algorithm>
#include <string>

#include "belfry/base/file.h"
#include "belfry/trace/log.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kCheckStage = "groth16.params.check";

std::filesystem::path key_path_of(const std::filesystem::path& params_path) {
  return std::filesystem::path(params_path).replace_extension(".vk");
}

/// The cache of one check; without a directory it neither knows nor keeps anything.
class Memory {
 public:
  Memory(const std::filesystem::path& directory, FileIdentity file)
      : enabled_(!directory.empty()), cache_(directory), file_(std::move(file)) {}

  /// Whether the file was good when it was last seen, if it has not changed since.
  [[nodiscard]] bool expects_good() const { return enabled_ && cache_.find(file_).has_value(); }
  [[nodiscard]] bool holds(const FileDigest& digest) const {
    return enabled_ && cache_.holds(file_, digest);
  }
  /// A verdict that can't be kept is no reason to fail: the file is good.
  void keep(const FileDigest& digest, trace::Tracer* tracer) const {
    if (!enabled_) return;
    const Result<void> stored = cache_.store(file_, digest);
    if (stored) return;
    trace::write_log(tracer, "groth16", trace::Level::kWarning, "verdict not stored",
                     {{"reason", stored.error().describe()}});
  }

 private:
  bool enabled_;
  VerdictCache cache_;
  FileIdentity file_;
};

/// A key is small: it is always read, and the verdict only says that this happened before.
Result<CheckReport> check_key_file(const std::filesystem::path& path, const Memory& memory,
                                   const WorkView& work) {
  BELFRY_TRY([[maybe_unused]] const VerifyingKey key, read_verifying_key(path));
  BELFRY_TRY(const MappedFile file, MappedFile::open(path));
  CheckReport report{.kind = "vk",
                     .bytes = file.bytes().size(),
                     .digest = file_digest(file.bytes()),
                     .checked = {"structure", "curve", "subgroup"}};
  report.from_cache = memory.holds(report.digest);
  if (!report.from_cache) memory.keep(report.digest, work.tracer);
  return report;
}

/// Digest and points of a file: together, unless the digest may save looking at the points.
Result<void> check_contents(const Parameters& parameters, const Memory& memory,
                            const WorkView& work, CheckReport& report) {
  Result<FileDigest> digest;
  const auto take_digest = [&] { digest = file_digest(parameters.bytes(), work.cancel); };
  Result<void> points;
  const auto take_points = [&] { points = check_points(parameters, work); };
  if (memory.expects_good()) {
    take_digest();
    BELFRY_TRY(report.digest, digest);
    report.from_cache = memory.holds(report.digest);
    if (report.from_cache) return {};
    take_points();
  } else {
    work.executor.both(take_digest, take_points);
  }
  BELFRY_CHECK(std::move(points));
  BELFRY_TRY(report.digest, std::move(digest));
  memory.keep(report.digest, work.tracer);
  return {};
}

Result<CheckReport> check_params_file(const std::filesystem::path& path, const Memory& memory,
                                      const WorkView& work) {
  BELFRY_TRY(const Parameters parameters, Parameters::open(path));
  CheckReport report{.kind = "params",
                     .bytes = parameters.bytes().size(),
                     .checked = {"structure", "curve", "subgroup"}};
  const std::filesystem::path key_path = key_path_of(path);
  if (std::filesystem::exists(key_path)) {
    BELFRY_CHECK(check_same_key(parameters, key_path));
    report.checked.emplace_back("vk");
  }
  BELFRY_CHECK(check_contents(parameters, memory, work, report));
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
  return fail(invalid(std::string(kCheckStage), "the key differs from the start of the parameters")
                  .in_file(vk_path.string())
                  .in_section("vk")
                  .at(static_cast<std::uint64_t>(differs.first - key.begin()))
                  .but("the first " + std::to_string(head.size()) + " bytes of " +
                           parameters.path().string(),
                       std::to_string(key.size()) + " other bytes"));
}

Result<CheckReport> check_file(const std::filesystem::path& path,
                               const std::filesystem::path& cache_dir, const WorkView& work) {
  BELFRY_TRY(FileIdentity identity, identify(path));
  const Memory memory(cache_dir, std::move(identity));
  if (path.extension() == ".vk") return check_key_file(path, memory, work);
  return check_params_file(path, memory, work);
}

}  // namespace belfry::groth16
