#pragma once

#include <functional>

#include "belfry/base/error.h"

namespace belfry::engine {

inline constexpr unsigned kTwoLanes = 2;

/// A step of item `k`, in lane k mod 2.
using LaneStep = std::function<Result<void>(unsigned k)>;

/// Works items 0 to count − 1 off in two lanes: `fill` of all items in order on a thread of its
/// own, `use` of each on this one when it is filled, and a lane is filled anew when its item was
/// used. So the fill of an item runs beside the use of the one before it, and never in the same
/// lane.
///
/// Returns the first error; nothing is filled after it, and the thread has ended, also when `use`
/// throws. `fill` does not throw.
[[nodiscard]] Result<void> work_in_two_lanes(unsigned count, const LaneStep& fill,
                                             const LaneStep& use);

}  // namespace belfry::engine
