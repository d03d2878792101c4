#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "belfry/r1cs/coefficient.h"
#include "support/vectors.h"

namespace belfry::test {

/// A small system of tests/vectors/mini/<name>/system.json as a circuit without blocks, for
/// r1cs::extract_shape and r1cs::compute_witness.
class MiniSystem {
 public:
  explicit MiniSystem(std::string_view name)
      : file_("mini/" + std::string(name) + "/system.json") {}

  [[nodiscard]] static std::uint64_t blocks() { return 0; }

  template <class Cs>
  int header(Cs& cs) const {
    std::vector<typename Cs::Ref> inputs;
    std::vector<typename Cs::Ref> aux;
    bool one = true;
    for (const auto value : file_["inputs"].get_array()) {
      // ONE is there already.
      inputs.push_back(one ? one_of<Cs>()
                           : cs.alloc_input(cs.given([&] { return fr_from_big_endian(value); })));
      one = false;
    }
    for (const auto value : file_["aux"].get_array()) {
      aux.push_back(cs.alloc_field(cs.given([&] { return fr_from_big_endian(value); })));
    }
    for (const auto row : file_["constraints"].get_array()) {
      const auto read = [&](std::string_view side) {
        typename Cs::Lc lc;
        for (const auto term : row[side].get_array()) {
          const auto& family = std::string_view(term.at(0)) == "input" ? inputs : aux;
          lc.plus(family[std::uint64_t(term.at(1))],
                  fr_from_big_endian(std::string_view(term.at(2))));
        }
        return lc;
      };
      cs.enforce(read("a"), read("b"), read("c"));
    }
    return 0;
  }
  template <class Cs>
  static void block(Cs&, int, std::uint64_t) {}

 private:
  template <class Cs>
  [[nodiscard]] static typename Cs::Ref one_of() {
    if constexpr (Cs::kComputesValues) {
      return {};
    } else {
      return Cs::Ref::one();
    }
  }

  JsonFile file_;
};

/// Their names.
inline constexpr std::string_view kMiniSystems[] = {"one-row", "tiny", "rows-252-inputs-4",
                                                    "rows-253-inputs-4", "rows-300-inputs-50"};

}  // namespace belfry::test
