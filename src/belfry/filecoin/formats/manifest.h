#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"

namespace belfry::filecoin {

/// What `parameters.json` says about one file (formats.md 1.6).
struct ManifestEntry {
  std::string cid;
  std::string digest;  ///< 32 lower-case hex digits: the first 16 bytes of BLAKE2b-512 of the file
  std::uint64_t sector_size;
};

/// File name -> entry.
using Manifest = std::map<std::string, ManifestEntry, std::less<>>;

/// Parses `parameters.json`. Strict like parse_c1: duplicate names or keys, a digest that is not 32
/// hex digits, a sector size that is no plain integer or, of a known name, not that of its circuit,
/// missing keys, trailing data are kInvalidInput with file, section and offset. Unknown keys are
/// ignored. Memory: a small multiple of the text.
[[nodiscard]] Result<Manifest> parse_manifest(ByteSpan json, std::string_view file_name);

}  // namespace belfry::filecoin
