#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/fill.h"
#include "belfry/gpu/memory.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/prove/query_masks_gpu.h"

namespace belfry::groth16 {
namespace {

constexpr unsigned kThreads = 256;

unsigned grid(std::uint64_t workers) {
  return static_cast<unsigned>((workers + kThreads - 1) / kThreads);
}

/// Block (x, part): 256 words of the aux of one of several parts that are alike.
__global__ void masks_kernel(core::PartMaskView part, const std::uint64_t* ones,
                             core::FirstPoints first, core::FirstPoints each,
                             std::array<std::uint64_t*, core::kQueries> masks) {
  const std::uint32_t word = blockIdx.x * blockDim.x + threadIdx.x;
  if (word >= part.words) return;
  for (std::size_t q = 0; q < core::kQueries; ++q) first[q] += blockIdx.y * each[q];
  core::select_word(word, ones[std::size_t{blockIdx.y} * part.words + word], part, first,
                    [&masks](std::size_t query, std::uint64_t i, std::uint64_t bits) {
                      atomicOr(reinterpret_cast<unsigned long long*>(masks[query] + i),
                               static_cast<unsigned long long>(bits));
                    });
}

__global__ void gather_kernel(gpu::DeviceSpan<const Fr> inputs, const Fr* fields,
                              gpu::DeviceSpan<const std::uint32_t> indices, Fr* to) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= indices.size()) return;
  const std::uint64_t value = indices[i];
  if (value == QueryTail::kNoValue) {
    to[i] = Fr::zero();
    return;
  }
  to[i] = value < inputs.size() ? inputs[value] : fields[value - inputs.size()];
}

std::uint64_t words_for(std::uint64_t bits) {
  return (bits + core::kWordBits - 1) / core::kWordBits;
}

}  // namespace

Result<DeviceQueryMasks::Part> DeviceQueryMasks::Part::take(const r1cs::PartView& part,
                                                            gpu::Arena& arena) {
  const std::uint64_t words = part.aux_is_bit.size();
  Part out;
  out.words = static_cast<std::uint32_t>(words);
  for (const Query query : {Query::kA, Query::kB}) {
    const auto q = static_cast<std::size_t>(query);
    BELFRY_TRY(out.density[q], arena.take<std::uint64_t>(words, "density bitmap"));
    BELFRY_TRY(out.points_before[q], arena.take<std::uint32_t>(words, "ranks"));
  }
  return out;
}

void DeviceQueryMasks::Part::upload(const PartMaskTables& tables, gpu::StreamRef stream) const {
  for (std::size_t q = 0; q < core::kQueries; ++q) {
    gpu::upload_async<std::uint64_t>(tables.density[q], density[q], stream);
    gpu::upload_async<std::uint32_t>(tables.points_before[q], points_before[q], stream);
  }
}

core::PartMaskView DeviceQueryMasks::Part::view() const noexcept {
  core::PartMaskView out;
  out.words = words;
  for (std::size_t q = 0; q < core::kQueries; ++q) {
    out.density[q] = density[q].data();
    out.points_before[q] = points_before[q].data();
  }
  return out;
}

Result<DeviceQueryMasks> DeviceQueryMasks::take(const r1cs::Shape& shape, QuotientBasis basis,
                                                unsigned masks, gpu::Arena& arena) {
  DeviceQueryMasks out(shape, basis, masks);
  BELFRY_TRY(out.header_, Part::take(shape.header(), arena));
  BELFRY_TRY(out.block_, Part::take(shape.block(), arena));
  const QueryCounts counts = query_counts(shape);
  const std::array<std::uint64_t, core::kQueries> points{
      counts.l + input_points(Query::kL, shape, basis), counts.a, counts.b};
  for (std::size_t q = 0; q < core::kQueries; ++q) {
    BELFRY_TRY(out.masks_[q], arena.take<std::uint64_t>(masks * words_for(points[q]), "masks"));
  }
  return out;
}

void DeviceQueryMasks::upload_tables(const r1cs::Shape& shape, gpu::StreamRef stream) const {
  const PartMaskTables header(shape.header());
  const PartMaskTables block(shape.block());
  header_.upload(header, stream);
  block_.upload(block, stream);
  gpu::wait_for(stream);
}

void DeviceQueryMasks::clear_async(gpu::StreamRef stream) const {
  for (const auto& words : masks_) {
    if (words.size() != 0) gpu::fill_async(words, 0, stream);
  }
}

std::array<std::uint64_t*, core::kQueries> DeviceQueryMasks::mask_pointers(
    unsigned index) const noexcept {
  std::array<std::uint64_t*, core::kQueries> out{};
  for (std::size_t q = 0; q < core::kQueries; ++q) {
    out[q] = masks_[q].data() + index * (masks_[q].size() / count_);
  }
  return out;
}

void DeviceQueryMasks::make_async(unsigned index, gpu::DeviceSpan<const std::uint64_t> ones,
                                  gpu::StreamRef stream) const {
  const auto launch = [&](const Part& part, const std::uint64_t* words, std::uint64_t count,
                          const core::FirstPoints& first) {
    if (part.words == 0 || count == 0) return;
    masks_kernel<<<dim3(grid(part.words), static_cast<unsigned>(count)), kThreads, 0,
                   stream.handle()>>>(part.view(), words, first, offsets_.each_block,
                                      mask_pointers(index));
    BELFRY_CUDA_CHECK_LAUNCH("groth16.masks");
  };
  launch(header_, ones.data(), 1, offsets_.header);
  launch(block_, ones.data() + header_.words, blocks_, offsets_.first_block);
}

void gather_values_async(gpu::DeviceSpan<const Fr> inputs, gpu::DeviceSpan<const Fr> fields,
                         gpu::DeviceSpan<const std::uint32_t> indices, gpu::DeviceSpan<Fr> to,
                         gpu::StreamRef stream) {
  if (indices.size() == 0) return;
  gather_kernel<<<grid(indices.size()), kThreads, 0, stream.handle()>>>(inputs, fields.data(),
                                                                        indices, to.data());
  BELFRY_CUDA_CHECK_LAUNCH("groth16.gather_values");
}

}  // namespace belfry::groth16
