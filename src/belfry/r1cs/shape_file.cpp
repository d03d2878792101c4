#include "belfry/r1cs/shape_file.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>
#include <vector>

#include "belfry/base/assert.h"
#include "belfry/base/file.h"
#include "belfry/hash/sha256.h"
#include "belfry/r1cs/shape_check.h"
#include "belfry/r1cs/shape_sections.h"

namespace belfry::r1cs {
namespace {

static_assert(std::endian::native == std::endian::little, "sections are read where they lie");

constexpr const char* kReadStage = "r1cs.shape.read";
constexpr std::uint64_t kCircuitIdLimit = 256;

/// What a parsed shape keeps: the dictionary as elements, and whoever holds the bytes.
struct ParsedStorage final : ShapeStorage {
  std::vector<Fr> dictionary;
  std::shared_ptr<const ShapeStorage> owner;
};
/// A map, kept alive.
struct MappedStorage final : ShapeStorage {
  explicit MappedStorage(MappedFile mapped) : file(std::move(mapped)) {}
  MappedFile file;
};

struct SectionView {
  ByteSpan bytes;
  std::uint64_t offset = 0;
};
struct FileView {
  detail::HeadNumbers numbers{};
  std::vector<SectionView> sections;
  std::string_view file;

  [[nodiscard]] Error error(std::size_t section, std::string message) const {
    return invalid(kReadStage, std::move(message))
        .in_file(std::string(file))
        .in_section(detail::section_name(section))
        .at(sections[section].offset);
  }
  /// Where a section begins that check_shape names; counts stand in the head.
  [[nodiscard]] std::uint64_t offset_of(std::string_view name) const {
    for (std::size_t i = 0; i < sections.size(); ++i) {
      if (detail::section_name(i) == name) return sections[i].offset;
    }
    return detail::kCountsAt;
  }
};

/// The head: fixed fields and the numbers.
Result<detail::HeadNumbers> read_head(ByteReader& reader, std::uint64_t file_bytes) {
  BELFRY_TRY(const ByteSpan magic, reader.take(kShapeMagic.size(), "magic"));
  if (!std::equal(magic.begin(), magic.end(), as_bytes(kShapeMagic).begin())) {
    return fail(reader.error("magic", "this is no shape file")
                    .but(std::string(kShapeMagic), to_hex(magic)));
  }
  BELFRY_TRY(const auto version, reader.take_le<std::uint32_t>("version"));
  if (version != kShapeVersion) {
    return fail(reader.error("version", "a version that this program does not read")
                    .but(std::to_string(kShapeVersion), std::to_string(version))
                    .with_hint("extract the shape again"));
  }
  BELFRY_TRY(const auto sections, reader.take_le<std::uint32_t>("sections"));
  if (sections != detail::kSections) {
    return fail(reader.error("sections", "another number of sections")
                    .but(std::to_string(detail::kSections), std::to_string(sections)));
  }
  detail::HeadNumbers numbers{};
  for (std::uint64_t& number : numbers) {
    BELFRY_TRY(number, reader.take_le<std::uint64_t>("counts"));
  }
  if (numbers[0] != file_bytes) {
    return fail(reader.error("counts", "the file has another length than it says")
                    .but(std::to_string(numbers[0]), std::to_string(file_bytes)));
  }
  return numbers;
}

/// Cuts the file into sections; what stands between them must be zero.
Result<FileView> cut(ByteSpan bytes, std::string_view file) {
  ByteReader reader(bytes, kReadStage, file);
  FileView out;
  out.file = file;
  BELFRY_TRY(out.numbers, read_head(reader, bytes.size()));
  std::array<std::uint64_t, detail::kSections> lengths{};
  for (std::uint64_t& length : lengths) {
    BELFRY_TRY(length, reader.take_le<std::uint64_t>("section lengths"));
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const std::string name = detail::section_name(i);
    const std::uint64_t offset = reader.offset();
    BELFRY_TRY(const ByteSpan section, reader.take(lengths[i], name));
    BELFRY_TRY(const ByteSpan gap, reader.take(detail::padded(lengths[i]) - lengths[i], name));
    if (std::any_of(gap.begin(), gap.end(), [](std::uint8_t byte) { return byte != 0; })) {
      return fail(reader.error(name, "the bytes after a section are not zero")
                      .but("zero bytes", to_hex(gap)));
    }
    out.sections.push_back({section, offset});
  }
  BELFRY_CHECK(reader.take(detail::kDigestBytes, "digest"));
  BELFRY_CHECK(reader.finish());
  return out;
}

Result<void> check_digest(ByteSpan bytes, std::string_view file) {
  const ByteSpan body = bytes.first(bytes.size() - detail::kDigestBytes);
  const ByteSpan stored = bytes.last(detail::kDigestBytes);
  const Bytes32 computed = hash::sha256(body);
  if (std::equal(stored.begin(), stored.end(), computed.begin())) return {};
  return fail(invalid(kReadStage, "the digest does not match: the file is damaged")
                  .in_file(std::string(file))
                  .in_section("digest")
                  .at(body.size())
                  .but(to_hex(stored), to_hex(computed))
                  .with_hint("extract the shape again"));
}

/// Hands out the sections in order, as lists.
class SectionLists {
 public:
  explicit SectionLists(const FileView& file) : file_(file) {}

  template <class T>
  Result<std::span<const T>> next() {
    const std::size_t section = at_++;
    const ByteSpan bytes = file_.sections[section].bytes;
    if (bytes.size() % sizeof(T) != 0) {
      return fail(
          file_.error(section, "a section of broken length")
              .but("a multiple of " + std::to_string(sizeof(T)), std::to_string(bytes.size())));
    }
    return std::span<const T>(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
  }

  Result<void> read(PartView& part) {
    for (auto* bitmap :
         {&part.aux_is_bit, &part.a_aux_density, &part.b_aux_density, &part.b_input_density}) {
      BELFRY_TRY(*bitmap, next<std::uint64_t>());
    }
    for (MatrixView& matrix : part.matrices) {
      BELFRY_TRY(matrix.groups, next<RowGroup>());
      BELFRY_TRY(matrix.lengths, next<std::uint8_t>());
      BELFRY_TRY(matrix.long_lengths, next<std::uint32_t>());
      BELFRY_TRY(matrix.terms, next<std::uint32_t>());
      BELFRY_TRY(matrix.wide, next<std::uint16_t>());
    }
    return {};
  }

 private:
  const FileView& file_;
  std::size_t at_ = 0;
};

Result<std::vector<Fr>> read_dictionary(const FileView& file, std::size_t section, ByteSpan bytes) {
  if (bytes.size() % FrBytes::kSize != 0 || bytes.size() / FrBytes::kSize > kDictionaryLimit) {
    return fail(file.error(section, "a dictionary of broken length")
                    .but("at most 65536 times 32 bytes", std::to_string(bytes.size())));
  }
  std::vector<Fr> dictionary;
  for (std::size_t at = 0; at < bytes.size(); at += FrBytes::kSize) {
    const auto value = FrBytes::parse_fr(bytes.subspan(at).first<FrBytes::kSize>());
    if (!value || value->is_zero()) {
      return fail(file.error(section, "a coefficient is zero or not canonical")
                      .at(file.sections[section].offset + at)
                      .but("a number from 1 to r - 1", to_hex(bytes.subspan(at, FrBytes::kSize))));
    }
    dictionary.push_back(*value);
  }
  return dictionary;
}

void set_counts(const detail::HeadNumbers& numbers, ShapeView& view) {
  std::size_t at = 1;
  view.blocks = numbers[at++];
  PartCounts& header = view.header.counts;
  for (auto* count : {&header.inputs, &header.aux, &header.bits, &header.constraints}) {
    *count = numbers[at++];
  }
  PartCounts& block = view.block.counts;
  for (auto* count : {&block.slots, &block.inputs, &block.aux, &block.bits, &block.constraints}) {
    *count = numbers[at++];
  }
}

}  // namespace

Result<Shape> parse_shape(ByteSpan bytes, std::string_view file,
                          std::shared_ptr<const ShapeStorage> owner, DigestCheck digest) {
  BELFRY_ASSERT(reinterpret_cast<std::uintptr_t>(bytes.data()) % detail::kAlignment == 0,
                "the bytes of a shape must be aligned");
  BELFRY_TRY(const FileView cut_file, cut(bytes, file));
  if (digest == DigestCheck::kVerify) BELFRY_CHECK(check_digest(bytes, file));

  ShapeView view;
  set_counts(cut_file.numbers, view);
  SectionLists lists(cut_file);
  BELFRY_TRY(const auto id, lists.next<char>());
  if (id.size() > kCircuitIdLimit) {
    return fail(cut_file.error(0, "a circuit id of more than 256 bytes")
                    .but("at most 256 bytes", std::to_string(id.size())));
  }
  view.circuit_id.assign(id.begin(), id.end());
  BELFRY_TRY(view.bindings, lists.next<std::uint32_t>());
  BELFRY_TRY(const auto dictionary, lists.next<std::uint8_t>());
  auto storage = std::make_shared<ParsedStorage>();
  BELFRY_TRY(storage->dictionary,
             read_dictionary(cut_file, detail::kLeadingSections - 1, dictionary));
  storage->owner = std::move(owner);
  view.dictionary = storage->dictionary;
  BELFRY_CHECK(lists.read(view.header));
  BELFRY_CHECK(lists.read(view.block));
  if (auto checked = check_shape(view); !checked) {
    const std::uint64_t offset = cut_file.offset_of(checked.error().section);
    return fail(std::move(checked.error()).in_file(std::string(file)).at(offset));
  }
  return Shape(std::move(view), std::move(storage));
}

Result<Shape> read_shape(const std::filesystem::path& path) {
  BELFRY_TRY(MappedFile mapped, MappedFile::open(path));
  auto owner = std::make_shared<MappedStorage>(std::move(mapped));
  const ByteSpan bytes = owner->file.bytes();
  return parse_shape(bytes, path.string(), std::move(owner));
}

}  // namespace belfry::r1cs
