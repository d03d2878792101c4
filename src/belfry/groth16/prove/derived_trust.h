#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "belfry/groth16/params/params.h"

namespace belfry::groth16 {

/// Which parameters are meant, for what is remembered of them between proofs: the file's name, its
/// size, when it was last written to, and all that stands before the points.
struct ParametersIdentity {
  std::string path;
  std::uint64_t bytes = 0;
  std::int64_t modified_ns = 0;  ///< 0: there is no file of that name any more
  std::vector<std::uint8_t> key;

  [[nodiscard]] static ParametersIdentity of(const Parameters& parameters);
  friend bool operator==(const ParametersIdentity&, const ParametersIdentity&) = default;
};

/// Which files of derived parameters made proofs that do not verify. Each is known by what lies
/// under its path (inode, size, time of the last write): its `.params` may be touched meanwhile,
/// and a derived file that is made anew is another one. Thread-safe.
class DerivedTrust {
 public:
  /// To be told of every file that is loaded: it is the one that `distrust` means.
  void loaded(const std::filesystem::path& derived);
  /// Whether no file was distrusted yet: then no path needs to be asked about.
  [[nodiscard]] bool trusts_all() const;
  /// Whether what lies under this path now was never distrusted.
  [[nodiscard]] bool trusts(const std::filesystem::path& derived) const;
  /// The same of the file that was loaded last from there, whatever took its place since.
  [[nodiscard]] bool trusts_loaded(const std::filesystem::path& derived) const;
  /// The file that was loaded last from there, from now on.
  void distrust(const std::filesystem::path& derived);

 private:
  /// What lies under a path; all 0 where nothing does.
  struct FileState {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::uint64_t bytes = 0;
    std::int64_t modified_ns = 0;

    [[nodiscard]] static FileState of(const std::filesystem::path& path);
    friend bool operator==(const FileState&, const FileState&) = default;
  };
  struct History {
    FileState loaded;
    std::vector<FileState> bad{};

    [[nodiscard]] bool trusts(const FileState& state) const;
  };

  mutable std::mutex mutex_;
  std::map<std::filesystem::path, History> files_;  // guarded by mutex_
};

}  // namespace belfry::groth16
