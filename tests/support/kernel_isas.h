#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "belfry/base/cpu.h"

namespace belfry::test {

/// Every kernel table that this CPU can run.
inline std::vector<Isa> kernel_isas() {
  std::vector<Isa> out;
  for (const Isa isa : {Isa::kPortable, Isa::kAdx, Isa::kIfma}) {
    if (isa <= best_isa()) out.push_back(isa);
  }
  return out;
}

/// The same as the name of a parametrised test: no hyphens.
inline constexpr auto kIsaTestName = [](const auto& isa) {
  std::string name(to_string(isa.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
};

}  // namespace belfry::test
