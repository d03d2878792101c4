#include "belfry/base/unnamed_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "belfry/base/file_io.h"
#include "belfry/base/rename_file.h"

namespace belfry {
namespace {

/// What the process itself calls an open file.
std::filesystem::path own_path(int descriptor) {
  return "/proc/self/fd/" + std::to_string(descriptor);
}

/// A descriptor of a file without a name, or -1 where there is no such thing, or no way to give it
/// a name later.
int open_unnamed(const std::filesystem::path& target) {
  const std::filesystem::path parent = target.parent_path();
  const int descriptor = ::open(parent.empty() ? "." : parent.c_str(),
                                O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (descriptor < 0 || ::access(own_path(descriptor).c_str(), F_OK) == 0) return descriptor;
  (void)::close(descriptor);
  return -1;
}

}  // namespace

using detail::io_error;

Result<UnnamedFile> UnnamedFile::create(const std::filesystem::path& target) {
  const int descriptor = open_unnamed(target);
  if (descriptor >= 0) {
    detail::let_others_read(descriptor);
    return UnnamedFile(target, {}, descriptor);
  }
  BELFRY_TRY(auto made, detail::create_beside(target));
  return UnnamedFile(target, std::move(made.name), made.descriptor);
}

UnnamedFile::~UnnamedFile() {
  if (descriptor_ >= 0) (void)::close(descriptor_);
  if (!name_.empty()) (void)::unlink(name_.c_str());
}

Result<void> UnnamedFile::write(ByteSpan bytes) {
  BELFRY_CHECK(detail::write_fully(target_, descriptor_, bytes, size_));
  size_ += bytes.size();
  return {};
}

Result<void> UnnamedFile::write_at(std::uint64_t offset, ByteSpan bytes) {
  return detail::write_fully(target_, descriptor_, bytes, offset);
}

std::filesystem::path UnnamedFile::readable_path() const {
  return name_.empty() ? own_path(descriptor_) : name_;
}

Result<void> UnnamedFile::link() {
  constexpr unsigned kMostTries = 1000;
  const std::string stem = target_.string() + "." + std::to_string(::getpid()) + "-";
  for (unsigned i = 0; i < kMostTries; ++i) {
    const std::string name = stem + std::to_string(i);
    if (::linkat(AT_FDCWD, own_path(descriptor_).c_str(), AT_FDCWD, name.c_str(),
                 AT_SYMLINK_FOLLOW) == 0) {
      name_ = name;
      return {};
    }
    // Another thread's file, or one of a process that has this number elsewhere.
    if (errno != EEXIST) break;
  }
  return fail(io_error(target_, "can not name", errno));
}

Result<void> UnnamedFile::commit() {
  if (::fsync(descriptor_) != 0) return fail(io_error(target_, "can not flush", errno));
  if (name_.empty()) BELFRY_CHECK(link());
  BELFRY_CHECK(rename_file(name_, target_));
  name_.clear();
  (void)::close(std::exchange(descriptor_, -1));
  return {};
}

}  // namespace belfry
