#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/hash/sha256.h"
#include "fuzz/memory_file.h"

namespace {

constexpr std::size_t kHeadDigestAt = 168;  // docs/formats.md

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
  if (size < kHeadDigestAt + sizeof(belfry::Bytes32)) return 0;
  std::vector<std::uint8_t> sealed(data, data + size);
  const belfry::Bytes32 digest =
      belfry::hash::sha256(belfry::ByteSpan(sealed).first(kHeadDigestAt));
  std::copy(digest.begin(), digest.end(), sealed.begin() + kHeadDigestAt);
  read(sealed);
  return 0;
}
