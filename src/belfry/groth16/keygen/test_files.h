#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"
#include "belfry/groth16/keygen/keygen.h"
#include "belfry/groth16/params/verifying_key.h"
#include "belfry/groth16/params/writer.h"
#include "belfry/groth16/work.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {

/// Writes the five sections of test parameters in their order, wherever their points were made.
/// Counts them on a span. Not thread-safe.
class SectionPrinter {
 public:
  /// The referents outlive it.
  SectionPrinter(ParametersWriter& writer, const WorkView& work, trace::Span& span)
      : writer_(writer), work_(work), span_(span) {}

  [[nodiscard]] Result<void> begin(std::uint64_t count) { return writer_.begin_section(count); }
  /// Encodes points of the open section, in parallel, and appends them.
  template <class Affine>
  [[nodiscard]] Result<void> append(std::span<const Affine> points);
  /// kInternal if other than the announced points were appended.
  [[nodiscard]] Result<void> end();

  [[nodiscard]] std::vector<SectionSummary> take() && { return std::move(sections_); }

 private:
  ParametersWriter& writer_;
  const WorkView& work_;
  trace::Span& span_;
  std::vector<std::uint8_t> bytes_;
  std::vector<SectionSummary> sections_;
};

extern template Result<void> SectionPrinter::append(std::span<const curve::G1Affine> points);
extern template Result<void> SectionPrinter::append(std::span<const curve::G2Affine> points);

/// Writes the five sections, each from its begin to its end.
using PrintSections = std::function<Result<void>(SectionPrinter&)>;

/// Makes `<stem>.params`, `<stem>.vk` and the mark in `directory`: the mark before the name of the
/// parameters, so that they are never seen without one. After an error there is none of them.
///
/// @param points  in all five sections, for the span's progress
[[nodiscard]] Result<SetupReport> write_test_files(const std::filesystem::path& directory,
                                                   const std::string& stem, const VerifyingKey& key,
                                                   std::uint64_t points, const PrintSections& print,
                                                   const WorkView& work);

}  // namespace belfry::groth16
