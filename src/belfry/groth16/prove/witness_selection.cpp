#include "belfry/groth16/prove/witness_selection.h"

#include <bit>
#include <span>

#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/prove/bitmap.h"
#include "belfry/r1cs/aux_values.h"

namespace belfry::groth16 {
namespace {

using Words = std::span<const std::uint64_t>;

std::uint64_t low_bits(unsigned count) {
  return count == kWordBits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
}

/// Fills a Selection variable by variable, leaving out those that the query has no point for.
class Selector {
 public:
  /// The next point belongs to a variable that is not a bit.
  void add_element(const Fr& value) {
    out_.indices.push_back(static_cast<std::uint32_t>(points_));
    out_.scalars.push_back(value);
    append(0, 1);
  }

  /// The aux of a part: `ones` as from r1cs::ones_bitmap, `elements` the aux with values `fields`,
  /// `density` which of them have a point.
  void add_aux(Words ones, Words density, std::span<const std::uint32_t> elements,
               std::span<const Fr> fields) {
    std::size_t next = 0;
    for (std::size_t word = 0; word < density.size(); ++word) {
      std::uint64_t before = points_;
      for (; next < elements.size() && elements[next] / kWordBits == word; ++next) {
        const unsigned bit = elements[next] % kWordBits;
        if (((density[word] >> bit) & 1) == 0) continue;
        const auto rank = static_cast<std::uint64_t>(std::popcount(density[word] & low_bits(bit)));
        out_.indices.push_back(static_cast<std::uint32_t>(before + rank));
        out_.scalars.push_back(fields[next]);
      }
      append_dense(ones[word], density[word]);
    }
  }

  Selection take() && { return std::move(out_); }

 private:
  /// The bits of `word` at the places that `density` names, run by run.
  void append_dense(std::uint64_t word, std::uint64_t density) {
    while (density != 0) {
      const auto skip = static_cast<unsigned>(std::countr_zero(density));
      word >>= skip;
      density >>= skip;
      const auto run = static_cast<unsigned>(std::countr_one(density));
      append(word & low_bits(run), run);
      if (run == kWordBits) return;
      word >>= run;
      density >>= run;
    }
  }

  void append(std::uint64_t bits, unsigned count) {
    const unsigned used = points_ % kWordBits;
    if (used == 0) out_.mask.push_back(0);
    out_.mask.back() |= bits << used;
    if (used + count > kWordBits) out_.mask.push_back(bits >> (kWordBits - used));
    points_ += count;
  }

  Selection out_;
  std::uint64_t points_ = 0;
};

/// Every aux has a point.
std::vector<std::uint64_t> all_of(std::uint64_t count) {
  std::vector<std::uint64_t> words((count + kWordBits - 1) / kWordBits, ~std::uint64_t{0});
  if (count % kWordBits != 0) words.back() = low_bits(count % kWordBits);
  return words;
}

void add_inputs(Selector& selector, Query query, const r1cs::PartView& part,
                std::span<const Fr> values) {
  if (query == Query::kL) return;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (query == Query::kA || test_bit(part.b_input_density, i)) selector.add_element(values[i]);
  }
}

/// What is the same for the aux of all blocks.
struct PartAux {
  const r1cs::PartView& part;
  std::vector<std::uint32_t> elements;
  std::vector<std::uint64_t> density;

  PartAux(Query query, const r1cs::PartView& view)
      : part(view), elements(r1cs::field_indices(view)), density(density_of(query, view)) {}

  static std::vector<std::uint64_t> density_of(Query query, const r1cs::PartView& view) {
    if (query == Query::kL) return all_of(view.counts.aux);
    const Words words = query == Query::kA ? view.a_aux_density : view.b_aux_density;
    return {words.begin(), words.end()};
  }
  void add_to(Selector& selector, const r1cs::WitnessPartView& values) const {
    selector.add_aux(r1cs::ones_bitmap(part, values.bits), density, elements, values.fields);
  }
};

}  // namespace

Selection select(Query query, const r1cs::Shape& shape, const r1cs::PackedWitness& witness) {
  Selector selector;
  add_inputs(selector, query, shape.header(), witness.header().inputs);
  for (std::uint64_t k = 0; k < shape.blocks(); ++k) {
    add_inputs(selector, query, shape.block(), witness.block(k).inputs);
  }
  PartAux(query, shape.header()).add_to(selector, witness.header());
  const PartAux block(query, shape.block());
  for (std::uint64_t k = 0; k < shape.blocks(); ++k) block.add_to(selector, witness.block(k));
  return std::move(selector).take();
}

std::uint64_t selection_bytes(const r1cs::Shape& shape) {
  const r1cs::WitnessLayout layout = shape.layout();
  const std::uint64_t elements = layout.inputs() + layout.fields();
  const std::uint64_t mask = (shape.inputs() + shape.aux()) / 8;
  // Vectors double as they grow.
  return 2 * (elements * (sizeof(Fr) + sizeof(std::uint32_t)) + mask);
}

}  // namespace belfry::groth16
