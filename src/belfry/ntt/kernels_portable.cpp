#include "belfry/field/path_field.h"
#include "belfry/ntt/kernels.h"
#include "belfry/ntt/kernels_core.h"
#include "belfry/ntt/scalar_lanes.h"

namespace belfry::ntt {

constinit const Kernels kPortableKernels = core::KernelsOf<ScalarLanes<FrPortable>>::table();

}  // namespace belfry::ntt
