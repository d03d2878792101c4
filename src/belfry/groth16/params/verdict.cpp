#include "belfry/groth16/params/verdict.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "belfry/base/file.h"
#include "belfry/base/write_file.h"
#include "belfry/hash/blake2.h"
#include "belfry/hash/sha256.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kVerdictStage = "groth16.params.verdict";
constexpr std::uint64_t kVerdictLimitBytes = 16384;  // a path has at most 4096 bytes

/// The text of a verdict up to the digest, which stands last.
std::string verdict_head(const FileIdentity& file) {
  return "belfry parameter verdict 1\npath " + file.path.string() + "\nbytes " +
         std::to_string(file.bytes) + "\nmodified_ns " + std::to_string(file.modified_ns) +
         "\ndigest ";
}

std::string verdict_text(const FileIdentity& file, const FileDigest& digest) {
  return verdict_head(file) + to_hex(digest) + "\n";
}

Error system_error(const std::filesystem::path& path, const std::error_code& code) {
  const bool missing = code == std::errc::no_such_file_or_directory;
  return Error{missing ? ErrorCode::kNotFound : ErrorCode::kInvalidInput,
               std::string(kVerdictStage), "can not open: " + code.message()}
      .in_file(path.string());
}

FileDigest beginning_of(const hash::Bytes64& whole) {
  FileDigest digest;
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
}

}  // namespace

FileDigest file_digest(ByteSpan bytes) { return beginning_of(hash::blake2b512(bytes)); }

Result<FileDigest> file_digest(ByteSpan bytes, const CancelToken& cancel) {
  constexpr std::size_t kPiece = std::size_t{16} << 20U;  // some hundredths of a second
  hash::Blake2b512 hasher;
  while (!bytes.empty()) {
    BELFRY_CHECK(cancel.check(std::string(kVerdictStage)));
    const std::size_t size = std::min(bytes.size(), kPiece);
    hasher.update(bytes.first(size));
    bytes = bytes.subspan(size);
  }
  return beginning_of(hasher.finish());
}

Result<FileIdentity> identify(const std::filesystem::path& path) {
  std::error_code code;
  FileIdentity file;
  file.path = std::filesystem::canonical(path, code);
  if (code) return fail(system_error(path, code));
  file.bytes = std::filesystem::file_size(file.path, code);
  if (code) return fail(system_error(path, code));
  const auto modified = std::filesystem::last_write_time(file.path, code);
  if (code) return fail(system_error(path, code));
  file.modified_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(modified.time_since_epoch()).count();
  return file;
}

std::filesystem::path VerdictCache::verdict_path(const FileIdentity& file) const {
  const Bytes32 name = hash::sha256(as_bytes(file.path.string()));
  return directory_ / (to_hex(ByteSpan(name).first(FileDigest{}.size())) + ".verdict");
}

bool VerdictCache::holds(const FileIdentity& file, const FileDigest& digest) const {
  return find(file) == digest;
}

std::optional<FileDigest> VerdictCache::find(const FileIdentity& file) const {
  const auto stored = read_file(verdict_path(file), kVerdictLimitBytes);
  if (!stored) return std::nullopt;
  const std::string text(stored->begin(), stored->end());
  const std::string head = verdict_head(file);
  if (!text.starts_with(head)) return std::nullopt;
  FileDigest digest;
  const auto bytes = from_hex(std::string_view(text).substr(head.size(), 2 * digest.size()));
  if (!bytes || bytes->size() != digest.size()) return std::nullopt;
  std::copy(bytes->begin(), bytes->end(), digest.begin());
  if (text != verdict_text(file, digest)) return std::nullopt;
  return digest;
}

Result<void> VerdictCache::store(const FileIdentity& file, const FileDigest& digest) const {
  std::error_code code;
  std::filesystem::create_directories(directory_, code);
  if (code) return fail(system_error(directory_, code));
  return write_file(verdict_path(file), as_bytes(verdict_text(file, digest)));
}

}  // namespace belfry::groth16
