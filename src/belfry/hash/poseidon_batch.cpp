#include "belfry/hash/poseidon_batch.h"

#include <array>

#include "belfry/base/assert.h"
#include "belfry/base/cpu.h"
#include "belfry/hash/poseidon_core.h"
#include "belfry/hash/poseidon_kernels.h"

namespace belfry::hash {
namespace {

constexpr std::size_t kMaxArity = 11;

detail::PoseidonKernel kernel_for(std::size_t arity) noexcept {
  return best_isa() == Isa::kIfma ? detail::poseidon_kernel_ifma(arity) : nullptr;
}

/// Appends constants as the kernel wants them: limbs of c·2^260.
class TableWriter {
 public:
  void add(const Fr& constant) {
    constexpr unsigned kLimbBits = 52;
    constexpr std::uint64_t kMask = (std::uint64_t{1} << kLimbBits) - 1;
    constexpr unsigned kWordBits = 64;
    // The Montgomery form of 16·c is c·2^260.
    const Fr::Limbs words = (constant * Fr::from_u64(16)).limbs;
    for (unsigned bit = 0; bit < detail::kPoseidonConstantLimbs * kLimbBits; bit += kLimbBits) {
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

std::vector<std::uint64_t> make_table(const PoseidonConstants& c) {
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

// Nodes are plain bytes; the kernel reads and writes them as words, little-endian as its CPU is.
const std::uint64_t* words_of(const FrBytes* node) noexcept {
  return reinterpret_cast<const std::uint64_t*>(node);
}

}  // namespace

PoseidonBatch::PoseidonBatch(std::size_t arity) : arity_(arity), constants_(nullptr) {
  BELFRY_ASSERT(arity >= 1 && arity <= kMaxArity, "a batch hashes lists of 1 to 11");
  constants_ = &poseidon_constants(arity);
  if (kernel_for(arity) != nullptr) table_ = make_table(*constants_);
}

void PoseidonBatch::hash(const PoseidonInputs& inputs, std::span<FrBytes> out) const noexcept {
  const detail::PoseidonKernel kernel = kernel_for(arity_);
  if (kernel == nullptr || out.empty()) return hash_one_by_one(inputs, out);
  BELFRY_ASSERT(inputs.first.size() == arity_, "one list of inputs for each place");
  std::array<const std::uint64_t*, kMaxArity> first{};
  for (std::size_t i = 0; i < arity_; ++i) first.at(i) = words_of(inputs.first[i]);
  constexpr std::size_t kNodeWords = FrBytes::kSize / sizeof(std::uint64_t);
  auto* const to = reinterpret_cast<std::uint64_t*>(out.data());
  kernel({table_.data(), constants_->partial_rounds}, {first.data(), inputs.stride * kNodeWords},
         to, out.size());
}

void PoseidonBatch::hash_one_by_one(const PoseidonInputs& inputs,
                                    std::span<FrBytes> out) const noexcept {
  const Fr tag = poseidon_tree_tag(arity_);
  std::array<Fr, kMaxArity> elements{};
  for (std::size_t k = 0; k < out.size(); ++k) {
    for (std::size_t i = 0; i < arity_; ++i) {
      elements.at(i) = inputs.first[i][k * inputs.stride].to_fr();
    }
    out[k] = FrBytes(poseidon(*constants_, tag, std::span(elements).first(arity_)));
  }
}

}  // namespace belfry::hash
