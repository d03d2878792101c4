#pragma once

#include <filesystem>
#include <string_view>

#include "belfry/base/atomic_directory.h"
#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/filecoin/formats/proof_types.h"
#include "belfry/filecoin/native/work.h"
#include "belfry/filecoin/sealing/seal.h"
#include "belfry/trace/span.h"

/// What sealing and updating a sector have in common.
namespace belfry::filecoin {

/// kInvalidInput, with the name of its file, if unpadded data is longer than the sector has room
/// for.
[[nodiscard]] Result<void> check_data_fits(const SectorParams& sector, ByteSpan data,
                                           std::string_view stage, std::string_view file);

/// The folder of a sector to be filled, with an empty cache/ in it. Errors as AtomicDirectory.
[[nodiscard]] Result<AtomicDirectory> create_sector_folder(const std::filesystem::path& directory,
                                                           std::string_view stage);

/// Work that tells its progress to the span, which outlives it.
[[nodiscard]] WorkView work_of(const SealOptions& options, trace::Span& span);

}  // namespace belfry::filecoin
