#include "belfry/filecoin/post/job.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "belfry/base/try_for_each.h"
#include "belfry/filecoin/post/circuit.h"
#include "belfry/r1cs/lane_witness_builder.h"
#include "belfry/r1cs/witness_builder.h"

namespace belfry::filecoin {
namespace {

/// The sectors of one partition, and how they fill the slots of its circuit.
class PartitionClaims {
 public:
  PartitionClaims(const VanillaPost& post, std::uint32_t partition)
      : post_(post),
        params_(post.config.params()),
        first_(std::min(post.sectors.size(), std::size_t{partition} * params_.sectors)),
        end_(std::min(post.sectors.size(), first_ + params_.sectors)) {}

  /// Claims that can be compared as they stand: counts, indices, roots. Makes the slots.
  [[nodiscard]] Result<void> check_form() {
    for (std::size_t i = first_; i < end_; ++i) {
      BELFRY_CHECK(check_post_sector_form(post_, i));
      const VanillaPostSector& sector = post_.sectors[i];
      const std::span<const MerkleProof> all(sector.inclusions);
      for (std::size_t n = 0; n < all.size(); n += params_.challenges) {
        slots_.push_back({&sector, all.subspan(n, params_.challenges)});
        places_.push_back({i, n});
      }
    }
    return {};
  }

  /// Claims that hashes confirm, by what the circuit has computed.
  [[nodiscard]] Result<void> check_hashes(std::span<const Fr> computed) const {
    const std::size_t row = params_.challenges + 1;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      const auto values = computed.subspan(slot * row, row);
      BELFRY_CHECK(check_post_sector_hashes(
          post_, places_[slot].sector,
          {values.front(), values.subspan(1), places_[slot].first_inclusion}));
    }
    return {};
  }

  [[nodiscard]] const PostParams& params() const noexcept { return params_; }
  [[nodiscard]] std::span<const PostSlotView> slots() const noexcept { return slots_; }

 private:
  /// What a slot is filled from.
  struct SlotPlace {
    std::size_t sector;
    std::size_t first_inclusion;
  };

  const VanillaPost& post_;
  PostParams params_;
  std::size_t first_;
  std::size_t end_;
  std::vector<PostSlotView> slots_;
  std::vector<SlotPlace> places_;
};

/// Blocks after the last one that has values of its own are copies of it.
void repeat_last(r1cs::PackedWitness& witness, std::uint64_t known, const Executor& executor) {
  const r1cs::WitnessPartView last = std::as_const(witness).block(known - 1);
  executor.for_each(witness.layout().blocks - known, [&](std::size_t i) {
    const r1cs::WitnessSlice copy = witness.block_slice(known + i);
    std::ranges::copy(last.inputs, copy.inputs.begin());
    std::ranges::copy(last.bits, copy.bits.begin());
    std::ranges::copy(last.fields, copy.fields.begin());
  });
}

/// Fills the blocks from `first` on that the interpreter makes side by side.
Result<void> fill_lanes(const PostCircuit& circuit, r1cs::PackedWitness& witness,
                        std::uint64_t first) {
  r1cs::LaneWitnessBuilder::Slices slices;
  for (std::size_t k = 0; k < slices.size(); ++k) slices[k] = witness.block_slice(first + k);
  r1cs::LaneWitnessBuilder cs(slices);
  circuit.block(cs, {}, first);
  return cs.finish();
}
Result<void> fill_one(const PostCircuit& circuit, r1cs::PackedWitness& witness,
                      std::uint64_t index) {
  r1cs::WitnessBuilder cs(witness.block_slice(index));
  circuit.block(cs, {}, index);
  return cs.finish();
}

Result<r1cs::PackedWitness> make_witness(const r1cs::WitnessLayout& layout,
                                         const PartitionClaims& claims, std::span<Fr> computed,
                                         const Executor& executor) {
  const PostValuesView values{claims.slots(), computed};
  const PostCircuit circuit(claims.params(), &values);
  if (layout.blocks != circuit.blocks()) {
    return fail(
        invalid("filecoin.post.witness", "the shape is of another circuit")
            .but(std::to_string(circuit.blocks()) + " blocks", std::to_string(layout.blocks)));
  }
  BELFRY_TRY(r1cs::PackedWitness witness, r1cs::PackedWitness::create(layout));
  // Slots by eight; those that are left one by one.
  const std::size_t groups = values.slots.size() / r1cs::kWitnessLanes;
  const std::size_t in_groups = groups * r1cs::kWitnessLanes;
  const std::size_t tasks = groups + values.slots.size() - in_groups;
  BELFRY_CHECK(try_for_each(executor, tasks, [&](std::size_t i) {
    return i < groups ? fill_lanes(circuit, witness, i * r1cs::kWitnessLanes)
                      : fill_one(circuit, witness, in_groups + i - groups);
  }));
  repeat_last(witness, values.slots.size(), executor);
  return witness;
}

}  // namespace

PostStatement post_statement(const VanillaPost& post) {
  PostStatement statement{.config = post.config,
                          .randomness = post.randomness,
                          .sectors = {},
                          .first_partition = post.first_partition};
  statement.sectors.reserve(post.sectors.size());
  for (const VanillaPostSector& sector : post.sectors) {
    statement.sectors.push_back({sector.sector_number, sector.comm_r});
  }
  return statement;
}

Result<void> check_post_form(const VanillaPost& post) {
  const PostStatement statement = post_statement(post);
  BELFRY_CHECK(check_post_statement(statement));
  for (std::uint32_t k = 0; k < statement.partitions(); ++k) {
    BELFRY_CHECK(PartitionClaims(post, k).check_form());
  }
  return {};
}

Result<PreparedPartition> prepare_post_partition(const r1cs::WitnessLayout& layout,
                                                 const VanillaPost& post, std::uint32_t partition,
                                                 const Executor& executor) {
  PreparedPartition out;
  BELFRY_TRY(out.public_inputs, post_public_inputs(post_statement(post), partition));
  PartitionClaims claims(post, partition);
  BELFRY_CHECK(claims.check_form());
  std::vector<Fr> computed(claims.slots().size() * (claims.params().challenges + 1));
  BELFRY_TRY(out.witness, make_witness(layout, claims, computed, executor));
  BELFRY_CHECK(claims.check_hashes(computed));
  return out;
}

}  // namespace belfry::filecoin
