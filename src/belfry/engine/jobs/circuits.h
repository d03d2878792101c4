#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/error.h"
#include "belfry/engine/job_options.h"
#include "belfry/filecoin/formats/proof_types.h"

/// Circuits by name: sizes, digests, shape files.
namespace belfry::engine {

/// Sizes of a circuit: inputs count ONE, constraints do not count the appended input rows.
struct CircuitSummary {
  std::string name;
  std::uint64_t inputs = 0;
  std::uint64_t aux = 0;
  std::uint64_t constraints = 0;
  std::uint32_t domain_log2 = 0;  ///< of the domain that holds constraints and input rows
  std::string params_file;
};

/// Every circuit that this version has, family by family, ascending by size. By formula: costs
/// nothing.
[[nodiscard]] std::vector<CircuitSummary> list_circuits();

struct CircuitDigest {
  CircuitSummary circuit;
  Bytes32 r1cs_digest{};
  std::uint64_t terms = 0;  ///< of A, B and C together
};

/// The R1CS digest of spec circuits.md 7.3 over the whole system, streamed from the cached shape:
/// one core, about 20 ns a term, memory as the shape file. kCancelled within milliseconds, once the
/// shape is there.
[[nodiscard]] Result<CircuitDigest> digest_circuit(const filecoin::Circuit& circuit,
                                                   const JobOptions& options);

struct ShapeFile {
  std::filesystem::path file;
  std::uint64_t bytes = 0;
  Bytes32 sha256{};
};

/// Writes the shape of a circuit to `out`, or into the cache if `out` is empty. kCancelled between
/// making, writing and hashing it: the file is then whole, or not there.
[[nodiscard]] Result<ShapeFile> write_shape_file(const filecoin::Circuit& circuit,
                                                 const std::filesystem::path& out,
                                                 const JobOptions& options);

}  // namespace belfry::engine
