#pragma once

#include <cstddef>
#include <cstdint>

/// The eight-lane permutation. Private to the room and its tests.
namespace belfry::hash::detail {

/// Limbs of 52 bits of one constant c·2^260 mod r.
inline constexpr std::size_t kPoseidonConstantLimbs = 5;

/// Constants of one width t in the order of their use, each of five limbs:
/// state[0] after the first round (1); keys before the first S-boxes of state[1..] (t - 1); keys
/// behind the S-boxes of full rounds 0..6 (7, t); M (t, t); P by columns (t, t); for each partial
/// round its key (1), w_k (t), v_k (t - 1).
struct PoseidonTable {
  const std::uint64_t* limbs;
  std::size_t partial_rounds;
};

/// Input i of hash k begins at word first[i] + k·stride_words; four words a node, canonical.
struct PoseidonWords {
  const std::uint64_t* const* first;
  std::size_t stride_words;
};

/// Hashes `count` lists into consecutive nodes of `out`.
using PoseidonKernel = void (*)(const PoseidonTable& table, const PoseidonWords& inputs,
                                std::uint64_t* out, std::size_t count);

/// Hashes eight lists and unloads what passes by (hash/poseidon_lanes.h). Everything is words of
/// canonical Montgomery forms, four an element: elements[i] is element i of the eight hashes,
/// values of hash k go to trace[k], its result to out + 4·k.
using PoseidonTraceKernel = void (*)(const PoseidonTable& table,
                                     const std::uint64_t* const* elements,
                                     std::uint64_t* const* trace, std::uint64_t* out);

/// The kernels for t = arity + 1, or null if there are none for this arity or this build. They run
/// on CPUs with Isa::kIfma only.
struct PoseidonKernels {
  PoseidonKernel hash;
  PoseidonTraceKernel trace;
};
[[nodiscard]] PoseidonKernels poseidon_kernels_ifma(std::size_t arity) noexcept;

}  // namespace belfry::hash::detail
