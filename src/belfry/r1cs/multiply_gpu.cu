#include <algorithm>
#include <bit>
#include <span>
#include <string>

#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/memory.h"
#include "belfry/r1cs/multiply_gpu.h"

namespace belfry::r1cs {
namespace {

constexpr const char* kStage = "r1cs.multiply_gpu";
constexpr unsigned kThreads = 256;
constexpr unsigned kThreadsLog = 8;
constexpr unsigned kWarp = 32;
/// Runs of a tile: 2^2 elements of 32 bytes make one 128-byte line of the output.
constexpr unsigned kRunLog = 2;
/// Tiles that a block of threads computes, so that it loads the coefficients seldom.
constexpr unsigned kTilesPerBlock = 16;

unsigned grid(std::uint64_t workers) {
  return static_cast<unsigned>((workers + kThreads - 1) / kThreads);
}

__global__ void special_kernel(core::SystemSizes sizes, core::WitnessPointers witness,
                               const std::uint32_t* bindings, gpu::DeviceSpan<Fr> special) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < special.size()) special[i] = core::special_value(sizes, witness, bindings, i);
}

__global__ void spread_kernel(core::SystemSizes sizes, core::SpreadPointers header,
                              core::SpreadPointers block, const std::uint64_t* bits,
                              gpu::DeviceSpan<std::uint64_t> ones) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= ones.size()) return;
  if (i < sizes.header.aux_words) {
    ones[i] = core::spread_word(header, bits, static_cast<std::uint32_t>(i));
    return;
  }
  const std::uint64_t rest = i - sizes.header.aux_words;
  const std::uint64_t instance = rest / sizes.block.aux_words;
  ones[i] =
      core::spread_word(block, bits + sizes.header.bit_words + instance * sizes.block.bit_words,
                        static_cast<std::uint32_t>(rest % sizes.block.aux_words));
}

/// Half an element: what a thread stores at once, so that neighbours fill lines together.
struct alignas(16) Half {
  std::uint64_t words[2];
};

/// The sum of all lanes' values, in every lane of a full warp.
__device__ Fr warp_sum(Fr x) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    Fr other;
#pragma unroll
    for (std::size_t i = 0; i < Fr::kLimbs; ++i) {
      other.limbs[i] = __shfl_xor_sync(~0U, x.limbs[i], distance);
    }
    x += other;
  }
  return x;
}

/// What the threads of a block share.
struct Shared {
  Fr coded[core::kTermCodes];
  alignas(16) Fr rows[kThreads];
  std::uint16_t long_rows[kThreads];  // items of the tile
  unsigned long_count;
};

/// Each thread one row; long rows are left for the warps.
__device__ void short_rows(const core::ProductView& product, const core::RowTile& tile,
                           const core::CoefficientPointers& coefficients, Shared& shared) {
  const std::uint64_t row = tile.row(threadIdx.x);
  if (row >= product.sizes.constraints()) {
    shared.rows[threadIdx.x] = product.row_after(row);
    return;
  }
  const core::ProductView::Row found = product.row(row);
  if (found.is_short()) {
    shared.rows[threadIdx.x] = found.part(coefficients, 0, 1);
  } else {
    shared.long_rows[atomicAdd(&shared.long_count, 1U)] = static_cast<std::uint16_t>(threadIdx.x);
  }
}

/// Each warp one long row, its terms spread over the lanes.
__device__ void long_rows(const core::ProductView& product, const core::RowTile& tile,
                          const core::CoefficientPointers& coefficients, Shared& shared) {
  for (unsigned i = threadIdx.x / kWarp; i < shared.long_count; i += kThreads / kWarp) {
    const unsigned item = shared.long_rows[i];
    const core::ProductView::Row found = product.row(tile.row(item));
    const Fr sum = warp_sum(found.part(coefficients, threadIdx.x % kWarp, kWarp));
    if (threadIdx.x % kWarp == 0) shared.rows[item] = sum;
  }
}

__global__ void __launch_bounds__(kThreads)
    product_kernel(core::ProductView product, const Fr* codes, core::RowTile tile,
                   std::uint64_t tiles, Fr* out) {
  __shared__ Shared shared;
  const core::CoefficientPointers coefficients{shared.coded, codes + core::kTermCodes};
  const std::uint32_t items = 1U << (tile.run_log + tile.rows_log);
  for (unsigned i = threadIdx.x; i < core::kTermCodes; i += kThreads) shared.coded[i] = codes[i];
  for (unsigned k = 0; k < kTilesPerBlock; ++k) {
    tile.tile = std::uint64_t{blockIdx.x} * kTilesPerBlock + k;
    if (tile.tile >= tiles) return;
    if (threadIdx.x == 0) shared.long_count = 0;
    __syncthreads();
    if (threadIdx.x < items) short_rows(product, tile, coefficients, shared);
    __syncthreads();
    long_rows(product, tile, coefficients, shared);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 2 * items; i += kThreads) {
      const std::uint32_t item = tile.item(i / 2);
      const std::uint64_t position = tile.position(tile.row(item));
      reinterpret_cast<Half*>(out)[2 * position + i % 2] =
          reinterpret_cast<const Half*>(shared.rows)[2 * item + i % 2];
    }
  }
}

}  // namespace

Result<DeviceWitness> DeviceWitness::take(const core::SystemSizes& sizes, gpu::Arena& arena) {
  DeviceWitness out;
  BELFRY_TRY(out.inputs, arena.take<Fr>(sizes.inputs(), "a witness's inputs"));
  BELFRY_TRY(out.fields, arena.take<Fr>(sizes.fields(), "a witness's elements"));
  BELFRY_TRY(out.bits, arena.take<std::uint64_t>(sizes.bit_words(), "a witness's bits"));
  BELFRY_TRY(out.special, arena.take<Fr>(sizes.special(), "values of slots and inputs"));
  return out;
}

void resolve_special_async(const DeviceShape& shape, const DeviceWitness& witness,
                           gpu::StreamRef stream) {
  if (witness.special.size() == 0) return;
  special_kernel<<<grid(witness.special.size()), kThreads, 0, stream.handle()>>>(
      shape.sizes(), witness.pointers(), shape.bindings().data(), witness.special);
  BELFRY_CUDA_CHECK_LAUNCH(kStage);
}

Result<void> upload_witness_async(const DeviceShape& shape, const PackedWitness& from,
                                  const DeviceWitness& to, gpu::StreamRef stream) {
  if (!(from.layout() == shape.layout())) {
    return fail(ErrorCode::kInvalidUsage, kStage, "the witness is one of another shape");
  }
  // The lists of all parts lie one behind the other, those of the header first.
  const WitnessPartView header = from.header();
  gpu::upload_async<Fr>(from.inputs(), to.inputs, stream);
  gpu::upload_async<Fr>(std::span(header.fields.data(), to.fields.size()), to.fields, stream);
  gpu::upload_async<std::uint64_t>(std::span(header.bits.data(), to.bits.size()), to.bits, stream);
  resolve_special_async(shape, to, stream);
  return {};
}

Result<void> multiply_async(const DeviceShape& shape, Matrix matrix, const DeviceWitness& witness,
                            gpu::DeviceSpan<Fr> out, gpu::StreamRef stream) {
  const core::SystemSizes& sizes = shape.sizes();
  const std::uint64_t rows = sizes.constraints() + sizes.inputs();
  if (matrix == Matrix::kC) {
    return fail(ErrorCode::kInvalidUsage, kStage, "matrix C is not on the device");
  }
  if (!std::has_single_bit(out.size()) || out.size() < rows) {
    return fail(Error{ErrorCode::kInvalidUsage, kStage, "the product has no room for all rows"}.but(
        "a power of two, " + std::to_string(rows) + " or more", std::to_string(out.size())));
  }
  const auto log_size = static_cast<unsigned>(std::countr_zero(out.size()));
  const unsigned run_log = std::min(kRunLog, log_size);
  const unsigned rows_log = std::min(kThreadsLog - kRunLog, log_size - run_log);
  const std::uint64_t tiles = std::uint64_t{1} << (log_size - run_log - rows_log);
  const core::ProductView product{sizes, shape.header_matrix(matrix), shape.block_matrix(matrix),
                                  witness.pointers(), matrix == Matrix::kA};
  const auto blocks = static_cast<unsigned>((tiles + kTilesPerBlock - 1) / kTilesPerBlock);
  product_kernel<<<blocks, kThreads, 0, stream.handle()>>>(
      product, shape.coefficients().data(), {log_size, run_log, rows_log, 0}, tiles, out.data());
  BELFRY_CUDA_CHECK_LAUNCH(kStage);
  return {};
}

void spread_bits_async(const DeviceShape& shape, const DeviceWitness& witness,
                       gpu::DeviceSpan<std::uint64_t> ones, gpu::StreamRef stream) {
  if (ones.size() == 0) return;
  spread_kernel<<<grid(ones.size()), kThreads, 0, stream.handle()>>>(
      shape.sizes(), shape.header_spread(), shape.block_spread(), witness.bits.data(), ones);
  BELFRY_CUDA_CHECK_LAUNCH(kStage);
}

}  // namespace belfry::r1cs
