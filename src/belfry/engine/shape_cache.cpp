#include "belfry/engine/shape_cache.h"

#include <filesystem>
#include <string>
#include <system_error>

#include "belfry/engine/metrics.h"
#include "belfry/filecoin/circuits.h"
#include "belfry/r1cs/shape_file.h"

namespace belfry::engine {
namespace {

/// Keeps a shape in the cache and returns the mapped copy.
Result<r1cs::Shape> store(const r1cs::Shape& shape, const std::filesystem::path& path) {
  std::error_code code;
  std::filesystem::create_directories(path.parent_path(), code);
  if (code) {
    return fail(Error{ErrorCode::kResourceExhausted, "engine.shape_cache",
                      "can not make the cache: " + code.message()}
                    .in_file(path.parent_path().string()));
  }
  BELFRY_CHECK(r1cs::write_shape(shape, path));
  return r1cs::read_shape(path);
}

/// A cached shape is of use if it is whole and of the circuit that its name says.
Result<r1cs::Shape> read_cached(const filecoin::Circuit& circuit,
                                const std::filesystem::path& path) {
  BELFRY_TRY(r1cs::Shape shape, r1cs::read_shape(path));
  BELFRY_TRY(const auto counts, filecoin::circuit_counts(circuit));
  const bool same = shape.circuit_id() == circuit.name() && shape.inputs() == counts.inputs &&
                    shape.aux() == counts.aux && shape.constraints() == counts.constraints;
  if (!same) {
    return fail(invalid("engine.shape_cache", "the shape is of another circuit")
                    .in_file(path.string())
                    .but(circuit.name(), shape.circuit_id()));
  }
  return shape;
}

}  // namespace

Result<r1cs::Shape> extract_shape(const filecoin::Circuit& circuit, const JobOptions& options) {
  const trace::Span span(options.tracer, "engine.extract_shape");
  return filecoin::circuit_shape(circuit, options.cancel);
}

std::filesystem::path shape_path(const filecoin::Circuit& circuit, const JobOptions& options) {
  return options.cache_dir / (circuit.name() + ".shape");
}

Result<r1cs::Shape> load_shape(const filecoin::Circuit& circuit, const JobOptions& options) {
  const trace::Span span(options.tracer, "engine.load_shape");
  const std::filesystem::path path = shape_path(circuit, options);
  auto cached = read_cached(circuit, path);
  if (cached) return cached;
  if (cached.error().code != ErrorCode::kNotFound) {
    trace::write_log(options.tracer, "engine", trace::Level::kWarning,
                     "a cached shape is of no use and is made anew",
                     {{"reason", cached.error().describe()}});
    trace::count(options.tracer, kShapesReplaced, 1, circuit.name());
  }
  trace::write_log(options.tracer, "engine", trace::Level::kInfo, "extracting a shape",
                   {{"circuit", circuit.name()}});
  BELFRY_TRY(r1cs::Shape shape, extract_shape(circuit, options));
  BELFRY_CHECK(options.cancel.check("engine.load_shape"));
  auto stored = store(shape, path);
  if (stored) return stored;
  trace::write_log(options.tracer, "engine", trace::Level::kWarning,
                   "the shape is not cached: the next job extracts it again",
                   {{"reason", stored.error().describe()}});
  return shape;
}

}  // namespace belfry::engine
