#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/base/file.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/params/verdict.h"
#include "belfry/hash/blake2.h"
#include "belfry/hash/sha256.h"

namespace belfry::groth16 {

/// A vector of points as it was written.
struct SectionSummary {
  std::string name;  ///< "h", "l", "a", "b_g1", "b_g2"
  std::uint64_t count = 0;
  Bytes32 sha256{};  ///< of the points, without the count
};

/// A file as it was written.
struct FileSummary {
  std::filesystem::path file;
  std::uint64_t bytes = 0;
  Bytes32 sha256{};
  FileDigest digest{};
};

/// Writes a `.vk` file, atomically.
[[nodiscard]] Result<FileSummary> write_verifying_key(const std::filesystem::path& path,
                                                      const VerifyingKey& key);

/// Writes a `.params` file front to back, as bellperson does, and digests what it writes. The five
/// sections come in the order of `Section`, each with exactly the announced number of points.
/// Nothing appears under the target's name before `commit`. Move-only, one thread.
class ParametersWriter {
 public:
  /// Begins the file with the key.
  [[nodiscard]] static Result<ParametersWriter> create(const std::filesystem::path& target,
                                                       const VerifyingKey& key);

  /// Writes the count of the next section.
  [[nodiscard]] Result<void> begin_section(std::uint64_t count);
  /// Appends encoded points of the open section. Hashes on three workers while a fourth writes.
  [[nodiscard]] Result<void> append(ByteSpan points, const Executor& executor);
  /// Ends the section. kInternal if other than the announced points were appended.
  [[nodiscard]] Result<SectionSummary> end_section();
  /// What the file will be, once: nothing may be appended after it. kInternal unless five sections
  /// were written.
  [[nodiscard]] Result<FileSummary> finish();
  /// Lets the file appear under the target's name. Waits for the disk.
  [[nodiscard]] Result<void> commit() { return file_.commit(); }

 private:
  ParametersWriter(AtomicFile file, std::filesystem::path target)
      : file_(std::move(file)), target_(std::move(target)) {}
  [[nodiscard]] Result<void> put(ByteSpan bytes);

  AtomicFile file_;
  std::filesystem::path target_;
  hash::Sha256 whole_sha256_;
  hash::Blake2b512 whole_blake2b_;
  hash::Sha256 section_sha256_;
  std::size_t sections_ = 0;         ///< begun
  std::uint64_t section_count_ = 0;  ///< points announced
  std::uint64_t section_bytes_ = 0;  ///< appended
};

}  // namespace belfry::groth16
