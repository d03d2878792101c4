#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/groth16/keygen/test_mark.h"
#include "belfry/groth16/params/writer.h"
#include "belfry/groth16/work.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// The secret behind parameters. Whoever knows it forges proofs, so parameters made here are for
/// tests alone, however it was drawn.
struct TestTrapdoor {
  Fr alpha;
  Fr beta;
  Fr gamma;
  Fr delta;
  Fr tau;
};

/// Five uniform non-zero elements from the operating system.
[[nodiscard]] Result<TestTrapdoor> random_test_trapdoor();

struct SetupReport {
  std::string device;  ///< that made the points; empty: the CPU
  FileSummary params;
  std::vector<SectionSummary> sections;
  FileSummary vk;
};

/// Makes `<stem>.params`, `<stem>.vk` and the mark `<stem>.test.json` (docs/formats.md) in
/// `directory`, byte for byte as bellperson's generator does for this trapdoor and the standard
/// generators (spec formats.md 2.4). Streams: memory is about 32 bytes a variable and a few chunks.
///
/// The caller says in its log that such parameters prove nothing. kInvalidUsage when a trapdoor
/// element is zero or tau is a root of the domain; kInvalidInput
/// ("unconstrained variable", with its index) when an aux variable has a zero l; kResourceExhausted
/// when the disk is full; then no file is left. Parallel; cost about one fixed-base multiplication
/// a point.
[[nodiscard]] Result<SetupReport> make_test_parameters(const r1cs::Shape& shape,
                                                       const TestTrapdoor& trapdoor,
                                                       const std::filesystem::path& directory,
                                                       const std::string& stem,
                                                       const WorkView& work);

}  // namespace belfry::groth16
