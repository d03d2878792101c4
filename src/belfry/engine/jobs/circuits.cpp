#include "belfry/engine/jobs/circuits.h"

#include <bit>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "belfry/base/file.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/field/fr.h"
#include "belfry/filecoin/circuits.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/hash/sha256.h"
#include "belfry/r1cs/digest.h"
#include "belfry/r1cs/shape_file.h"

namespace belfry::engine {
namespace {

/// Hashes rows, counts their terms and tells how far it is.
class CountedDigest final : public r1cs::RowHasher {
 public:
  CountedDigest(trace::Span& span, std::uint64_t combinations) : span_(span) {
    span_.expect(combinations, "combinations");
  }
  void begin(std::uint32_t terms) override {
    constexpr std::uint64_t kStep = 4096;
    terms_ += terms;
    if (++combinations_ % kStep == 0) span_.advance(kStep);
    digest_.begin(terms);
  }
  void term(r1cs::Variable variable, const FrBytes& coefficient) override {
    digest_.term(variable, coefficient);
  }
  [[nodiscard]] Bytes32 digest() { return digest_.digest(); }
  [[nodiscard]] std::uint64_t terms() const noexcept { return terms_; }

 private:
  trace::Span& span_;
  r1cs::R1csDigest digest_;
  std::uint64_t combinations_ = 0;
  std::uint64_t terms_ = 0;
};

CircuitSummary summarise(const filecoin::Circuit& circuit, const filecoin::CircuitCounts& counts) {
  // The domain holds the constraints and one appended row an input (spec gadgets.md 2.1).
  const std::uint64_t rows = counts.constraints + counts.inputs;
  return {.name = circuit.name(),
          .inputs = counts.inputs,
          .aux = counts.aux,
          .constraints = counts.constraints,
          .domain_log2 = static_cast<std::uint32_t>(std::bit_width(rows - 1)),
          .params_file = filecoin::parameter_stem(circuit) + ".params"};
}

}  // namespace

std::vector<CircuitSummary> list_circuits() {
  std::vector<CircuitSummary> summaries;
  for (const filecoin::CircuitKind kind : filecoin::circuit_families()) {
    for (const filecoin::Circuit& circuit : filecoin::circuits(kind)) {
      const auto counts = filecoin::circuit_counts(circuit);
      if (counts) summaries.push_back(summarise(circuit, *counts));
    }
  }
  return summaries;
}

Result<CircuitDigest> digest_circuit(const filecoin::Circuit& circuit, const JobOptions& options) {
  BELFRY_TRY(const auto counts, filecoin::circuit_counts(circuit));
  BELFRY_TRY(const r1cs::Shape shape, load_shape(circuit, options));
  trace::Span span(options.tracer, "engine.digest_circuit");
  CountedDigest hasher(span, r1cs::kMatrices * shape.constraints());
  BELFRY_CHECK(r1cs::digest_rows(shape, hasher, options.cancel));
  return CircuitDigest{.circuit = summarise(circuit, counts),
                       .r1cs_digest = hasher.digest(),
                       .terms = hasher.terms()};
}

Result<ShapeFile> write_shape_file(const filecoin::Circuit& circuit,
                                   const std::filesystem::path& out, const JobOptions& options) {
  BELFRY_TRY(const r1cs::Shape shape, load_shape(circuit, options));
  const std::filesystem::path path = out.empty() ? shape_path(circuit, options) : out;
  BELFRY_CHECK(options.cancel.check("engine.write_shape"));
  BELFRY_CHECK(r1cs::write_shape(shape, path));
  BELFRY_CHECK(options.cancel.check("engine.write_shape"));
  BELFRY_TRY(const MappedFile file, MappedFile::open(path));
  return ShapeFile{
      .file = path, .bytes = file.bytes().size(), .sha256 = hash::sha256(file.bytes())};
}

}  // namespace belfry::engine
