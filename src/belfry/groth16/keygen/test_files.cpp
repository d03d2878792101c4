#include "belfry/groth16/keygen/test_files.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "belfry/curve/encoding.h"
#include "belfry/groth16/keygen/test_mark.h"

namespace belfry::groth16 {

template <class Affine>
Result<void> SectionPrinter::append(std::span<const Affine> points) {
  constexpr std::size_t kGrain = 1 << 10;
  constexpr std::size_t kPointBytes = curve::kUncompressedSize<Affine>;
  bytes_.resize(points.size() * kPointBytes);
  work_.executor.parallel_for(points.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const auto encoded = curve::encode(points[i]);
      std::copy(encoded.begin(), encoded.end(), bytes_.data() + i * kPointBytes);
    }
  });
  BELFRY_CHECK(writer_.append(bytes_, work_.executor));
  span_.advance(points.size());
  return {};
}

template Result<void> SectionPrinter::append(std::span<const curve::G1Affine> points);
template Result<void> SectionPrinter::append(std::span<const curve::G2Affine> points);

Result<void> SectionPrinter::end() {
  BELFRY_TRY(SectionSummary section, writer_.end_section());
  sections_.push_back(std::move(section));
  return {};
}

Result<SetupReport> write_test_files(const std::filesystem::path& directory,
                                     const std::string& stem, const VerifyingKey& key,
                                     std::uint64_t points, const PrintSections& print,
                                     const WorkView& work) {
  const std::filesystem::path base = directory / stem;
  BELFRY_TRY(ParametersWriter writer, ParametersWriter::create(base.string() + ".params", key));
  SetupReport report;
  {
    trace::Span span(work.tracer, "groth16.write_sections");
    span.expect(points, "points");
    SectionPrinter printer(writer, work, span);
    BELFRY_CHECK(print(printer));
    report.sections = std::move(printer).take();
  }
  BELFRY_TRY(report.params, writer.finish());
  // The mark comes first: parameters without one must never be seen.
  BELFRY_CHECK(write_test_mark(report.params));
  BELFRY_CHECK(writer.commit());
  BELFRY_TRY(report.vk, write_verifying_key(base.string() + ".vk", key));
  return report;
}

}  // namespace belfry::groth16
