#include "belfry/groth16/params/writer.h"

#include <algorithm>
#include <array>
#include <functional>

#include "belfry/curve/encoding.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kWriteStage = "groth16.params.write";

FileDigest shorten(const hash::Bytes64& whole) {
  FileDigest digest;
  std::copy_n(whole.begin(), digest.size(), digest.begin());
  return digest;
}

Error misuse(std::string message) {
  return Error{ErrorCode::kInternal, std::string(kWriteStage), std::move(message)};
}

}  // namespace

Result<FileSummary> write_verifying_key(const std::filesystem::path& path,
                                        const VerifyingKey& key) {
  const std::vector<std::uint8_t> bytes = encode(key);
  BELFRY_TRY(AtomicFile file, AtomicFile::create(path));
  BELFRY_CHECK(file.write(bytes));
  BELFRY_CHECK(file.commit());
  return FileSummary{path, bytes.size(), hash::sha256(bytes), file_digest(bytes)};
}

Result<ParametersWriter> ParametersWriter::create(const std::filesystem::path& target,
                                                  const VerifyingKey& key) {
  BELFRY_TRY(AtomicFile file, AtomicFile::create(target));
  ParametersWriter writer(std::move(file), target);
  BELFRY_CHECK(writer.put(encode(key)));
  return writer;
}

Result<void> ParametersWriter::put(ByteSpan bytes) {
  whole_sha256_.update(bytes);
  whole_blake2b_.update(bytes);
  return file_.write(bytes);
}

Result<void> ParametersWriter::begin_section(std::uint64_t count) {
  std::array<std::uint8_t, sizeof(std::uint32_t)> raw{};
  store_be(raw.data(), static_cast<std::uint32_t>(count));
  section_count_ = count;
  section_bytes_ = 0;
  ++sections_;
  return put(raw);
}

Result<void> ParametersWriter::append(ByteSpan points, const Executor& executor) {
  Result<void> written;
  // Three chains of digests, none of which can be split, and a copy to the file.
  const std::array<std::function<void()>, 4> tasks{
      [&] { whole_blake2b_.update(points); }, [&] { whole_sha256_.update(points); },
      [&] { section_sha256_.update(points); }, [&] { written = file_.write(points); }};
  executor.for_each(tasks.size(), [&tasks](std::size_t i) { tasks[i](); });
  section_bytes_ += points.size();
  return written;
}

Result<SectionSummary> ParametersWriter::end_section() {
  if (sections_ == 0 || sections_ > kSections) return fail(misuse("no such section"));
  const auto section = static_cast<Section>(sections_ - 1);
  if (section_bytes_ != section_count_ * point_bytes(section)) {
    return fail(misuse("a section has other points than announced"));
  }
  return SectionSummary{std::string(to_string(section)), section_count_, section_sha256_.finish()};
}

Result<FileSummary> ParametersWriter::finish() {
  if (sections_ != kSections) return fail(misuse("sections are missing"));
  return FileSummary{target_, file_.size(), whole_sha256_.finish(),
                     shorten(whole_blake2b_.finish())};
}

}  // namespace belfry::groth16
