#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "belfry/base/executor.h"
#include "belfry/gadgets/boolean.h"
#include "belfry/gadgets/number.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/multiply.h"
#include "belfry/r1cs/shape.h"
#include "belfry/r1cs/synthesize.h"
#include "support/vectors.h"

/// Runs gadgets under both interpreters. A gadget is a generic lambda `[](auto& cs) { ... }`.
namespace belfry::test {

/// The constraint system type behind a lambda's `auto& cs`.
template <class CsRef>
using CsOf = std::remove_cvref_t<CsRef>;

/// A circuit that is a header alone. One type for all gadgets, so that what runs circuits is
/// compiled once and not once a gadget.
class GadgetCircuit {
 public:
  template <class Gadget>
  explicit GadgetCircuit(const Gadget& gadget) : shape_(gadget), witness_(gadget) {}

  [[nodiscard]] static std::uint64_t blocks() { return 0; }
  template <class Cs>
  int header(Cs& cs) const {
    if constexpr (std::is_same_v<Cs, r1cs::ShapeBuilder>) {
      shape_(cs);
    } else {
      witness_(cs);
    }
    return 0;
  }
  template <class Cs>
  static void block(Cs&, int, std::uint64_t) {}

 private:
  std::function<void(r1cs::ShapeBuilder&)> shape_;
  std::function<void(r1cs::WitnessBuilder&)> witness_;
};

/// "num 3" and "bit 1" of the golden tables: freshly allocated, with that value.
template <class Cs>
gadgets::AllocatedNumber<Cs> num(Cs& cs, std::uint64_t value) {
  return gadgets::AllocatedNumber<Cs>::alloc(cs, cs.given([&] { return Fr::from_u64(value); }));
}
template <class Cs>
gadgets::AllocatedBit<Cs> bit(Cs& cs, bool value) {
  return gadgets::AllocatedBit<Cs>::alloc(cs, cs.given([&] { return value; }));
}
template <class Cs>
gadgets::Boolean<Cs> boolean(Cs& cs, bool value) {
  return gadgets::Boolean<Cs>::is(bit(cs, value));
}
/// msgbits(n): bit i is bit (7 - i mod 8) of byte i/8, byte j has the value j mod 256.
template <class Cs>
gadgets::Booleans<Cs> message_bits(Cs& cs, std::size_t n) {
  gadgets::Booleans<Cs> bits;
  for (std::size_t i = 0; i < n; ++i) {
    bits.push_back(boolean(cs, (((i / 8) >> (7 - i % 8)) & 1) != 0));
  }
  return bits;
}

/// A synthesised system: shape, witness and products.
struct System {
  r1cs::Shape shape;
  r1cs::PackedWitness witness;
  std::vector<Fr> a, b, c;
};

/// The products of all three matrices, appended rows included.
inline void multiply_all(System& system) {
  const Executor executor(2);
  for (auto [matrix, out] :
       {std::pair{r1cs::Matrix::kA, &system.a}, std::pair{r1cs::Matrix::kB, &system.b},
        std::pair{r1cs::Matrix::kC, &system.c}}) {
    out->assign(system.shape.rows(), Fr::one());
    const auto done = r1cs::multiply(system.shape, matrix, system.witness, *out, executor);
    ASSERT_TRUE(done.has_value()) << done.error().describe();
  }
}

/// The first row that is not satisfied, or the number of rows.
inline std::size_t first_unsatisfied(const System& system) {
  for (std::size_t row = 0; row < system.a.size(); ++row) {
    if (!(system.a[row] * system.b[row] == system.c[row])) return row;
  }
  return system.a.size();
}

/// What run_circuit checks of any circuit.
inline System satisfied_system(
    std::string_view name, const Result<r1cs::Shape>& shape,
    const std::function<Result<r1cs::PackedWitness>(const r1cs::WitnessLayout&)>& make_witness) {
  System system;
  if (!shape) {
    ADD_FAILURE() << shape.error().describe();
    return system;
  }
  system.shape = *shape;
  auto witness = make_witness(system.shape.layout());
  if (!witness) {
    ADD_FAILURE() << name << ": " << witness.error().describe();
    return system;
  }
  system.witness = *std::move(witness);
  multiply_all(system);
  EXPECT_EQ(first_unsatisfied(system), system.a.size()) << name;
  return system;
}

/// Shape, witness and products of a circuit; every row must be satisfied.
template <class Circuit>
System run_circuit(const Circuit& circuit, std::string_view name) {
  return satisfied_system(name, r1cs::extract_shape(std::string(name), circuit),
                          [&](const r1cs::WitnessLayout& layout) {
                            return r1cs::compute_witness(layout, circuit, Executor(2));
                          });
}

template <class Gadget>
System run_gadget(const Gadget& gadget, std::string_view name) {
  return run_circuit(GadgetCircuit(gadget), name);
}

/// Compares a gadget with its row of tests/vectors/gadgets/golden.json (spec gadgets.md 17.2).
class GoldenTable {
 public:
  GoldenTable() : file_("gadgets/golden.json") {}

  /// The row of that name; a missing one fails the test.
  [[nodiscard]] simdjson::dom::element row(std::string_view name) const {
    for (const auto row : file_.root().get_array()) {
      if (std::string_view(row["name"]) == name) return row;
    }
    ADD_FAILURE() << "no golden row " << name;
    return {};
  }

  template <class Gadget>
  System check(std::string_view name, const Gadget& gadget) const {
    return check_circuit(name, GadgetCircuit(gadget));
  }

 private:
  [[nodiscard]] System check_circuit(std::string_view name, const GadgetCircuit& circuit) const {
    SCOPED_TRACE(name);
    System system = run_circuit(circuit, name);
    const auto golden = row(name);
    const r1cs::Shape& shape = system.shape;
    EXPECT_EQ(shape.inputs(), std::uint64_t(golden["inputs"]));
    EXPECT_EQ(shape.aux(), std::uint64_t(golden["aux"]));
    EXPECT_EQ(shape.constraints(), std::uint64_t(golden["constraints"]));
    EXPECT_EQ(shape.dense_a_aux(), std::uint64_t(golden["a_aux_density"]));
    EXPECT_EQ(shape.dense_b_inputs(), std::uint64_t(golden["b_input_density"]));
    EXPECT_EQ(shape.dense_b_aux(), std::uint64_t(golden["b_aux_density"]));
    EXPECT_EQ(to_hex(r1cs::cs_hash(shape)), std::string_view(golden["cs_hash"]));
    EXPECT_EQ(to_hex(r1cs::witness_hash(shape, system.witness)),
              std::string_view(golden["witness_hash"]));
    // The rows as they are streamed are those that were stored.
    r1cs::CsHash streamed({shape.inputs(), shape.aux(), shape.constraints()});
    r1cs::DigestSink sink(streamed);
    r1cs::ShapeBuilder builder(sink);
    circuit.header(builder);
    EXPECT_EQ(to_hex(streamed.finish()), std::string_view(golden["cs_hash"]));
    return system;
  }

  JsonFile file_;
};

inline const GoldenTable& golden() {
  static const GoldenTable table;
  return table;
}

}  // namespace belfry::test
