#include "belfry/base/atomic_directory.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include "belfry/base/file_io.h"
#include "belfry/base/rename_file.h"

namespace belfry {
namespace {

/// The standard library's codes are those of errno here.
Error directory_error(const std::filesystem::path& path, const std::string& action,
                      const std::error_code& code) {
  return detail::io_error(path, action, code.value());
}

/// The target may be missing or an empty folder.
Result<void> check_free(const std::filesystem::path& target) {
  std::error_code code;
  const auto status = std::filesystem::symlink_status(target, code);
  if (status.type() == std::filesystem::file_type::not_found) return {};
  if (code) return fail(directory_error(target, "can not look at", code));
  const bool empty = status.type() == std::filesystem::file_type::directory &&
                     std::filesystem::is_empty(target, code);
  if (code) return fail(directory_error(target, "can not look into", code));
  if (empty) return {};
  return fail(invalid("base.directory", "the name is taken")
                  .in_file(target.string())
                  .but("nothing, or an empty folder", "a file or a folder with files")
                  .with_hint("Choose another name; nothing is overwritten"));
}

}  // namespace

Result<AtomicDirectory> AtomicDirectory::create(const std::filesystem::path& target) {
  // "name/" is "name".
  const std::filesystem::path plain = target.has_filename() ? target : target.parent_path();
  BELFRY_CHECK(check_free(plain));
  std::error_code code;
  if (plain.has_parent_path()) std::filesystem::create_directories(plain.parent_path(), code);
  if (code) return fail(directory_error(plain.parent_path(), "can not create", code));
  std::string name = plain.string() + ".XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) {
    return fail(detail::io_error(plain, "can not create", errno));
  }
  (void)::chmod(name.c_str(), S_IRWXU | S_IRGRP | S_IXGRP | S_IROTH | S_IXOTH);
  return AtomicDirectory(plain, name);
}

AtomicDirectory::AtomicDirectory(std::filesystem::path target, std::filesystem::path temporary)
    : target_(std::move(target)), temporary_(std::move(temporary)) {}

AtomicDirectory::AtomicDirectory(AtomicDirectory&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, std::filesystem::path())) {}

AtomicDirectory::~AtomicDirectory() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove_all(temporary_, ignored);
}

Result<void> AtomicDirectory::commit() {
  BELFRY_CHECK(rename_file(temporary_, target_));
  temporary_.clear();
  return {};
}

}  // namespace belfry
