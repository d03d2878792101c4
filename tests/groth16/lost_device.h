#pragma once

#include "belfry/gpu/stream.h"

namespace belfry::groth16::test {

/// Kills this process's context on the device: a kernel writes where there is no memory. Waits.
void lose_device(gpu::StreamRef stream);

}  // namespace belfry::groth16::test
