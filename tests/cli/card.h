#pragma once

#include "belfry/gpu/device.h"

namespace belfry::test {

/// Whether the commands under test find a card to work on: they are of the same build and machine.
inline bool has_card() { return gpu::open_device(0).has_value(); }

}  // namespace belfry::test
