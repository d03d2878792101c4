#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "belfry/hash/poseidon.h"
#include "belfry/hash/poseidon_kernels.h"

/// What stands between the lanes and those who use them. Private to the room.
namespace belfry::hash::detail {

/// The kernels that this CPU can run; none of an arity that has none.
[[nodiscard]] PoseidonKernels poseidon_kernels(std::size_t arity) noexcept;

/// The constants of an arity under the tree tag, as PoseidonTable wants them.
[[nodiscard]] std::vector<std::uint64_t> make_poseidon_table(const PoseidonConstants& c);

}  // namespace belfry::hash::detail
