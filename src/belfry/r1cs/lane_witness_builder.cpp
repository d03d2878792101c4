#include "belfry/r1cs/lane_witness_builder.h"

#include "belfry/r1cs/witness_counts.h"

namespace belfry::r1cs {
namespace {

constexpr std::uint64_t kWordBits = 64;

}  // namespace

NoVariable LaneWitnessBuilder::alloc_bit(LaneBit value) {
  for (std::size_t k = 0; k < kWitnessLanes; ++k) {
    pending_[k] |= std::uint64_t{value.at(k)} << (bit_ % kWordBits);
  }
  ++bit_;
  if (bit_ % kWordBits == 0) flush();
  return {};
}

NoVariable LaneWitnessBuilder::alloc_input(const LaneFr& value) {
  if (input_ < slices_.front().inputs.size()) {
    for (std::size_t k = 0; k < kWitnessLanes; ++k) slices_[k].inputs[input_] = value.lanes[k];
  }
  ++input_;
  return {};
}

std::optional<std::array<Fr*, kWitnessLanes>> LaneWitnessBuilder::append_fields(
    std::uint64_t count) {
  const std::uint64_t first = field_;
  field_ += count;
  if (field_ > slices_.front().fields.size()) return std::nullopt;
  std::array<Fr*, kWitnessLanes> out{};
  for (std::size_t k = 0; k < kWitnessLanes; ++k) out[k] = slices_[k].fields.data() + first;
  return out;
}

void LaneWitnessBuilder::flush() {
  const std::uint64_t word = (bit_ - 1) / kWordBits;
  if (word < slices_.front().bits.size()) {
    for (std::size_t k = 0; k < kWitnessLanes; ++k) slices_[k].bits[word] = pending_[k];
  }
  pending_ = {};
}

Result<void> LaneWitnessBuilder::finish() {
  if (bit_ % kWordBits != 0) flush();
  return expect_counts(slices_.front(), {input_, bit_, field_});
}

}  // namespace belfry::r1cs
