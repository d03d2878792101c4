#include "belfry/groth16/prove/derived_trust.h"

#include <sys/stat.h>

#include <algorithm>

#include "belfry/groth16/params/verdict.h"

namespace belfry::groth16 {

ParametersIdentity ParametersIdentity::of(const Parameters& parameters) {
  const ByteSpan all = parameters.bytes();
  const ByteSpan key = all.first(parameters.layout(Section::kH).points_offset());
  const auto file = identify(parameters.path());
  return {.path = parameters.path().string(),
          .bytes = all.size(),
          .modified_ns = file ? file->modified_ns : 0,
          .key = {key.begin(), key.end()}};
}

DerivedTrust::FileState DerivedTrust::FileState::of(const std::filesystem::path& path) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return {};
  return {.device = status.st_dev,
          .inode = status.st_ino,
          .bytes = static_cast<std::uint64_t>(status.st_size),
          .modified_ns = status.st_mtim.tv_sec * kSecond + status.st_mtim.tv_nsec};
}

bool DerivedTrust::History::trusts(const FileState& state) const {
  return std::find(bad.begin(), bad.end(), state) == bad.end();
}

void DerivedTrust::loaded(const std::filesystem::path& derived) {
  const FileState state = FileState::of(derived);
  const std::scoped_lock lock(mutex_);
  files_[derived].loaded = state;
}

bool DerivedTrust::trusts_all() const {
  const std::scoped_lock lock(mutex_);
  return std::all_of(files_.begin(), files_.end(),
                     [](const auto& file) { return file.second.bad.empty(); });
}

bool DerivedTrust::trusts(const std::filesystem::path& derived) const {
  const FileState state = FileState::of(derived);
  const std::scoped_lock lock(mutex_);
  const auto file = files_.find(derived);
  return file == files_.end() || file->second.trusts(state);
}

bool DerivedTrust::trusts_loaded(const std::filesystem::path& derived) const {
  const std::scoped_lock lock(mutex_);
  const auto file = files_.find(derived);
  return file == files_.end() || file->second.trusts(file->second.loaded);
}

void DerivedTrust::distrust(const std::filesystem::path& derived) {
  const std::scoped_lock lock(mutex_);
  const auto file = files_.find(derived);
  // What was never loaded made no proof.
  if (file == files_.end() || !file->second.trusts(file->second.loaded)) return;
  file->second.bad.push_back(file->second.loaded);
}

}  // namespace belfry::groth16
