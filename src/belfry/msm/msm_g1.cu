#include "belfry/curve/g1.h"
#include "belfry/msm/msm_gpu.cuh"
#include "belfry/msm/selected_sums.cuh"

namespace belfry::msm {

template class BucketSums<curve::G1>;
template class DeviceMsm<curve::G1>;
template class DeviceSelectedSums<curve::G1>;
template Result<DeviceMsmPlan> plan_device_msm<curve::G1>(std::uint64_t, const gpu::DeviceInfo&,
                                                          std::uint64_t, const DeviceMsmOptions&);

}  // namespace belfry::msm
