#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "belfry/base/executor.h"
#include "belfry/groth16/params/check.h"
#include "belfry/groth16/params/params.h"
#include "fuzz/memory_file.h"

/// Any bytes: parameters whose sections lie inside the file, or an error; then the full check.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using belfry::groth16::Section;
  const belfry::fuzz::MemoryFile file({data, size});
  const auto parameters = belfry::groth16::Parameters::open(file.path());
  if (!parameters) return 0;
  for (const Section section :
       {Section::kH, Section::kL, Section::kA, Section::kBG1, Section::kBG2}) {
    if (parameters->layout(section).end() > size) std::abort();
  }
  const belfry::Executor executor(1);
  (void)belfry::groth16::check_points(*parameters, {.executor = executor});
  return 0;
}
