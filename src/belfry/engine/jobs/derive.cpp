#include "belfry/engine/jobs/derive.h"

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

#include "belfry/engine/backend_policy.h"
#include "belfry/engine/jobs/parameter_files.h"
#include "belfry/engine/prove_budget.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/groth16/derived/derived_file.h"

namespace belfry::engine {
namespace {

/// Where the file is made: beside the parameters if that folder can be written, else in the cache.
std::filesystem::path target_of(const groth16::Parameters& parameters, const JobOptions& options) {
  const auto paths = groth16::derived_paths(parameters, options.cache_dir);
  std::error_code ignored;
  const std::filesystem::path folder =
      std::filesystem::absolute(paths.front(), ignored).parent_path();
  if (::access(folder.c_str(), W_OK) == 0) return paths.front();
  std::filesystem::create_directories(options.cache_dir, ignored);
  return paths.back();
}

Result<void> check_memory(const filecoin::Circuit& circuit, const r1cs::Shape& shape,
                          const JobOptions& options) {
  const std::uint64_t needed = groth16::derive_host_bytes(shape);
  const std::uint64_t allowed = allowed_memory_bytes(options);
  if (needed <= allowed) return {};
  return fail(
      Error{ErrorCode::kResourceExhausted, "engine.derive",
            "deriving parameters of " + circuit.name() + " needs more memory than is allowed"}
          .but(std::to_string(needed) + " bytes", std::to_string(allowed) + " bytes")
          .with_hint("Raise the memory budget"));
}

}  // namespace

Result<DerivedReport> derive_parameters(const filecoin::Circuit& circuit, const JobOptions& options,
                                        WholeFile whole) {
  const trace::Span span(options.tracer, "engine.derive");
  BELFRY_TRY(const groth16::Parameters parameters, open_parameters(circuit, options));
  BELFRY_TRY(const r1cs::Shape shape, load_shape(circuit, options));
  if (whole == WholeFile::kKeep) {
    BELFRY_TRY(const auto found,
               groth16::find_derived(parameters, shape, options.cache_dir, options.work()));
    if (found) {
      return DerivedReport{.made = {.file = found->path(), .bytes = found->bytes()},
                           .were_there = true};
    }
  }
  BELFRY_CHECK(check_memory(circuit, shape, options));
  BELFRY_CHECK(check_parameter_file(parameters.path(), circuit, options));
  BELFRY_CHECK(require_card(
      "Derive them on a machine with a GPU and copy the file; the CPU proves without"));
  const groth16::CudaOptions cuda{.vram_budget_bytes = options.vram_budget_bytes};
  BELFRY_TRY(const auto made,
             groth16::derive_parameters(parameters, shape, target_of(parameters, options), cuda,
                                        options.work()));
  return DerivedReport{.made = made};
}

}  // namespace belfry::engine
