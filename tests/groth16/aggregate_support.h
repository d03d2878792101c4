#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "belfry/groth16/aggregate/aggregate.h"
#include "belfry/groth16/aggregate/srs.h"
#include "belfry/groth16/aggregate/verify_aggregate.h"
#include "groth16/support.h"

namespace belfry::groth16::test {

inline SrsTrapdoor small_srs_trapdoor() { return {Fr::from_u64(1234567), Fr::from_u64(7654321)}; }

/// An SRS of a known trapdoor, written to a file of its own.
class SmallSrs {
 public:
  explicit SmallSrs(std::size_t powers, const SrsTrapdoor& trapdoor = small_srs_trapdoor()) {
    const Executor executor(2);
    write_bytes(path(), value_of(make_test_srs(trapdoor, powers, executor)));
  }
  [[nodiscard]] std::filesystem::path path() const { return dir_ / "small.srs"; }
  [[nodiscard]] AggregationSrs open() const { return value_of(AggregationSrs::open(path())); }

 private:
  belfry::test::TempDir dir_;
};

/// Valid proofs of the tiny system, two kinds in turn.
struct TinyProofs {
  explicit TinyProofs(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const char* const file = i % 2 == 0 ? "proof.bin" : "proof-r0-s0.bin";
      proofs.push_back(
          value_of(parse_proof(belfry::test::read_vector(belfry::test::mini_file("tiny", file)))));
      inputs.push_back({Fr::from_u64(90)});
    }
  }
  std::vector<Proof> proofs;
  std::vector<std::vector<Fr>> inputs;
};

inline const Bytes kBoundTo{'b', 'o', 'u', 'n', 'd'};

}  // namespace belfry::groth16::test
