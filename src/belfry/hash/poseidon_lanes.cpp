#include "belfry/hash/poseidon_lanes.h"

#include <utility>

#include "belfry/base/assert.h"
#include "belfry/hash/poseidon_core.h"
#include "belfry/hash/poseidon_table.h"

namespace belfry::hash {
namespace {

/// Writes down what passes by.
struct TraceWatcher {
  Fr* next;

  void first_round(const poseidon_core::Sbox& sbox) noexcept {
    *next++ = sbox.square;
    *next++ = sbox.fourth;
    *next++ = sbox.output;
  }
  void later_round(const poseidon_core::Sbox& sbox) noexcept {
    *next++ = sbox.base;
    first_round(sbox);
  }
};

// Elements are words in Montgomery form: what the kernel reads and writes.
const std::uint64_t* words_of(const PoseidonLaneElements& elements) noexcept {
  return elements.front().limbs.data();
}
static_assert(sizeof(PoseidonLaneElements) == kPoseidonLanes * sizeof(Fr::Limbs));

/// The lanes of one arity, made by whoever asks first.
template <std::size_t kArity>
const PoseidonLanes& lanes_of() {
  static const PoseidonLanes lanes(kArity);
  return lanes;
}

using Getter = const PoseidonLanes& (*)();

template <std::size_t... kIndices>
constexpr std::array<Getter, sizeof...(kIndices)> getters(
    std::index_sequence<kIndices...> /*all*/) {
  return {&lanes_of<kIndices + 1>...};
}

}  // namespace

PoseidonLanes::PoseidonLanes(std::size_t arity) : constants_(&poseidon_constants(arity)) {
  if (detail::poseidon_kernels(arity).trace != nullptr) {
    table_ = detail::make_poseidon_table(*constants_);
  }
}

std::size_t PoseidonLanes::traced() const noexcept {
  constexpr std::size_t kFirstRound = 3;
  constexpr std::size_t kLaterRound = 4;
  const PoseidonConstants& c = *constants_;
  return kFirstRound * c.arity +
         kLaterRound * ((kPoseidonFullRounds - 1) * c.width + c.partial_rounds);
}

void PoseidonLanes::hash(const Fr& tag, std::span<const PoseidonLaneElements* const> elements,
                         const std::array<Fr*, kPoseidonLanes>& trace,
                         PoseidonLaneElements& out) const noexcept {
  if (table_.empty() || tag != poseidon_tree_tag(constants_->arity)) {
    return hash_one_by_one(tag, elements, trace, out);
  }
  BELFRY_ASSERT(elements.size() == constants_->arity, "one element of eight hashes for each place");
  std::array<const std::uint64_t*, kMaxPoseidonArity> from{};
  for (std::size_t i = 0; i < elements.size(); ++i) from.at(i) = words_of(*elements[i]);
  std::array<std::uint64_t*, kPoseidonLanes> to{};
  for (std::size_t k = 0; k < kPoseidonLanes; ++k) to.at(k) = trace.at(k)->limbs.data();
  detail::poseidon_kernels(constants_->arity)
      .trace({table_.data(), constants_->partial_rounds}, from.data(), to.data(),
             out.front().limbs.data());
}

void PoseidonLanes::hash_one_by_one(const Fr& tag,
                                    std::span<const PoseidonLaneElements* const> elements,
                                    const std::array<Fr*, kPoseidonLanes>& trace,
                                    PoseidonLaneElements& out) const noexcept {
  BELFRY_ASSERT(elements.size() == constants_->arity, "one element of eight hashes for each place");
  std::array<Fr, kMaxPoseidonArity> list{};
  for (std::size_t k = 0; k < kPoseidonLanes; ++k) {
    for (std::size_t i = 0; i < elements.size(); ++i) list.at(i) = elements[i]->at(k);
    TraceWatcher watcher{trace.at(k)};
    out.at(k) =
        poseidon_core::permute(*constants_, tag, std::span(list).first(elements.size()), watcher);
  }
}

const PoseidonLanes& poseidon_lanes(std::size_t arity) {
  static constexpr auto kGetters = getters(std::make_index_sequence<kMaxPoseidonArity>());
  BELFRY_ASSERT(arity >= 1 && arity <= kMaxPoseidonArity, "Poseidon takes 1 to 36 elements");
  return kGetters[arity - 1]();
}

}  // namespace belfry::hash
