#include "belfry/base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "belfry/base/file_io.h"
#include "belfry/base/rename_file.h"

namespace belfry {
namespace {

/// A descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int value) noexcept : value_(value) {}
  Descriptor(Descriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor& operator=(Descriptor&&) = delete;
  ~Descriptor() {
    if (value_ >= 0) (void)::close(value_);
  }
  [[nodiscard]] int get() const noexcept { return value_; }

 private:
  int value_;
};

}  // namespace

namespace detail {

Error io_error(const std::filesystem::path& path, const std::string& action, int code) {
  ErrorCode kind = ErrorCode::kInvalidInput;
  if (code == ENOENT || code == ENOTDIR) kind = ErrorCode::kNotFound;
  const bool full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  if (full || code == ENOMEM) kind = ErrorCode::kResourceExhausted;
  return Error{kind, "base.file", action + ": " + std::generic_category().message(code)}.in_file(
      path.string());
}

Result<void> write_fully(const std::filesystem::path& path, int descriptor, ByteSpan bytes,
                         std::uint64_t offset) {
  while (!bytes.empty()) {
    const ssize_t n = ::pwrite(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(io_error(path, "can not write", errno));
    bytes = bytes.subspan(static_cast<std::size_t>(n));
    offset += static_cast<std::uint64_t>(n);
  }
  return {};
}

void let_others_read(int descriptor) noexcept {
  (void)::fchmod(descriptor, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
}

Result<FileBeside> create_beside(const std::filesystem::path& target) {
  std::string name = target.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) return fail(io_error(target, "can not create", errno));
  let_others_read(descriptor);
  return FileBeside{name, descriptor};
}

Result<void> sync_folder_of(const std::filesystem::path& path) {
  const std::filesystem::path parent = path.parent_path();
  const Descriptor folder(
      ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || ::fsync(folder.get()) == 0) return {};
  if (errno == EINVAL || errno == ENOTSUP) return {};
  return fail(io_error(path, "can not flush the folder of", errno));
}

}  // namespace detail

using detail::io_error;
using detail::write_fully;

namespace {

struct OpenedFile {
  Descriptor file;
  std::size_t size;
};

Result<OpenedFile> open_regular(const std::filesystem::path& path) {
  // Without O_NONBLOCK the call would wait for a writer if the name is a pipe.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return fail(io_error(path, "can not open", errno));
  struct stat info{};
  if (::fstat(file.get(), &info) != 0) return fail(io_error(path, "can not stat", errno));
  if (!S_ISREG(info.st_mode)) {
    return fail(invalid("base.file", "not a regular file").in_file(path.string()));
  }
  return OpenedFile{std::move(file), static_cast<std::size_t>(info.st_size)};
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  BELFRY_TRY(const OpenedFile opened, open_regular(path));
  const std::size_t size = opened.size;
  if (size == 0) return MappedFile(path, {});
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, opened.file.get(), 0);
  if (data == MAP_FAILED) return fail(io_error(path, "can not map", errno));
  return MappedFile(path, {static_cast<const std::uint8_t*>(data), size});
}

MappedFile::~MappedFile() {
  if (bytes_.empty()) return;
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): munmap takes a mutable pointer
  (void)::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

Result<std::vector<std::uint8_t>> read_file(const std::filesystem::path& path,
                                            std::uint64_t limit_bytes) {
  BELFRY_TRY(const OpenedFile opened, open_regular(path));
  if (opened.size > limit_bytes) {
    return fail(
        invalid("base.file", "the file is too large")
            .in_file(path.string())
            .in_section("file")
            .at(limit_bytes)
            .but("at most " + std::to_string(limit_bytes) + " bytes", std::to_string(opened.size)));
  }
  std::vector<std::uint8_t> bytes(opened.size);
  std::size_t at = 0;
  while (at < bytes.size()) {
    const ssize_t n = ::read(opened.file.get(), bytes.data() + at, bytes.size() - at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail(io_error(path, "can not read", errno));
    if (n == 0) break;  // another process shortened it: the parser sees what is left
    at += static_cast<std::size_t>(n);
  }
  bytes.resize(at);
  return bytes;
}

Result<AtomicFile> AtomicFile::create(const std::filesystem::path& target) {
  BELFRY_TRY(auto made, detail::create_beside(target));
  return AtomicFile(target, std::move(made.name), made.descriptor);
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : target_(std::move(other.target_)),
      temporary_(std::move(other.temporary_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_) {}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  (void)::close(descriptor_);
  (void)::unlink(temporary_.c_str());
}

Result<void> AtomicFile::write(ByteSpan bytes) {
  BELFRY_CHECK(write_fully(target_, descriptor_, bytes, size_));
  size_ += bytes.size();
  return {};
}

Result<void> AtomicFile::write_at(std::uint64_t offset, ByteSpan bytes) {
  return write_fully(target_, descriptor_, bytes, offset);
}

Result<void> AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) return fail(io_error(target_, "can not flush", errno));
  BELFRY_CHECK(rename_file(temporary_, target_));
  (void)::close(std::exchange(descriptor_, -1));
  return {};
}

}  // namespace belfry
