#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "belfry/base/bytes.h"
#include "belfry/cli/test_secrets.h"
#include "belfry/config/settings.h"
#include "belfry/filecoin/formats/manifest.h"
#include "belfry/groth16/params/verdict.h"
#include "fuzz/by_first_byte.h"
#include "fuzz/memory_file.h"

namespace {

using belfry::ByteSpan;

/// A manifest whose digests have 32 digits.
void manifest(ByteSpan bytes) {
  constexpr std::size_t kDigits = 32;
  const auto parsed = belfry::filecoin::parse_manifest(bytes, "fuzz");
  if (!parsed) return;
  for (const auto& [name, entry] : *parsed) {
    if (entry.digest.size() != kDigits) std::abort();
  }
}

/// Settings of which every row has something to show.
void config_file(ByteSpan bytes) {
  const belfry::fuzz::MemoryFile file(bytes);
  belfry::config::Settings settings;
  if (!belfry::config::read_config_file(file.path(), settings)) return;
  for (const auto& row : belfry::config::settings_table()) {
    if (row.show(settings).empty()) std::abort();
  }
}

/// The cache with the verdict on one file, gone when the fuzzer ends.
class VerdictFolder {
 public:
  VerdictFolder() {
    if (!cache_.store(file_, {})) std::abort();
    path_ = std::filesystem::directory_iterator(folder_)->path();
  }
  VerdictFolder(const VerdictFolder&) = delete;
  VerdictFolder& operator=(const VerdictFolder&) = delete;
  ~VerdictFolder() { std::filesystem::remove_all(folder_); }

  /// What the cache makes of these bytes.
  [[nodiscard]] std::optional<belfry::groth16::FileDigest> find(ByteSpan bytes) const {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return cache_.find(file_);
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("belfry-fuzz-" + std::to_string(::getpid()));
  belfry::groth16::FileIdentity file_{.path = "/f", .bytes = 1, .modified_ns = 2};
  belfry::groth16::VerdictCache cache_{folder_};
  std::filesystem::path path_;
};

/// A verdict counts only if it is what would be stored.
void verdict(ByteSpan bytes) {
  static const VerdictFolder folder;
  const auto digest = folder.find(bytes);
  if (!digest) return;
  const std::string text = "belfry parameter verdict 1\npath /f\nbytes 1\nmodified_ns 2\ndigest " +
                           belfry::to_hex(*digest) + "\n";
  if (!std::ranges::equal(belfry::as_bytes(text), bytes)) std::abort();
}

/// A trapdoor has no zero; there are as many s as r.
void test_secrets(ByteSpan bytes) {
  const belfry::fuzz::MemoryFile file(bytes);
  const auto trapdoor = belfry::cli::read_test_trapdoor(file.path());
  if (trapdoor && trapdoor->tau.is_zero()) std::abort();
  const auto randomness = belfry::cli::read_test_randomness(file.path());
  if (randomness && randomness->empty()) std::abort();
}

}  // namespace

/// Small text files of operators and of the cache: what is read is sound, or there is an error. The
/// first byte chooses which file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array kFiles{manifest, config_file, verdict, test_secrets};
  belfry::fuzz::by_first_byte(kFiles, {data, size});
  return 0;
}
