#include "belfry/r1cs/witness_upload_gpu.h"

#include <cstdint>
#include <span>

namespace belfry::r1cs {

Result<void> upload_witness(const DeviceShape& shape, const PackedWitness& from,
                            const DeviceWitness& to, gpu::StagedUpload& staging,
                            gpu::StreamRef stream) {
  if (!(from.layout() == shape.layout())) {
    return fail(ErrorCode::kInvalidUsage, "r1cs.upload_witness",
                "the witness is one of another shape");
  }
  // The lists of all parts lie one behind the other, those of the header first.
  const WitnessPartView header = from.header();
  staging.copy(from.inputs(), to.inputs, stream);
  staging.copy(std::span<const Fr>(header.fields.data(), to.fields.size()), to.fields, stream);
  staging.copy(std::span<const std::uint64_t>(header.bits.data(), to.bits.size()), to.bits, stream);
  resolve_special_async(shape, to, stream);
  return {};
}

}  // namespace belfry::r1cs
