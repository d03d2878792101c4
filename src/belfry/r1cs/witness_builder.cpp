#include "belfry/r1cs/witness_builder.h"

#include <bit>
#include <string>

#include "belfry/r1cs/witness_counts.h"

namespace belfry::r1cs {

void WitnessBuilder::append_masked(std::uint64_t values, std::uint64_t mask) {
  // Masks of circuits have few runs of ones: rotated words with a constant bit or two.
  while (mask != 0) {
    const unsigned start = static_cast<unsigned>(std::countr_zero(mask));
    const unsigned length = static_cast<unsigned>(std::countr_one(mask >> start));
    const std::uint64_t run =
        length == kWordBits ? ~std::uint64_t{0} : ((std::uint64_t{1} << length) - 1);
    append_bits((values >> start) & run, length);
    mask &= ~(run << start);
  }
}

Result<void> WitnessBuilder::finish() {
  const std::uint64_t bits = word_ * kWordBits + used_;
  if (used_ > 0) flush();
  used_ = 0;
  pending_ = 0;
  return expect_counts(slice_, {input_, bits, field_});
}

Result<void> expect_counts(const WitnessSlice& slice, const PartLayout& made) {
  const PartLayout wanted{slice.inputs.size(), slice.bit_count, slice.fields.size()};
  if (made == wanted) return {};
  const auto counts = [](const PartLayout& part) {
    return std::to_string(part.inputs) + " inputs, " + std::to_string(part.bits) + " bits, " +
           std::to_string(part.fields) + " field elements";
  };
  return fail(invalid("r1cs.witness", "the circuit does not have the shape it is to fill")
                  .but(counts(wanted), counts(made)));
}

}  // namespace belfry::r1cs
