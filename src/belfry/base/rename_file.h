#pragma once

#include <filesystem>

#include "belfry/base/error.h"

namespace belfry {

/// Gives a file or folder its final name, in place of a file that has it, and forces the name to
/// the disk: a loss of power does not bring the old one back. What is in it must have been forced
/// there before, or a good name may stand on bytes that never arrived (AtomicFile does both).
///
/// @return kNotFound, kResourceExhausted or kInvalidInput with the new name
[[nodiscard]] Result<void> rename_file(const std::filesystem::path& from,
                                       const std::filesystem::path& to);

}  // namespace belfry
