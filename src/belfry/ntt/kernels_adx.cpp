#include "belfry/field/adx.h"
#include "belfry/ntt/kernels.h"
#include "belfry/ntt/kernels_core.h"
#include "belfry/ntt/scalar_lanes.h"

namespace belfry::ntt {

constinit const Kernels kAdxKernels = core::KernelsOf<ScalarLanes<FrAdx>>::table();

}  // namespace belfry::ntt
