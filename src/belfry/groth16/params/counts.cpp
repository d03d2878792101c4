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
    std::uint64_t offset;  ///< of the count in the file
    std::uint64_t expected;
    std::uint64_t found;
  };
  const QueryCounts want = query_counts(shape);
  const QueryCounts have = parameters.counts();
  const auto row_of = [&parameters](Section section, std::uint64_t expected, std::uint64_t found) {
    return Row{to_string(section), parameters.layout(section).offset, expected, found};
  };
  const std::uint64_t ic_offset = verifying_key_bytes(0) - sizeof(std::uint32_t);
  const std::array rows{Row{"ic", ic_offset, want.ic, have.ic}, row_of(Section::kH, want.h, have.h),
                        row_of(Section::kL, want.l, have.l), row_of(Section::kA, want.a, have.a),
                        row_of(Section::kBG1, want.b, have.b)};
  for (const Row& row : rows) {
    if (row.expected == row.found) continue;
    return fail(invalid("groth16.params.counts",
                        "the parameters are not those of the circuit " + shape.circuit_id())
                    .in_file(parameters.path().string())
                    .in_section(std::string(row.section))
                    .at(row.offset)
                    .but(std::to_string(row.expected) + " points", std::to_string(row.found)));
  }
  return {};
}

}  // namespace belfry::groth16
