#include "belfry/groth16/derived/derived_file.h"

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>

#include "belfry/base/try_for_each.h"
#include "belfry/groth16/metrics.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.derived";
constexpr std::string_view kMagic = "BLFDERIV";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kChunkBytes = std::uint64_t{16} << 20;
constexpr std::uint64_t kAlignment = 4096;
/// The head fills a page; sections begin at pages.
constexpr std::uint64_t kHeadBytes = kAlignment;
constexpr std::uint64_t kDigestBytes = sizeof(Bytes32);
// Where things stand in the head (docs/formats.md).
constexpr std::uint64_t kVersionAt = 8;
constexpr std::uint64_t kSectionsAt = 12;
constexpr std::uint64_t kFileBytesAt = 16;
constexpr std::uint64_t kChunkBytesAt = 24;
constexpr std::uint64_t kParametersAt = 32;
constexpr std::uint64_t kShapeAt = 64;
constexpr std::uint64_t kCountsAt = 96;
constexpr std::uint64_t kTableDigestAt = 136;
constexpr std::uint64_t kHeadDigestAt = kTableDigestAt + kDigestBytes;

constexpr std::uint64_t count_at(std::size_t section) {
  return kCountsAt + section * sizeof(std::uint64_t);
}

constexpr std::uint64_t padded(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::array<std::uint64_t, kSections> counts_of(const QueryCounts& counts) {
  return {counts.h, counts.l, counts.a, counts.b, counts.b};
}

/// Where sections of these counts lie, and where they end. Counts are below 2^32.
struct Layout {
  std::array<std::uint64_t, kSections> offsets{};
  std::array<std::uint64_t, kSections> ends{};

  explicit Layout(const std::array<std::uint64_t, kSections>& counts) {
    std::uint64_t at = kHeadBytes;
    for (std::size_t i = 0; i < kSections; ++i) {
      offsets[i] = padded(at);
      ends[i] = at = offsets[i] + counts[i] * point_bytes(static_cast<Section>(i));
    }
  }
  [[nodiscard]] std::uint64_t data_end() const { return ends.back(); }
  [[nodiscard]] std::uint64_t chunks() const {
    return (data_end() - kHeadBytes + kChunkBytes - 1) / kChunkBytes;
  }
  [[nodiscard]] std::uint64_t file_bytes() const { return data_end() + chunks() * kDigestBytes; }
};

template <std::unsigned_integral T>
void put(std::vector<std::uint8_t>& to, T value) {
  to.resize(to.size() + sizeof(T));
  store_le<T>(to.data() + to.size() - sizeof(T), value);
}
void put(std::vector<std::uint8_t>& to, ByteSpan bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

/// The head up to the digest of the table.
std::vector<std::uint8_t> head_of(const DerivedIdentity& identity, const QueryCounts& counts) {
  std::vector<std::uint8_t> head;
  put(head, as_bytes(kMagic));
  put(head, kVersion);
  put(head, static_cast<std::uint32_t>(kSections));
  put(head, Layout(counts_of(counts)).file_bytes());
  put(head, kChunkBytes);
  put(head, identity.parameters);
  put(head, identity.shape);
  for (const std::uint64_t count : counts_of(counts)) put(head, count);
  return head;
}

/// The first 32 bytes of a longer string.
Bytes32 load_bytes32(ByteSpan bytes) {
  Bytes32 out;
  std::copy_n(bytes.begin(), out.size(), out.begin());
  return out;
}

template <class T>
void hash_list(hash::Sha256& hash, std::span<const T> list) {
  std::array<std::uint8_t, sizeof(std::uint64_t)> size{};
  store_le<std::uint64_t>(size.data(), list.size());
  hash.update(size).update({reinterpret_cast<const std::uint8_t*>(list.data()), list.size_bytes()});
}

void hash_part(hash::Sha256& hash, const r1cs::PartView& part) {
  const std::array counts{part.counts.inputs, part.counts.aux, part.counts.bits,
                          part.counts.constraints, part.counts.slots};
  hash_list(hash, std::span<const std::uint64_t>(counts));
  for (const auto bitmap :
       {part.aux_is_bit, part.a_aux_density, part.b_aux_density, part.b_input_density}) {
    hash_list(hash, bitmap);
  }
  for (const r1cs::MatrixView& matrix : part.matrices) {
    hash_list(hash, matrix.terms);
    hash_list(hash, matrix.wide);
    hash_list(hash, matrix.lengths);
    hash_list(hash, matrix.long_lengths);
  }
}

Bytes32 shape_digest(const r1cs::Shape& shape) {
  hash::Sha256 hash;
  hash.update(as_bytes(shape.circuit_id()));
  const std::uint64_t blocks = shape.blocks();
  hash_list(hash, std::span<const std::uint64_t>(&blocks, 1));
  hash_list(hash, shape.view().bindings);
  hash_list(hash, shape.dictionary());
  hash_part(hash, shape.header());
  hash_part(hash, shape.block());
  return hash.finish();
}

Bytes32 parameters_digest(const Parameters& parameters) {
  constexpr std::uint64_t kEnds = std::uint64_t{64} << 10;
  hash::Sha256 hash;
  const ByteSpan all = parameters.bytes();
  std::array<std::uint8_t, sizeof(std::uint64_t)> size{};
  store_le<std::uint64_t>(size.data(), all.size());
  hash.update(size).update(all.first(parameters.layout(Section::kH).points_offset()));
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    const ByteSpan points = parameters.section_bytes(section);
    const std::uint64_t count = std::min<std::uint64_t>(kEnds, points.size());
    hash.update(all.subspan(parameters.layout(section).offset, sizeof(std::uint32_t)))
        .update(points.first(count))
        .update(points.last(count));
  }
  return hash.finish();
}

}  // namespace

DerivedIdentity DerivedIdentity::of(const Parameters& parameters, const r1cs::Shape& shape) {
  return {parameters_digest(parameters), shape_digest(shape)};
}

QueryCounts derived_counts(const r1cs::Shape& shape) {
  QueryCounts counts = query_counts(shape);
  counts.h += 1;
  counts.l += shape.inputs();
  return counts;
}

Error DerivedParameters::error(std::string section, std::uint64_t offset,
                               std::string message) const {
  return invalid(std::string(kStage), std::move(message))
      .in_file(path().string())
      .in_section(std::move(section))
      .at(offset);
}

Result<void> DerivedParameters::expect(const char* field, std::uint64_t offset,
                                       std::uint64_t expected, std::uint64_t found) const {
  if (found == expected) return {};
  return fail(error(field, offset, "not as this program writes it")
                  .but(std::to_string(expected), std::to_string(found)));
}

Result<void> DerivedParameters::check_digest(const char* part, std::uint64_t offset, ByteSpan bytes,
                                             ByteSpan stored) const {
  const Bytes32 found = hash::sha256(bytes);
  const Bytes32 expected = load_bytes32(stored);
  if (found == expected) return {};
  return fail(
      error(part, offset, "damaged: a digest differs").but(to_hex(expected), to_hex(found)));
}

Result<DerivedParameters> DerivedParameters::open(const std::filesystem::path& path) {
  BELFRY_TRY(MappedFile file, MappedFile::open(path));
  DerivedParameters out(std::move(file));
  BELFRY_CHECK(out.read_head());
  return out;
}

Result<void> DerivedParameters::read_head() {
  constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 32;
  const ByteSpan all = file_.bytes();
  const std::string name = path().string();
  ByteReader reader(all, kStage, name);
  BELFRY_TRY(const ByteSpan head, reader.take(kHeadBytes, "head"));
  if (!std::equal(kMagic.begin(), kMagic.end(), head.begin())) {
    return fail(error("magic", 0, "not a file of derived parameters")
                    .but(to_hex(as_bytes(kMagic)), to_hex(head.first(kMagic.size()))));
  }
  ByteReader fields(head.subspan(kMagic.size()), kStage, name);
  BELFRY_TRY(const auto version, fields.take_le<std::uint32_t>("version"));
  BELFRY_TRY(const auto sections, fields.take_le<std::uint32_t>("sections"));
  BELFRY_CHECK(expect("version", kVersionAt, kVersion, version));
  BELFRY_CHECK(expect("sections", kSectionsAt, kSections, sections));
  BELFRY_CHECK(check_digest("head", kHeadDigestAt, head.first(kHeadDigestAt),
                            head.subspan(kHeadDigestAt, kDigestBytes)));
  BELFRY_TRY(const auto file_bytes, fields.take_le<std::uint64_t>("file bytes"));
  BELFRY_TRY(const auto chunk_bytes, fields.take_le<std::uint64_t>("chunk bytes"));
  BELFRY_TRY(const ByteSpan parameters, fields.take(kDigestBytes, "parameters"));
  BELFRY_TRY(const ByteSpan shape, fields.take(kDigestBytes, "shape"));
  identity_ = {load_bytes32(parameters), load_bytes32(shape)};
  for (std::size_t i = 0; i < kSections; ++i) {
    BELFRY_TRY(counts_[i], fields.take_le<std::uint64_t>("counts"));
    if (counts_[i] >= kMostPoints) {
      return fail(error("counts", count_at(i), "more points than a query can have")
                      .but("below " + std::to_string(kMostPoints), std::to_string(counts_[i])));
    }
  }
  const Layout layout(counts_);
  BELFRY_CHECK(expect("file bytes", kFileBytesAt, all.size(), file_bytes));
  BELFRY_CHECK(expect("chunk bytes", kChunkBytesAt, kChunkBytes, chunk_bytes));
  if (layout.file_bytes() != all.size()) {
    return fail(error("counts", kCountsAt, "the file has another length than its counts say")
                    .but(std::to_string(layout.file_bytes()), std::to_string(all.size())));
  }
  offsets_ = layout.offsets;
  data_end_ = layout.data_end();
  return check_digest("digests", data_end_, all.subspan(data_end_),
                      head.subspan(kTableDigestAt, kDigestBytes));
}

Result<void> DerivedParameters::check_counts(const QueryCounts& counts) const {
  const auto expected = counts_of(counts);
  for (std::size_t i = 0; i < kSections; ++i) {
    if (counts_[i] == expected[i]) continue;
    return fail(error("counts", count_at(i),
                      "section " + std::string(to_string(static_cast<Section>(i))) +
                          " has another number of points than the circuit asks for")
                    .but(std::to_string(expected[i]), std::to_string(counts_[i])));
  }
  return {};
}

Result<void> DerivedParameters::check_identity(const DerivedIdentity& identity,
                                               const QueryCounts& counts) const {
  if (identity_ == identity) return check_counts(counts);
  const bool other_shape = identity_.parameters == identity.parameters;
  return fail(error(other_shape ? "shape" : "parameters", other_shape ? kShapeAt : kParametersAt,
                    "derived from other parameters or another circuit")
                  .but(to_hex(other_shape ? identity.shape : identity.parameters),
                       to_hex(other_shape ? identity_.shape : identity_.parameters)));
}

Result<void> DerivedParameters::check_contents(const WorkView& work) const {
  trace::Span span(work.tracer, "groth16.check_derived");
  const std::uint64_t bytes = data_end_ - kHeadBytes;
  span.expect(bytes, "bytes");
  const ByteSpan data = file_.bytes().subspan(kHeadBytes, bytes);
  const ByteSpan digests = file_.bytes().subspan(data_end_);
  return try_for_each(
      work.executor, digests.size() / kDigestBytes, [&](std::size_t i) -> Result<void> {
        BELFRY_CHECK(work.cancel.check(std::string(kStage)));
        const std::uint64_t begin = i * kChunkBytes;
        const ByteSpan chunk = data.subspan(begin, std::min(kChunkBytes, bytes - begin));
        span.advance(chunk.size());
        return check_digest("points", kHeadBytes + begin, chunk,
                            digests.subspan(i * kDigestBytes, kDigestBytes));
      });
}

HostPoints DerivedParameters::points() const noexcept {
  HostPoints out;
  for (std::size_t i = 0; i < kSections; ++i) {
    out.sections[i] =
        file_.bytes().subspan(offsets_[i], counts_[i] * point_bytes(static_cast<Section>(i)));
  }
  return out;
}

Result<DerivedWriter> DerivedWriter::create(const std::filesystem::path& target,
                                            const DerivedIdentity& identity,
                                            const QueryCounts& counts, const Executor& executor) {
  BELFRY_TRY(UnnamedFile file, UnnamedFile::create(target));
  DerivedWriter out(std::move(file), executor);
  out.head_ = head_of(identity, counts);
  out.ends_ = Layout(counts_of(counts)).ends;
  const std::vector<std::uint8_t> none(kHeadBytes);
  BELFRY_CHECK(out.file_.write(none));
  return out;
}

Result<void> DerivedWriter::write(ByteSpan bytes) {
  BELFRY_CHECK(file_.write(bytes));
  digest(bytes);
  return {};
}

void DerivedWriter::digest(ByteSpan bytes) {
  const auto take = [&](std::uint64_t most) {
    const ByteSpan piece = bytes.first(std::min<std::uint64_t>(bytes.size(), most));
    bytes = bytes.subspan(piece.size());
    chunk_.update(piece);
    in_chunk_ += piece.size();
    if (in_chunk_ < kChunkBytes) return;
    put(digests_, chunk_.finish());
    in_chunk_ = 0;
  };
  if (in_chunk_ != 0) take(kChunkBytes - in_chunk_);
  const std::uint64_t whole = in_chunk_ == 0 ? bytes.size() / kChunkBytes : 0;
  std::vector<Bytes32> found(whole);
  executor_.for_each(whole, [&](std::size_t i) {
    found[i] = hash::sha256(bytes.subspan(i * kChunkBytes, kChunkBytes));
  });
  for (const Bytes32& one : found) put(digests_, one);
  bytes = bytes.subspan(whole * kChunkBytes);
  if (!bytes.empty()) take(kChunkBytes);
}

Result<void> DerivedWriter::fill_gap() {
  const std::vector<std::uint8_t> gap(padded(file_.size()) - file_.size());
  return write(gap);
}

Result<void> DerivedWriter::check_open() const {
  if (!finished_ && file_.size() <= ends_.back()) return {};
  return fail(Error{ErrorCode::kInternal, std::string(kStage), "the file is finished"}
                  .in_file(file_.target().string())
                  .at(file_.size()));
}

Result<void> DerivedWriter::append(ByteSpan points) {
  BELFRY_CHECK(check_open());
  while (!points.empty()) {
    while (section_ < kSections && file_.size() == ends_[section_]) {
      if (++section_ < kSections) BELFRY_CHECK(fill_gap());
    }
    if (section_ == kSections) break;
    const std::uint64_t count =
        std::min<std::uint64_t>(points.size(), ends_[section_] - file_.size());
    BELFRY_CHECK(write(points.first(count)));
    points = points.subspan(count);
  }
  if (points.empty()) return {};
  return fail(ErrorCode::kInternal, std::string(kStage), "more points than were announced");
}

Result<void> DerivedWriter::finish() {
  BELFRY_CHECK(check_open());
  while (section_ + 1 < kSections && file_.size() == ends_[section_]) {
    ++section_;
    BELFRY_CHECK(fill_gap());
  }
  if (file_.size() != ends_.back()) {
    return fail(Error{ErrorCode::kInternal, std::string(kStage), "points are missing"}.but(
        std::to_string(ends_.back()), std::to_string(file_.size())));
  }
  if (in_chunk_ != 0) put(digests_, chunk_.finish());
  BELFRY_CHECK(file_.write(digests_));
  put(head_, hash::sha256(digests_));
  put(head_, hash::sha256(head_));
  BELFRY_CHECK(file_.write_at(0, head_));
  finished_ = true;
  return {};
}

Result<void> DerivedWriter::commit() {
  if (!finished_) BELFRY_CHECK(finish());
  return file_.commit();
}

std::filesystem::path derived_beside(const std::filesystem::path& params) {
  std::filesystem::path beside = params;
  return beside.replace_extension(".derived");
}

std::array<std::filesystem::path, 2> derived_paths(const Parameters& parameters,
                                                   const std::filesystem::path& cache_dir) {
  constexpr std::size_t kNameDigits = 16;
  const std::filesystem::path beside = derived_beside(parameters.path());
  const std::string digits = to_hex(parameters_digest(parameters)).substr(0, kNameDigits);
  return {beside, cache_dir / (beside.stem().string() + "-" + digits + ".derived")};
}

bool promises_derived(const Parameters& parameters, const r1cs::Shape& shape,
                      const std::filesystem::path& cache_dir) {
  const Bytes32 digest = parameters_digest(parameters);
  const auto paths = derived_paths(parameters, cache_dir);
  return std::any_of(paths.begin(), paths.end(), [&](const std::filesystem::path& path) {
    const auto found = DerivedParameters::open(path);
    return found && found->check_identity({digest, found->identity().shape}, derived_counts(shape));
  });
}

Result<std::optional<DerivedParameters>> find_derived(const Parameters& parameters,
                                                      const r1cs::Shape& shape,
                                                      const std::filesystem::path& cache_dir,
                                                      const WorkView& work) {
  std::optional<DerivedIdentity> identity;
  const auto checked = [&](const std::filesystem::path& path) -> Result<DerivedParameters> {
    BELFRY_TRY(DerivedParameters found, DerivedParameters::open(path));
    if (!identity) identity = DerivedIdentity::of(parameters, shape);
    BELFRY_CHECK(found.check_identity(*identity, derived_counts(shape)));
    BELFRY_CHECK(found.check_contents(work));
    return found;
  };
  for (const std::filesystem::path& path : derived_paths(parameters, cache_dir)) {
    auto found = checked(path);
    if (found) return std::optional(std::move(*found));
    if (found.error().code == ErrorCode::kNotFound) continue;
    if (found.error().code == ErrorCode::kCancelled) return fail(found.error());
    trace::count(work.tracer, kDerivedRefused);
    trace::write_log(work.tracer, "groth16", trace::Level::kWarning,
                     "derived parameters are of no use; belfry params derive makes them anew",
                     {{"reason", found.error().describe()}});
  }
  return std::optional<DerivedParameters>();
}

}  // namespace belfry::groth16
