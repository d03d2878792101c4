#include "belfry/cli/vanilla_files.h"

#include <system_error>
#include <utility>

#include "belfry/base/write_file.h"

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

Result<VanillaFolder> VanillaFolder::create(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(path, code);
  if (!code) return VanillaFolder(path);
  return fail(invalid("cli.vanilla", "can not create: " + code.message()).in_file(path));
}

Result<void> VanillaFolder::write(std::uint64_t number, ByteSpan proof) {
  const auto file = path_ / ("vanilla-" + std::to_string(number) + ".bin");
  BELFRY_CHECK(write_file(file, proof));
  text_ += (files_.empty() ? "" : "\n") + file.string();
  files_.emplace_back(file.string());
  return {};
}

Outcome VanillaFolder::outcome() && {
  Outcome outcome{.text = std::move(text_)};
  outcome.result.add("files", Json(files_));
  return outcome;
}

}  // namespace belfry::cli
