// Whoever asks a synthesis to stop is answered at once, wherever in a circuit it is.
#include <gtest/gtest.h>

#include <cstdint>

#include "belfry/filecoin/circuits.h"
#include "belfry/filecoin/porep/circuit.h"
#include "belfry/filecoin/update/circuit.h"
#include "belfry/r1cs/synthesize.h"

namespace belfry::filecoin {
namespace {

const SectorParams& large_sector() { return **find_sector("32GiB"); }

TEST(StoppedShape, OfEveryFamilyIsCancelled) {
  CancelSource source;
  for (const CircuitKind kind : circuit_families()) {
    const Circuit circuit{kind, *find_sector("2KiB")};
    EXPECT_TRUE(circuit_shape(circuit, source.token())) << circuit.name();
  }
  source.cancel();
  for (const CircuitKind kind : circuit_families()) {
    const Circuit circuit{kind, &large_sector()};
    const auto shape = circuit_shape(circuit, source.token());
    ASSERT_FALSE(shape) << circuit.name();
    EXPECT_EQ(shape.error().code, ErrorCode::kCancelled) << circuit.name();
  }
}

/// Counts rows, and asks to stop at one of them.
class StopAtRow final : public r1cs::ConstraintSink {
 public:
  explicit StopAtRow(std::uint64_t row) : row_(row) {}
  void on_constraint(const r1cs::LinearCombination&, const r1cs::LinearCombination&,
                     const r1cs::LinearCombination&) override {
    if (++rows_ == row_) source_.cancel();
  }
  [[nodiscard]] CancelToken token() const { return source_.token(); }
  [[nodiscard]] std::uint64_t rows() const noexcept { return rows_; }

 private:
  CancelSource source_;
  std::uint64_t row_;
  std::uint64_t rows_ = 0;
};

/// How many rows header and one block go on for when they are stopped at a row.
template <class Circuit>
std::uint64_t rows_after(std::uint64_t row, const Circuit& circuit) {
  StopAtRow sink(row);
  r1cs::ShapeBuilder cs(sink, sink.token());
  const auto header = circuit.header(cs);
  cs.begin_block();
  circuit.block(cs, header, 0);
  EXPECT_GE(sink.rows(), row) << "the row is there";
  return sink.rows() - row;
}

TEST(StoppedShape, GoesOnForFewRows) {
  // Of some seven million rows in header and block of either.
  constexpr std::uint64_t kFew = 250'000;
  for (const std::uint64_t row : {1U, 500'000U, 2'000'000U}) {
    EXPECT_LT(rows_after(row, PorepCircuit(porep_params(large_sector()))), kFew) << row;
    EXPECT_LT(rows_after(row, UpdateCircuit(update_params(large_sector()))), kFew) << row;
  }
}

}  // namespace
}  // namespace belfry::filecoin
