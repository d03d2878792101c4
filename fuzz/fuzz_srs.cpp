#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "belfry/groth16/aggregate/srs.h"
#include "fuzz/memory_file.h"

/// Any bytes as an SRS: opened or refused; what was opened has keys of the size that was asked for,
/// or a point that is named.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using belfry::groth16::SrsList;
  static const belfry::Executor executor(1);
  const belfry::fuzz::MemoryFile file({data, size});
  const auto srs = belfry::groth16::AggregationSrs::open(file.path());
  if (!srs) return 0;
  if (srs->count(SrsList::kGAlpha) < 2) std::abort();
  const auto verifying = srs->verifying_key();
  if (!verifying && verifying.error().section.empty()) std::abort();
  const auto proving = srs->proving_key(2, executor);
  if (proving && (proving->proofs() != 2 || proving->g_beta.size() != 4)) std::abort();
  return 0;
}
