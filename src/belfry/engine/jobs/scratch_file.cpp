#include "belfry/engine/jobs/scratch_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace belfry::engine {
namespace {

constexpr const char* kStage = "engine.scratch_file";

}  // namespace

Result<ScratchFile> ScratchFile::reserve(const std::filesystem::path& path) {
  const int descriptor =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor >= 0) {
    (void)::close(descriptor);
    return ScratchFile(path);
  }
  const int reason = errno;
  if (reason == EEXIST) {
    return fail(Error{ErrorCode::kInvalidUsage, kStage,
                      "a scratch file is written and removed, and something stands there already"}
                    .in_file(path.string())
                    .with_hint("Name a path where there is nothing"));
  }
  return fail(Error{ErrorCode::kInvalidUsage, kStage,
                    "can not make a scratch file: " + std::generic_category().message(reason)}
                  .in_file(path.string()));
}

ScratchFile::~ScratchFile() {
  if (path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

}  // namespace belfry::engine
