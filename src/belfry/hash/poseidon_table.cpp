#include "belfry/hash/poseidon_table.h"

#include <span>
#include <utility>

#include "belfry/base/cpu.h"
#include "belfry/hash/poseidon_core.h"

namespace belfry::hash::detail {
namespace {

/// Appends constants as the kernel wants them: limbs of c·2^260.
class TableWriter {
 public:
  void add(const Fr& constant) {
    constexpr unsigned kLimbBits = 52;
    constexpr std::uint64_t kMask = (std::uint64_t{1} << kLimbBits) - 1;
    constexpr unsigned kWordBits = 64;
    // The Montgomery form of 16·c is c·2^260.
    const Fr::Limbs words = (constant * Fr::from_u64(16)).limbs;
    for (unsigned bit = 0; bit < kPoseidonConstantLimbs * kLimbBits; bit += kLimbBits) {
      const unsigned word = bit / kWordBits;
      const unsigned shift = bit % kWordBits;
      std::uint64_t limb = words.at(word) >> shift;
      if (shift + kLimbBits > kWordBits && word + 1 < words.size()) {
        limb |= words.at(word + 1) << (kWordBits - shift);
      }
      table_.push_back(limb & kMask);
    }
  }
  void add(std::span<const Fr> constants) {
    for (const Fr& constant : constants) add(constant);
  }
  [[nodiscard]] std::vector<std::uint64_t> take() { return std::move(table_); }

 private:
  std::vector<std::uint64_t> table_;
};

}  // namespace

PoseidonKernels poseidon_kernels(std::size_t arity) noexcept {
  return best_isa() == Isa::kIfma ? poseidon_kernels_ifma(arity) : PoseidonKernels{};
}

std::vector<std::uint64_t> make_poseidon_table(const PoseidonConstants& c) {
  TableWriter table;
  const Fr tagged = poseidon_tree_tag(c.arity) + c.pre_keys()[0];
  table.add(poseidon_core::sbox(tagged, c.full_round_keys(0)[0]).output);
  table.add(c.pre_keys().subspan(1));
  for (std::size_t round = 0; round + 1 < kPoseidonFullRounds; ++round) {
    table.add(c.full_round_keys(round));
  }
  table.add(c.mds);
  for (std::size_t j = 0; j < c.width; ++j) {
    for (std::size_t i = 0; i < c.width; ++i) table.add(c.pre_sparse[i * c.width + j]);
  }
  for (std::size_t k = 0; k < c.partial_rounds; ++k) {
    table.add(c.partial_round_key(k));
    table.add(c.sparse_column(k));
    table.add(c.sparse_row(k));
  }
  return table.take();
}

}  // namespace belfry::hash::detail
