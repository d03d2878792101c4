#include "belfry/base/rename_file.h"

#include <cerrno>
#include <cstdio>

#include "belfry/base/file_io.h"

namespace belfry {

Result<void> rename_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0) {
    return fail(detail::io_error(to, "can not rename to", errno));
  }
  return detail::sync_folder_of(to);
}

}  // namespace belfry
