#include "belfry/r1cs/shape_store.h"

namespace belfry::r1cs::detail {

void MatrixStore::begin_row(std::uint32_t length) {
  if (lengths.size() % kGroupRows == 0) {
    groups.push_back({static_cast<std::uint32_t>(terms.size()),
                      static_cast<std::uint32_t>(wide.size()),
                      static_cast<std::uint32_t>(long_lengths.size())});
  }
  if (length >= kLengthLong) {
    lengths.push_back(kLengthLong);
    long_lengths.push_back(length);
  } else {
    lengths.push_back(static_cast<std::uint8_t>(length));
  }
}

PartView PartStore::view() const noexcept {
  return {counts,
          aux_is_bit.words(),
          a_aux_density.words(),
          b_aux_density.words(),
          b_input_density.words(),
          {matrices[0].view(), matrices[1].view(), matrices[2].view()}};
}

CoefficientCoder::CoefficientCoder() {
  for (std::uint32_t k = 0; k < kCodedPowers; ++k)
    known_.emplace(powers_of_two()[k], CodedCoefficient{k, 0});
  known_.emplace(-Fr::one(), CodedCoefficient{kCodeMinusOne, 0});
}

std::size_t CoefficientCoder::Hash::operator()(const Fr& value) const noexcept {
  // The limbs of a Montgomery form are spread evenly except for tiny integers, whose forms differ
  // in every limb as well.
  return value.limbs[0] ^ (value.limbs[1] << 1) ^ (value.limbs[3] >> 1);
}

CodedCoefficient CoefficientCoder::code(const Fr& value) {
  const auto found = known_.find(value);
  return found != known_.end() ? found->second : append(value);
}

CodedCoefficient CoefficientCoder::code_rare(const LinearCombination& lc, std::uint32_t code) {
  constexpr std::uint32_t kLinearMinusOne = kPowerCodes;
  if (code == kLinearMinusOne) return {kCodeMinusOne, 0};
  return this->code(lc.value_of(code));
}

CodedCoefficient CoefficientCoder::append(const Fr& value) {
  dictionary_.push_back(value);
  const CodedCoefficient coded{kCodeWide, static_cast<std::uint16_t>(dictionary_.size() - 1)};
  // Past the limit codes are of no use; the map must not grow with the circuit.
  if (fits()) known_.emplace(value, coded);
  if (!fits()) dictionary_.resize(kDictionaryLimit + 1);
  return coded;
}

}  // namespace belfry::r1cs::detail
