#pragma once

#include <cstddef>
#include <cstdint>

#include "belfry/engine/prove_budget.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/groth16/prove/cpu_backend.h"
#include "groth16/support.h"

namespace belfry::engine::test {

/// The least memory budget with which the CPU proves so many partitions of a circuit at a time.
inline std::uint64_t budget_for(const filecoin::Circuit& circuit, std::size_t partitions,
                                const JobOptions& options) {
  using groth16::test::value_of;
  const r1cs::Shape shape = value_of(load_shape(circuit, options));
  const auto plan = value_of(
      groth16::make_cpu_backend(options.executor)->plan(shape, partitions, ~std::uint64_t{0}));
  return plan.host_bytes() + witness_bytes(shape.layout(), partitions);
}

}  // namespace belfry::engine::test
