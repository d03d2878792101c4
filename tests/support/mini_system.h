#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "support/vectors.h"

namespace belfry::test {

/// The five small systems of tests/vectors/mini.
inline constexpr std::array<std::string_view, 5> kMiniSystems{
    "one-row", "tiny", "rows-252-inputs-4", "rows-253-inputs-4", "rows-300-inputs-50"};

inline std::string mini_file(std::string_view name, std::string_view file) {
  return "mini/" + std::string(name) + "/" + std::string(file);
}

/// Whether variables whose value is 0 or 1 enter as bits (every second of them, so that both kinds
/// mix) or all as field elements. The proof must not depend on it.
enum class BitVariables : std::uint8_t { kNone, kEverySecond };

/// A small system of tests/vectors/mini as a circuit: a header alone.
class MiniSystem {
 public:
  explicit MiniSystem(std::string_view name, BitVariables bits = BitVariables::kNone)
      : bits_(bits) {
    const JsonFile file(mini_file(name, "system.json"));
    for (const auto value : file["inputs"]) {
      inputs_.push_back(fr_from_big_endian(value));
    }
    for (const auto value : file["aux"]) {
      aux_.push_back(fr_from_big_endian(value));
    }
    for (const auto row : file["constraints"]) {
      rows_.push_back({combination(row["a"]), combination(row["b"]), combination(row["c"])});
    }
  }

  /// Values of the inputs, ONE first.
  [[nodiscard]] const std::vector<Fr>& inputs() const { return inputs_; }

  [[nodiscard]] static std::uint64_t blocks() { return 0; }
  template <class Cs>
  static void block(Cs&, int, std::uint64_t) {}

  template <class Cs>
  int header(Cs& cs) const {
    using Ref = typename Cs::Ref;
    std::vector<Ref> inputs;
    for (std::size_t i = 1; i < inputs_.size(); ++i) {
      inputs.push_back(cs.alloc_input(cs.given([&] { return inputs_[i]; })));
    }
    std::vector<Ref> aux;
    for (std::size_t i = 0; i < aux_.size(); ++i) aux.push_back(alloc(cs, i));
    const auto translate = [&](const std::vector<Term>& terms) {
      typename Cs::Lc lc;
      for (const Term& term : terms) {
        if (term.is_input && term.index == 0) {
          lc.plus_one(term.coefficient);
        } else {
          lc.plus(term.is_input ? inputs[term.index - 1] : aux[term.index], term.coefficient);
        }
      }
      return lc;
    };
    for (const Row& row : rows_) {
      cs.enforce(translate(row.a), translate(row.b), translate(row.c));
    }
    return 0;
  }

 private:
  struct Term {
    bool is_input;
    std::size_t index;
    Fr coefficient;
  };
  struct Row {
    std::vector<Term> a, b, c;
  };

  static std::vector<Term> combination(simdjson::dom::element list) {
    std::vector<Term> terms;
    for (const auto term : list) {
      terms.push_back({text(term.at(0).value()) == "input", term.at(1).get_uint64().value(),
                       fr_from_big_endian(term.at(2).value())});
    }
    return terms;
  }

  template <class Cs>
  auto alloc(Cs& cs, std::size_t i) const {
    const bool small = aux_[i].is_zero() || aux_[i] == Fr::one();
    if (bits_ == BitVariables::kEverySecond && small && i % 2 == 0) {
      return cs.alloc_bit(cs.given([&] { return aux_[i] == Fr::one(); }));
    }
    return cs.alloc_field(cs.given([&] { return aux_[i]; }));
  }

  BitVariables bits_;
  std::vector<Fr> inputs_;
  std::vector<Fr> aux_;
  std::vector<Row> rows_;
};

}  // namespace belfry::test
