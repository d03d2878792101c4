#include <cstdint>
#include <cstdlib>

#include "belfry/base/executor.h"
#include "belfry/groth16/derived/derived_file.h"
#include "fuzz/memory_file.h"
#include "tests/support/sealed_head.h"

namespace {

/// Opens a file; what was opened has its points inside the file, and its digests are compared.
void read(belfry::ByteSpan bytes) {
  const belfry::fuzz::MemoryFile file(bytes);
  const auto derived = belfry::groth16::DerivedParameters::open(file.path());
  if (!derived) {
    if (derived.error().message.empty()) std::abort();
    return;
  }
  if (derived->bytes() != bytes.size()) std::abort();
  std::uint64_t points = 0;
  for (const belfry::ByteSpan section : derived->points().sections) points += section.size();
  if (points > bytes.size()) std::abort();
  static const belfry::Executor executor(1);
  (void)derived->check_contents({.executor = executor});
}

}  // namespace

/// Any bytes as derived parameters, once as they are and once with a head whose digest is right, so
/// that its counts and lengths are read too.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  read({data, size});
  read(belfry::test::with_sealed_head({data, size}));
  return 0;
}
