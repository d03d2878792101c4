#pragma once

#include <string>
#include <vector>

#include "belfry/base/error.h"
#include "belfry/base/file.h"
#include "belfry/engine/jobs/proof_job.h"

namespace belfry::cli {

/// The files of --vanilla, mapped. The views point to the files and to the names, which outlive
/// them.
struct VanillaFiles {
  std::vector<MappedFile> files;
  std::vector<engine::VanillaFileView> views;
};

/// Errors of MappedFile::open.
[[nodiscard]] Result<VanillaFiles> open_vanilla(const std::vector<std::string>& names);

}  // namespace belfry::cli
