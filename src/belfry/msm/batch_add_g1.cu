#include "belfry/curve/g1.h"
#include "belfry/msm/batch_add_kernel.cuh"

template class belfry::msm::BatchAdder<belfry::curve::G1>;
