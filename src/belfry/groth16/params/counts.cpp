#include "belfry/groth16/params/counts.h"

#include <array>
#include <bit>
#include <string>
#include <string_view>

namespace belfry::groth16 {

QueryCounts query_counts(const r1cs::Shape& shape) {
  return {.ic = shape.inputs(),
          .h = std::bit_ceil(shape.rows()) - 1,
          .l = shape.aux(),
          .a = shape.inputs() + shape.dense_a_aux(),
          .b = shape.dense_b_inputs() + shape.dense_b_aux()};
}

Result<void> check_counts(const Parameters& parameters, const r1cs::Shape& shape) {
  struct Row {
    std::string_view section;
    std::uint64_t expected;
    std::uint64_t found;
  };
  const QueryCounts want = query_counts(shape);
  const QueryCounts have = parameters.counts();
  const std::array rows{Row{"ic", want.ic, have.ic}, Row{"h", want.h, have.h},
                        Row{"l", want.l, have.l}, Row{"a", want.a, have.a},
                        Row{"b_g1", want.b, have.b}};
  for (const Row& row : rows) {
    if (row.expected == row.found) continue;
    return fail(invalid("groth16.params.counts",
                        "the parameters are not those of the circuit " + shape.circuit_id())
                    .in_file(parameters.path().string())
                    .in_section(std::string(row.section))
                    .but(std::to_string(row.expected) + " points", std::to_string(row.found)));
  }
  return {};
}

}  // namespace belfry::groth16
