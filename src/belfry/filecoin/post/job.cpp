#include "belfry/filecoin/post/job.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "belfry/base/try_for_each.h"
#include "belfry/filecoin/claims.h"
#include "belfry/filecoin/native/trees.h"
#include "belfry/filecoin/post/challenges.h"
#include "belfry/filecoin/post/circuit.h"
#include "belfry/r1cs/lane_witness_builder.h"
#include "belfry/r1cs/witness_builder.h"

namespace belfry::filecoin {
namespace {

constexpr std::string_view kPostCheckStage = "filecoin.post.check";

/// The sectors of one partition, and how they fill the slots of its circuit.
class PartitionClaims {
 public:
  PartitionClaims(const VanillaPost& post, std::uint32_t partition)
      : post_(post),
        params_(post.config.params()),
        number_(partition),
        first_(std::size_t{partition} * params_.sectors),
        sectors_(sectors_of(post, partition)),
        arities_(path_arities(params_.tree, params_.nodes)) {}

  /// Claims that can be compared as they stand: counts, indices, roots. Makes the slots.
  [[nodiscard]] Result<void> check_form() {
    for (std::size_t i = 0; i < sectors_.size(); ++i) {
      BELFRY_CHECK(check_sector(i));
      const std::span<const MerkleProof> all(sectors_[i].inclusions);
      for (std::size_t j = 0; j < all.size(); j += params_.challenges) {
        slots_.push_back({&sectors_[i], all.subspan(j, params_.challenges)});
      }
    }
    return {};
  }

  /// Claims that hashes confirm, by what the circuit has computed.
  [[nodiscard]] Result<void> check_hashes(std::span<const Fr> computed) const {
    const std::size_t row = params_.challenges + 1;
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
      BELFRY_CHECK(check_slot(slot, computed.subspan(slot * row, row)));
    }
    return {};
  }

  [[nodiscard]] const PostParams& params() const noexcept { return params_; }
  [[nodiscard]] std::span<const PostSlotView> slots() const noexcept { return slots_; }

 private:
  [[nodiscard]] static std::span<const VanillaPostSector> sectors_of(const VanillaPost& post,
                                                                     std::uint32_t partition) {
    const std::size_t slots = post.config.params().sectors;
    const std::span<const VanillaPostSector> all(post.sectors);
    const std::size_t first = std::min(all.size(), slots * partition);
    return all.subspan(first, std::min(slots, all.size() - first));
  }

  [[nodiscard]] ClaimPlace place(const VanillaPostSector& sector, const std::string& field) const {
    return {kPostCheckStage, "partition " + std::to_string(number_) + ", sector " +
                                 std::to_string(sector.sector_number) + ", " + field};
  }
  [[nodiscard]] static std::string inclusion(std::size_t n, const char* field) {
    return "inclusion_proofs[" + std::to_string(n) + "]." + field;
  }

  [[nodiscard]] Result<void> check_sector(std::size_t i) const {
    const VanillaPostSector& sector = sectors_[i];
    const std::uint64_t position =
        std::uint64_t{post_.first_partition} * params_.sectors + first_ + i;
    const auto leaves =
        post_challenges(post_.config, post_.randomness, {sector.sector_number, position});
    BELFRY_CHECK(expect_equal(leaves.size(), sector.inclusions.size(),
                              place(sector, "inclusion_proofs"), "wrong number of challenges"));
    for (std::size_t n = 0; n < leaves.size(); ++n) {
      const MerkleProof& proof = sector.inclusions[n];
      BELFRY_CHECK(expect_equal(leaves[n], path_index(arities_, proof.positions),
                                place(sector, inclusion(n, "path")),
                                "the path is that of another leaf than the challenged one"));
      BELFRY_CHECK(expect_equal(sector.comm_r_last, proof.root, place(sector, inclusion(n, "root")),
                                "the root is not comm_r_last"));
    }
    return {};
  }

  [[nodiscard]] Result<void> check_slot(std::size_t slot, std::span<const Fr> computed) const {
    const VanillaPostSector& sector = *slots_[slot].sector;
    BELFRY_CHECK(expect_equal(FrBytes(computed[0]), sector.comm_r, place(sector, "comm_r"),
                              "comm_r is not the hash of the roots of TreeC and TreeR"));
    for (std::size_t j = 0; j + 1 < computed.size(); ++j) {
      const auto n =
          static_cast<std::size_t>(&slots_[slot].inclusions[j] - sector.inclusions.data());
      BELFRY_CHECK(expect_equal(sector.comm_r_last, FrBytes(computed[j + 1]),
                                place(sector, inclusion(n, "path")),
                                "the path does not lead from the leaf to the root"));
    }
    return {};
  }

  const VanillaPost& post_;
  PostParams params_;
  std::uint32_t number_;
  std::size_t first_;
  std::span<const VanillaPostSector> sectors_;
  std::vector<std::uint32_t> arities_;
  std::vector<PostSlotView> slots_;
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
