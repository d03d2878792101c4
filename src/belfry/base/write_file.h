#pragma once

#include <filesystem>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"

namespace belfry {

/// Writes a file whole or not at all: an AtomicFile from creation to commit, and its errors.
[[nodiscard]] Result<void> write_file(const std::filesystem::path& path, ByteSpan bytes);

}  // namespace belfry
