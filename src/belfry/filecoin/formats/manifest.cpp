#include "belfry/filecoin/formats/manifest.h"

#include <limits>

#include "belfry/filecoin/formats/json_reader.h"

namespace belfry::filecoin {
namespace {

constexpr std::size_t kDigestDigits = 32;

Result<ManifestEntry> read_entry(JsonReader& json, JsonValue value, const JsonPlace& place) {
  enum Field : std::uint8_t { kCid, kDigest, kSectorSize };
  ManifestEntry entry;
  BELFRY_CHECK(json.read_object(
      value, place, {{"cid", "digest", "sector_size"}},
      [&](std::size_t which, JsonValue inner, const JsonPlace& at) -> Result<void> {
        if (which == kSectorSize) {
          BELFRY_TRY(entry.sector_size,
                     json.read_integer(inner, at, std::numeric_limits<std::uint64_t>::max()));
          return {};
        }
        BELFRY_TRY(const std::string_view text, json.read_text(inner, at));
        (which == kCid ? entry.cid : entry.digest) = text;
        return {};
      }));
  const auto digest = from_hex(entry.digest);
  if (!digest || entry.digest.size() != kDigestDigits) {
    const JsonPlace at = place.key("digest");
    return fail(json.error(at, "no digest").but("32 hex digits", entry.digest));
  }
  entry.digest = to_hex(*digest);  // lower case
  return entry;
}

}  // namespace

Result<Manifest> parse_manifest(ByteSpan json, std::string_view file_name) {
  BELFRY_TRY(const auto reader, JsonReader::open(json, "filecoin.manifest", file_name));
  Manifest manifest;
  BELFRY_CHECK(reader->read_root_map(
      [&](std::string_view name, JsonValue value, const JsonPlace& place) -> Result<void> {
        BELFRY_TRY(ManifestEntry entry, read_entry(*reader, value, place));
        manifest.emplace(std::string(name), std::move(entry));
        return {};
      }));
  return manifest;
}

}  // namespace belfry::filecoin
