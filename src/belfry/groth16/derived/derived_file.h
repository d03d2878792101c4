#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/base/executor.h"
#include "belfry/base/file.h"
#include "belfry/base/unnamed_file.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/prove/host_points.h"
#include "belfry/groth16/work.h"
#include "belfry/hash/sha256.h"
#include "belfry/r1cs/shape.h"

/// Derived parameters: the points of a `.params` file as a device reads them, H and L in the basis
/// of the domain (QuotientBasis::kDomain). docs/formats.md has the layout.
namespace belfry::groth16 {

/// What derived points were made from.
struct DerivedIdentity {
  Bytes32 parameters{};  ///< key, counts, length, and the ends of every section
  Bytes32 shape{};       ///< all rows of the circuit

  /// Reads the shape whole (0.2 s at 32 GiB) and a few pages of the parameters.
  [[nodiscard]] static DerivedIdentity of(const Parameters& parameters, const r1cs::Shape& shape);
  friend bool operator==(const DerivedIdentity&, const DerivedIdentity&) = default;
};

/// Points of each section in the basis of the domain: H one a row of the domain, L with inputs.
[[nodiscard]] QueryCounts derived_counts(const r1cs::Shape& shape);

/// A mapped file of derived parameters. Move-only; const calls are thread-safe.
class DerivedParameters {
 public:
  /// Reads and checks head and table of digests: kNotFound without the file; kInvalidInput, with
  /// file, section and offset, for anything that the writer would not have written.
  [[nodiscard]] static Result<DerivedParameters> open(const std::filesystem::path& path);

  /// kInvalidInput unless it was made from these and has these counts (derived_counts): whoever
  /// reads points relies on them.
  [[nodiscard]] Result<void> check_identity(const DerivedIdentity& identity,
                                            const QueryCounts& counts) const;
  /// Compares all points with their digests, in parallel: kInvalidInput with the offset of the
  /// first bad chunk. Cost: SHA-256 of the file, some seconds for 47 GB on 16 cores.
  [[nodiscard]] Result<void> check_contents(const WorkView& work) const;

  [[nodiscard]] const std::filesystem::path& path() const noexcept { return file_.path(); }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return file_.bytes().size(); }
  [[nodiscard]] HostPoints points() const noexcept;
  [[nodiscard]] const DerivedIdentity& identity() const noexcept { return identity_; }

 private:
  explicit DerivedParameters(MappedFile file) : file_(std::move(file)) {}

  [[nodiscard]] Result<void> read_head();
  [[nodiscard]] Result<void> check_counts(const QueryCounts& counts) const;
  [[nodiscard]] Error error(std::string section, std::uint64_t offset, std::string message) const;
  /// A number of the head that has to be this one.
  [[nodiscard]] Result<void> expect(const char* field, std::uint64_t offset, std::uint64_t expected,
                                    std::uint64_t found) const;
  /// Whether bytes of a part have the stored digest.
  [[nodiscard]] Result<void> check_digest(const char* part, std::uint64_t offset, ByteSpan bytes,
                                          ByteSpan stored) const;

  MappedFile file_;
  DerivedIdentity identity_;
  std::array<std::uint64_t, kSections> offsets_{};
  std::array<std::uint64_t, kSections> counts_{};
  std::uint64_t data_end_ = 0;
};

/// Writes such a file, section by section in their order, and gives it its name when it is whole
/// and, if its maker wants that, checked. One thread; digests of long pieces are made in parallel.
class DerivedWriter {
 public:
  /// The executor outlives the writer.
  [[nodiscard]] static Result<DerivedWriter> create(const std::filesystem::path& target,
                                                    const DerivedIdentity& identity,
                                                    const QueryCounts& counts,
                                                    const Executor& executor);
  /// The next points of the current section; the first call after its last point opens the next.
  /// kInternal for points that were not announced, or after `finish`.
  [[nodiscard]] Result<void> append(ByteSpan points);
  /// Writes head and digests. kInternal if points are missing, or if it is finished already. No
  /// points after that.
  [[nodiscard]] Result<void> finish();
  /// Under which this process can open the finished file while the writer lives.
  [[nodiscard]] std::filesystem::path readable_path() const { return file_.readable_path(); }
  /// Finishes, if that is still to be done, and makes the file visible.
  [[nodiscard]] Result<void> commit();

 private:
  DerivedWriter(UnnamedFile file, const Executor& executor)
      : file_(std::move(file)), executor_(executor) {}

  /// kInternal after `finish`.
  [[nodiscard]] Result<void> check_open() const;
  [[nodiscard]] Result<void> write(ByteSpan bytes);
  void digest(ByteSpan bytes);
  [[nodiscard]] Result<void> fill_gap();

  UnnamedFile file_;
  const Executor& executor_;
  std::vector<std::uint8_t> head_;
  std::array<std::uint64_t, kSections> ends_{};  ///< of the sections
  std::size_t section_ = 0;
  hash::Sha256 chunk_;
  std::uint64_t in_chunk_ = 0;
  std::vector<std::uint8_t> digests_;
  bool finished_ = false;
};

/// `NAME.derived` beside `NAME.params`.
[[nodiscard]] std::filesystem::path derived_beside(const std::filesystem::path& params);

/// derived_beside, then `NAME-DIGEST.derived` in the cache, where files of one
/// name from several folders meet: where derived parameters are looked for, and made. DIGEST is the
/// first 16 hex digits of DerivedIdentity::parameters.
[[nodiscard]] std::array<std::filesystem::path, 2> derived_paths(
    const Parameters& parameters, const std::filesystem::path& cache_dir);

/// Whether find_derived will find some, by heads alone: parameters and counts, neither the whole
/// shape nor a point. Cheap, for plans.
[[nodiscard]] bool promises_derived(const Parameters& parameters, const r1cs::Shape& shape,
                                    const std::filesystem::path& cache_dir);

/// The derived parameters of a file and a shape, checked whole. Empty without any; one that is
/// damaged or of something else is a warning and a count of `belfry_derived_refused_total`.
/// kCancelled.
[[nodiscard]] Result<std::optional<DerivedParameters>> find_derived(
    const Parameters& parameters, const r1cs::Shape& shape, const std::filesystem::path& cache_dir,
    const WorkView& work);

}  // namespace belfry::groth16
