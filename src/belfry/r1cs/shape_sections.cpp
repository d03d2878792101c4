#include "belfry/r1cs/shape_sections.h"

#include <string_view>

namespace belfry::r1cs::detail {

std::string section_name(std::size_t section) {
  constexpr std::array<std::string_view, kLeadingSections> kLeading{"circuit_id", "bindings",
                                                                    "dictionary"};
  constexpr std::array<std::string_view, kBitmaps> kBitmapNames{"aux_is_bit", "a_aux_density",
                                                                "b_aux_density", "b_input_density"};
  constexpr std::array<std::string_view, kMatrices> kMatrixNames{"a", "b", "c"};
  constexpr std::array<std::string_view, kMatrixLists> kListNames{"groups", "lengths",
                                                                  "long_lengths", "terms", "wide"};
  if (section < kLeadingSections) return std::string(kLeading[section]);
  section -= kLeadingSections;
  std::string name = section < kPartSections ? "header." : "block.";
  section %= kPartSections;
  if (section < kBitmaps) return name.append(kBitmapNames[section]);
  section -= kBitmaps;
  name.append(kMatrixNames[section / kMatrixLists]).append(".");
  return name.append(kListNames[section % kMatrixLists]);
}

HeadNumbers numbers_of(const ShapeView& view) noexcept {
  const PartCounts& header = view.header.counts;
  const PartCounts& block = view.block.counts;
  return {0,           view.blocks,        header.inputs,    header.aux,
          header.bits, header.constraints, block.slots,      block.inputs,
          block.aux,   block.bits,         block.constraints};
}

}  // namespace belfry::r1cs::detail
