#include "belfry/r1cs/witness_builder.h"

#include <bit>
#include <string>

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
  if (bits == slice_.bit_count && field_ == slice_.fields.size() &&
      input_ == slice_.inputs.size()) {
    return {};
  }
  const auto counts = [](std::uint64_t inputs, std::uint64_t bit_count, std::uint64_t fields) {
    return std::to_string(inputs) + " inputs, " + std::to_string(bit_count) + " bits, " +
           std::to_string(fields) + " field elements";
  };
  return fail(invalid("r1cs.witness", "the circuit does not have the shape it is to fill")
                  .but(counts(slice_.inputs.size(), slice_.bit_count, slice_.fields.size()),
                       counts(input_, bits, field_)));
}

}  // namespace belfry::r1cs
