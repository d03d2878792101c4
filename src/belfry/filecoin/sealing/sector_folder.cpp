#include "belfry/filecoin/sealing/sector_folder.h"

#include <cstdint>
#include <string>
#include <system_error>

#include "belfry/filecoin/native/fr32.h"
#include "belfry/filecoin/sealing/sector_files.h"

namespace belfry::filecoin {

Result<void> check_data_fits(const SectorParams& sector, ByteSpan data, std::string_view stage,
                             std::string_view file) {
  const std::uint64_t room = unpadded_size(sector.bytes);
  if (data.size() <= room) return {};
  return fail(invalid(std::string(stage), "the data does not fit into the sector")
                  .in_file(std::string(file))
                  .in_section("data")
                  .at(room)
                  .but("at most " + std::to_string(room) + " bytes", std::to_string(data.size())));
}

Result<AtomicDirectory> create_sector_folder(const std::filesystem::path& directory,
                                             std::string_view stage) {
  BELFRY_TRY(AtomicDirectory folder, AtomicDirectory::create(directory));
  const std::filesystem::path cache = SectorPaths(folder.path()).cache();
  std::error_code code;
  std::filesystem::create_directory(cache, code);
  if (!code) return folder;
  return fail(
      invalid(std::string(stage), "can not create: " + code.message()).in_file(cache.string()));
}

WorkView work_of(const SealOptions& options, trace::Span& span) {
  return {.executor = options.executor,
          .cancel = options.cancel,
          .done = [&span](std::uint64_t amount) { span.advance(amount); }};
}

}  // namespace belfry::filecoin
