#include "belfry/base/write_file.h"

#include "belfry/base/file.h"

namespace belfry {

Result<void> write_file(const std::filesystem::path& path, ByteSpan bytes) {
  BELFRY_TRY(AtomicFile file, AtomicFile::create(path));
  BELFRY_CHECK(file.write(bytes));
  return file.commit();
}

}  // namespace belfry
