#include "belfry/msm/affine_lanes.h"
#include "belfry/msm/convert_lanes.h"

namespace belfry::msm::ifma {

static_assert(kStrideG2 == kStride<LanesG2>);
static_assert(kStrideG2 == 2 * sizeof(LanesG2) / kLanes);

void store_g2(const std::uint64_t* in, std::size_t n, std::byte* out) {
  store_points<LanesG2>(in, n, out);
}
void load_g2(const std::byte* in, std::size_t n, std::uint64_t* out) {
  load_points<LanesG2>(in, n, out);
}
bool decode_g2(const std::uint8_t* in, std::size_t n, std::byte* out) {
  return decode_points<LanesG2>(in, n, out);
}
void copy_g2(PointRef from, std::byte* to) { copy_point<LanesG2>(from, to); }
void add_g2(const PairSum* pairs, std::size_t n, std::byte* scratch) {
  add_pairs<LanesG2, kBatchG2>(pairs, n, scratch);
}

}  // namespace belfry::msm::ifma
