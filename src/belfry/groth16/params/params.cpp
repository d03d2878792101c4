#include "belfry/groth16/params/params.h"

#include <bit>
#include <string>

#include "belfry/groth16/params/point_reader.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kReadStage = "groth16.params.read";

/// Reads the count of a vector and steps over its points.
Result<SectionLayout> take_section(ByteReader& reader, Section section) {
  const bool in_g2 = section == Section::kBG2;
  SectionLayout layout;
  layout.offset = reader.offset();
  layout.point_bytes =
      in_g2 ? curve::kUncompressedSize<curve::G2Affine> : curve::kUncompressedSize<curve::G1Affine>;
  const std::string_view name = to_string(section);
  BELFRY_TRY(layout.count, take_count(reader, layout.point_bytes, name));
  BELFRY_TRY([[maybe_unused]] const ByteSpan points,
             reader.take(layout.count * layout.point_bytes, name));
  return layout;
}

/// What spec formats.md 5.6 asks of the counts, whatever the circuit is.
Result<void> check_structure(const Parameters& parameters) {
  const QueryCounts counts = parameters.counts();
  const std::uint64_t b_g2 = parameters.layout(Section::kBG2).count;
  const auto refuse = [&parameters](Section section, std::string message) {
    return invalid(std::string(kReadStage), std::move(message))
        .in_file(parameters.path().string())
        .in_section(std::string(to_string(section)))
        .at(parameters.layout(section).offset);
  };
  if (!std::has_single_bit(counts.h + 1)) {
    return fail(refuse(Section::kH, "the number of h points is not one below a power of two")
                    .but("2^k - 1", std::to_string(counts.h)));
  }
  if (counts.a < counts.ic) {
    return fail(refuse(Section::kA, "fewer a points than inputs")
                    .but("at least " + std::to_string(counts.ic), std::to_string(counts.a)));
  }
  if (counts.b != b_g2) {
    return fail(refuse(Section::kBG2, "b_g1 and b_g2 differ in length")
                    .but(std::to_string(counts.b), std::to_string(b_g2)));
  }
  return {};
}

}  // namespace

std::string_view to_string(Section section) noexcept {
  constexpr std::array<std::string_view, kSections> kNames{"h", "l", "a", "b_g1", "b_g2"};
  return kNames[static_cast<std::size_t>(section)];
}

Result<Parameters> Parameters::open(const std::filesystem::path& path) {
  BELFRY_TRY(MappedFile file, MappedFile::open(path));
  const std::string name = path.string();
  BELFRY_TRY(VerifyingKey key, parse_verifying_key(file.bytes(), name));
  ByteReader reader(file.bytes(), kReadStage, name);
  BELFRY_CHECK(reader.take(verifying_key_bytes(key.ic.size()), "vk"));
  std::array<SectionLayout, kSections> layout;
  for (std::size_t i = 0; i < kSections; ++i) {
    BELFRY_TRY(layout[i], take_section(reader, static_cast<Section>(i)));
  }
  BELFRY_CHECK(reader.finish());
  Parameters parameters(std::move(file), std::move(key), layout);
  BELFRY_CHECK(check_structure(parameters));
  return parameters;
}

QueryCounts Parameters::counts() const noexcept {
  return {.ic = key_.ic.size(),
          .h = layout(Section::kH).count,
          .l = layout(Section::kL).count,
          .a = layout(Section::kA).count,
          .b = layout(Section::kBG1).count};
}

ByteSpan Parameters::section_bytes(Section section) const noexcept {
  const SectionLayout& where = layout(section);
  return bytes().subspan(where.points_offset(), where.count * where.point_bytes);
}

}  // namespace belfry::groth16
