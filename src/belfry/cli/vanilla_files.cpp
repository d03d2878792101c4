#include "belfry/cli/vanilla_files.h"

#include <utility>

namespace belfry::cli {

Result<VanillaFiles> open_vanilla(const std::vector<std::string>& names) {
  VanillaFiles vanilla;
  for (const std::string& name : names) {
    BELFRY_TRY(MappedFile file, MappedFile::open(name));
    vanilla.files.push_back(std::move(file));
    vanilla.views.push_back({vanilla.files.back().bytes(), name});
  }
  return vanilla;
}

}  // namespace belfry::cli
