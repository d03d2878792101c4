#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/params/verdict.h"
#include "belfry/groth16/work.h"

namespace belfry::groth16 {

/// What a full check of a file found.
struct CheckReport {
  std::string kind;  ///< "params" or "vk"
  std::uint64_t bytes = 0;
  FileDigest digest{};
  std::vector<std::string> checked;  ///< "structure", "curve", "subgroup", "vk", ...
  bool from_cache = false;           ///< a stored verdict on the same path, size, time and digest
};

/// The full check of opened parameters: every point of every vector decodes, lies on the curve and
/// in the subgroup, and is not infinity. kInvalidInput names section, index and offset of the first
/// bad point. Subgroup membership is tested on random bucket sums (bucket_sums.h): a bad point
/// passes with probability 2^-64 at most. Reads the whole file once; parallel.
[[nodiscard]] Result<void> check_points(const Parameters& parameters, const WorkView& work);

/// kInvalidInput unless the `.vk` file holds exactly the first bytes of the parameters.
[[nodiscard]] Result<void> check_same_key(const Parameters& parameters,
                                          const std::filesystem::path& vk_path);

/// Checks a `.params` or `.vk` file (told apart by its extension) fully, and for `.params` also the
/// `.vk` beside it if there is one. Where `cache_dir` is not empty, a good verdict is stored there,
/// keyed by path, size and modification time and bound to the digest (docs/formats.md): a later
/// call reads the whole file once for its digest and skips the points. Errors: kNotFound,
/// kInvalidInput as above; an unreadable verdict counts as none.
[[nodiscard]] Result<CheckReport> check_file(const std::filesystem::path& path,
                                             const std::filesystem::path& cache_dir,
                                             const WorkView& work);

}  // namespace belfry::groth16
