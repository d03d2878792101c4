#pragma once

#include <cstdint>

#include "belfry/base/error.h"
#include "belfry/field/fr.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device_span.h"
#include "belfry/gpu/stream.h"
#include "belfry/r1cs/device_shape_gpu.h"
#include "belfry/r1cs/packed_witness.h"
#include "belfry/r1cs/shape.h"

namespace belfry::r1cs {

/// Room for one packed witness in device memory: its three lists over all parts, and a table of the
/// values of slots and inputs. Names ranges of an arena.
struct DeviceWitness {
  gpu::DeviceSpan<Fr> inputs;           ///< all, ONE first
  gpu::DeviceSpan<Fr> fields;           ///< those of the header, of block 0, 1, ...
  gpu::DeviceSpan<std::uint64_t> bits;  ///< likewise; each part from a fresh word on
  gpu::DeviceSpan<Fr> special;          ///< see core::WitnessPointers

  /// kResourceExhausted if they do not fit.
  [[nodiscard]] static Result<DeviceWitness> take(const core::SystemSizes& sizes,
                                                  gpu::Arena& arena);
  [[nodiscard]] core::WitnessPointers pointers() const noexcept {
    return {inputs.data(), fields.data(), bits.data(), special.data()};
  }
};

/// Queues the copies of a witness and the kernel that fills `special`. `from` stays until the
/// stream has passed. kInvalidUsage if the witness is one of another shape. Throws gpu::CudaError.
[[nodiscard]] Result<void> upload_witness_async(const DeviceShape& shape, const PackedWitness& from,
                                                const DeviceWitness& to, gpu::StreamRef stream);
/// The second half of it alone, for a witness whose lists came by another way.
void resolve_special_async(const DeviceShape& shape, const DeviceWitness& witness,
                           gpu::StreamRef stream);

/// The product of `multiply` in the order that device transforms take: with m = out.size(), out at
/// the bits of j reversed is <row j, z>; the appended input rows follow the constraints, zeros
/// follow them. Bit for bit what the CPU computes.
///
/// @param matrix  A or B
/// @param out     a power of two of elements, shape rows or more; overwritten
/// @return kInvalidUsage for another matrix or length. Queues one kernel; throws gpu::CudaError.
[[nodiscard]] Result<void> multiply_async(const DeviceShape& shape, Matrix matrix,
                                          const DeviceWitness& witness, gpu::DeviceSpan<Fr> out,
                                          gpu::StreamRef stream);

/// Spreads the bits of all parts to the order of their aux, as `ones_bitmap` does for one: part p
/// from word shape.ones_offset(p) on. `ones` has shape.ones_words() words, all overwritten. Queues
/// one kernel; throws gpu::CudaError.
void spread_bits_async(const DeviceShape& shape, const DeviceWitness& witness,
                       gpu::DeviceSpan<std::uint64_t> ones, gpu::StreamRef stream);

}  // namespace belfry::r1cs
