#include "belfry/base/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "belfry/base/file_io.h"

namespace belfry {

Result<OutputFile> OutputFile::create(const std::filesystem::path& path) {
  constexpr mode_t kMode = S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH;
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kMode);
  if (descriptor < 0) return fail(detail::io_error(path, "can not create", errno));
  detail::let_others_read(descriptor);
  return OutputFile(path, descriptor);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) (void)::close(descriptor_);
}

Result<void> OutputFile::write_at(std::uint64_t offset, ByteSpan bytes) {
  return detail::write_fully(path_, descriptor_, bytes, offset);
}

Result<void> OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) == 0) return {};
  return fail(detail::io_error(path_, "can not close", errno));
}

Result<void> write_output_file(const std::filesystem::path& path, ByteSpan bytes) {
  BELFRY_TRY(OutputFile file, OutputFile::create(path));
  BELFRY_CHECK(file.write_at(0, bytes));
  return file.close();
}

}  // namespace belfry
