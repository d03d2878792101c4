#include "belfry/hash/poseidon_batch.h"

#include <array>

#include "belfry/base/assert.h"
#include "belfry/hash/poseidon_table.h"

namespace belfry::hash {
namespace {

constexpr std::size_t kMaxArity = 11;

// Nodes are plain bytes; the kernel reads and writes them as words, little-endian as its CPU is.
const std::uint64_t* words_of(const FrBytes* node) noexcept {
  return reinterpret_cast<const std::uint64_t*>(node);
}

}  // namespace

PoseidonBatch::PoseidonBatch(std::size_t arity) : arity_(arity), constants_(nullptr) {
  BELFRY_ASSERT(arity >= 1 && arity <= kMaxArity, "a batch hashes lists of 1 to 11");
  constants_ = &poseidon_constants(arity);
  if (detail::poseidon_kernels(arity).hash != nullptr) {
    table_ = detail::make_poseidon_table(*constants_);
  }
}

void PoseidonBatch::hash(const PoseidonInputs& inputs, std::span<FrBytes> out) const noexcept {
  const detail::PoseidonKernel kernel = detail::poseidon_kernels(arity_).hash;
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
