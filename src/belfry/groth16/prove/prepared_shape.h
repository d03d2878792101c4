#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "belfry/base/error.h"
#include "belfry/groth16/params/params.h"
#include "belfry/groth16/prove/query_tail.h"
#include "belfry/r1cs/coded_shape.h"
#include "belfry/r1cs/shape.h"

namespace belfry::groth16 {

/// What a device prover makes of a shape on the host, once. Immutable; thread-safe.
struct PreparedShape {
  r1cs::Shape shape;  ///< keeps the storage alive
  r1cs::CodedShape coded;
  QuotientBasis basis;
  QueryCounts points;              ///< of the queries, as the basis wants them
  std::array<QueryTail, 3> tails;  ///< of the queries in their order: L, A, B

  /// Errors of query_tail and CodedShape::create. Cost at 32 GiB: some tenths of a second.
  [[nodiscard]] static Result<std::shared_ptr<const PreparedShape>> create(
      const r1cs::Shape& shape, QuotientBasis basis = QuotientBasis::kCoefficients);

  /// True if it was made of the same rows, wherever they lie: each job maps its shape file anew.
  /// Cost: none for the same storage, else one pass over both (190 MB at 32 GiB: 20 ms).
  [[nodiscard]] bool is_of(const r1cs::Shape& other) const noexcept;
  /// Bytes held beside the shape itself.
  [[nodiscard]] std::uint64_t memory_bytes() const noexcept;
  [[nodiscard]] const QueryTail& tail(Query query) const noexcept {
    return tails[static_cast<std::size_t>(query)];
  }
};

}  // namespace belfry::groth16
