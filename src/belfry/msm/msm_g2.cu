#include "belfry/curve/g2.h"
#include "belfry/msm/msm_gpu.cuh"
#include "belfry/msm/selected_sums.cuh"

namespace belfry::msm {

template class BucketSums<curve::G2>;
template class DeviceMsm<curve::G2>;
template class DeviceSelectedSums<curve::G2>;
template Result<DeviceMsmPlan> plan_device_msm<curve::G2>(std::uint64_t, const gpu::DeviceInfo&,
                                                          std::uint64_t, const DeviceMsmOptions&);

}  // namespace belfry::msm
