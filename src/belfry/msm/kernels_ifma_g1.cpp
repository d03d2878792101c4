#include "belfry/msm/affine_lanes.h"
#include "belfry/msm/convert_lanes.h"

namespace belfry::msm::ifma {

static_assert(kStrideG1 == kStride<LanesG1>);
static_assert(kStrideG1 == 2 * sizeof(LanesG1) / kLanes);

void store_g1(const std::uint64_t* in, std::size_t n, std::byte* out) {
  store_points<LanesG1>(in, n, out);
}
void load_g1(const std::byte* in, std::size_t n, std::uint64_t* out) {
  load_points<LanesG1>(in, n, out);
}
bool decode_g1(const std::uint8_t* in, std::size_t n, std::byte* out) {
  return decode_points<LanesG1>(in, n, out);
}
void copy_g1(PointRef from, std::byte* to) { copy_point<LanesG1>(from, to); }
void add_g1(const PairSum* pairs, std::size_t n, std::byte* scratch) {
  add_pairs<LanesG1, kBatchG1>(pairs, n, scratch);
}

}  // namespace belfry::msm::ifma
