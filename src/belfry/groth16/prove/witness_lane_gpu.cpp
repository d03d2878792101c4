#include "belfry/groth16/prove/witness_lane_gpu.h"

#include <string>

#include "belfry/gpu/drain.h"
#include "belfry/r1cs/witness_upload_gpu.h"

namespace belfry::groth16 {

Result<WitnessLane> WitnessLane::take(const r1cs::DeviceShape& rows, unsigned masks,
                                      gpu::Arena& arena, ArenaUse use) {
  WitnessLane out;
  for (unsigned k = 0; k < masks; ++k) {
    BELFRY_TRY(const auto place, r1cs::DeviceWitness::take(rows.sizes(), arena));
    out.places_.push_back(place);
  }
  if (use == ArenaUse::kRun) out.way_ = std::make_unique<Way>();
  return out;
}

Result<void> WitnessLane::upload(const r1cs::DeviceShape& rows,
                                 std::span<const r1cs::PackedWitness> witnesses,
                                 gpu::StagedUpload& staging) {
  if (witnesses.empty() || witnesses.size() > places_.size()) {
    return fail(
        Error{ErrorCode::kInvalidUsage, "groth16.witness_lane",
              "a lane has room for another number of witnesses"}
            .but("1 to " + std::to_string(places_.size()), std::to_string(witnesses.size())));
  }
  count_ = 0;
  for (std::size_t k = 0; k < witnesses.size(); ++k) {
    BELFRY_CHECK(r1cs::upload_witness(rows, witnesses[k], places_[k], staging, way_->stream));
  }
  way_->arrived.record(way_->stream);
  count_ = witnesses.size();
  return {};
}

void WitnessLane::drain() const noexcept {
  if (way_ != nullptr) gpu::drain(way_->stream);
}

}  // namespace belfry::groth16
