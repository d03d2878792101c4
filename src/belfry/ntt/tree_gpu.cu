#include <algorithm>

#include "belfry/gpu/cuda_check.h"
#include "belfry/ntt/tree_gpu.h"

namespace belfry::ntt {
namespace {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocksPerSm = 2;
/// Four lanes of 32 bytes make one 128-byte line of a row.
constexpr unsigned kTileLog = 2;
/// In passes whose lanes all belong to other blocks, the last step's twiddles serve one worker each
/// and are made where they are used.
constexpr unsigned kSharedNearLog = 6;

std::size_t grid(std::size_t workers) { return (workers + kThreads - 1) / kThreads; }

__global__ void unit_heap_kernel(Fr root, gpu::DeviceSpan<Fr> unit) {
  const std::size_t worker = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (worker < unit.size()) core::fill_unit_heap(worker, root, unit.data());
}

__global__ void deepest_kernel(core::TreePass pass, PassConstants constants,
                               gpu::DeviceSpan<Fr> deepest) {
  const std::size_t worker = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (worker >= deepest.size()) return;
  core::fill_deepest(worker, pass, constants.shift_power, constants.root, deepest.data());
}

/// Sizes of a tile's shared memory, in the order in which it is laid out.
struct TileLayout {
  unsigned tile_log;
  unsigned near_log;
  std::size_t halves;   // of each of low and high
  std::size_t factors;  // elements
  std::size_t near;     // elements

  explicit TileLayout(const core::TreePass& pass)
      : tile_log(std::min(kTileLog, pass.lanes_log())),
        near_log(std::min(pass.rows_log, core::TreeTile::blocks_log(pass, tile_log) == 0
                                             ? core::kMaxPassLog
                                             : kSharedNearLog)),
        halves(std::size_t{1} << (pass.rows_log + tile_log)),
        factors(core::kMaxPassLog << core::TreeTile::blocks_log(pass, tile_log)),
        near(std::size_t{1} << (near_log + core::TreeTile::blocks_log(pass, tile_log))) {}

  [[nodiscard]] std::size_t bytes() const {
    return 2 * halves * sizeof(core::HalfElement) + (factors + near) * sizeof(Fr);
  }
};

template <bool kDown>
__global__ void __launch_bounds__(kThreads, kBlocksPerSm)
    tree_pass_kernel(core::TreePass pass, core::TwiddleView twiddles, TileLayout layout, Fr* data) {
  extern __shared__ core::HalfElement shared[];
  auto* const elements = reinterpret_cast<Fr*>(shared + 2 * layout.halves);
  const core::TreeTile tile{pass,
                            twiddles,
                            {shared, shared + layout.halves, elements, elements + layout.factors},
                            std::size_t{blockIdx.x} << layout.tile_log,
                            layout.tile_log,
                            layout.near_log,
                            kThreads};
  const unsigned worker = threadIdx.x;
  tile.load(worker, data);
  tile.factors(worker);
  __syncthreads();
  tile.near(worker);
  __syncthreads();
  const unsigned steps = core::step_count(pass.rows_log);
  for (unsigned step = 0; step < steps; ++step) {
    core::tree_step<kDown>(tile, worker, kDown ? step : steps - 1 - step);
    __syncthreads();
  }
  tile.store(worker, data);
}

/// a = a·b
__global__ void multiply_kernel(gpu::DeviceSpan<Fr> a, gpu::DeviceSpan<const Fr> b) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < a.size()) a[i] = a[i] * b[i];
}

/// a = (a·product_scale - c)·scale
__global__ void subtract_kernel(gpu::DeviceSpan<Fr> a, gpu::DeviceSpan<const Fr> c,
                                Fr product_scale, Fr scale) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < a.size()) a[i] = (a[i] * product_scale - c[i]) * scale;
}

template <bool kDown>
void launch_pass(const core::TreePass& pass, const core::TwiddleView& twiddles, Fr* data,
                 gpu::StreamRef stream) {
  const TileLayout layout(pass);
  BELFRY_CUDA_TRY(
      cudaFuncSetAttribute(tree_pass_kernel<kDown>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(layout.bytes())),
      "ntt.tree_pass");
  const auto tiles = static_cast<unsigned>(std::size_t{1} << (pass.lanes_log() - layout.tile_log));
  tree_pass_kernel<kDown>
      <<<tiles, kThreads, layout.bytes(), stream.handle()>>>(pass, twiddles, layout, data);
  BELFRY_CUDA_CHECK_LAUNCH("ntt.tree_pass");
}

}  // namespace

Result<DeviceTree> DeviceTree::reserve(const Domain& domain, gpu::Arena& arena) {
  DeviceTree tree(domain);
  BELFRY_CHECK(tree.take_tables(TreeDirection::kDown, arena));
  BELFRY_CHECK(tree.take_tables(TreeDirection::kUp, arena));
  return tree;
}

Result<DeviceTree> DeviceTree::create(const Domain& domain, gpu::Arena& arena,
                                      gpu::StreamRef stream) {
  BELFRY_TRY(DeviceTree tree, reserve(domain, arena));
  tree.fill_tables_async(TreeDirection::kDown, stream);
  tree.fill_tables_async(TreeDirection::kUp, stream);
  return tree;
}

Result<void> DeviceTree::take_tables(TreeDirection direction, gpu::Arena& arena) {
  constexpr std::size_t kHeap = std::size_t{1} << core::kMaxPassLog;
  BELFRY_TRY(unit_[index(direction)], arena.take<Fr>(kHeap, "twiddles"));
  for (const TreePoints points : {TreePoints::kSubgroup, TreePoints::kCoset}) {
    for (const core::TreePass& pass : passes_) {
      BELFRY_TRY(const auto table,
                 arena.take<Fr>(std::size_t{1} << pass.above_log, "twiddle factors"));
      deepest_[index(direction)][index(points)].push_back(table);
    }
  }
  return {};
}

void DeviceTree::fill_tables_async(TreeDirection direction, gpu::StreamRef stream) const {
  const auto unit = unit_[index(direction)];
  unit_heap_kernel<<<grid(unit.size()), kThreads, 0, stream.handle()>>>(unit_heap_root(direction),
                                                                        unit);
  BELFRY_CUDA_CHECK_LAUNCH("ntt.unit_heap");
  for (const TreePoints points : {TreePoints::kSubgroup, TreePoints::kCoset}) {
    const PassTables& tables = deepest_[index(direction)][index(points)];
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      deepest_kernel<<<grid(tables[i].size()), kThreads, 0, stream.handle()>>>(
          passes_[i], pass_constants(domain_, passes_[i], direction, points), tables[i]);
      BELFRY_CUDA_CHECK_LAUNCH("ntt.deepest");
    }
  }
}

void DeviceTree::transform_async(TreeDirection direction, TreePoints points,
                                 gpu::DeviceSpan<Fr> data, gpu::StreamRef stream) const {
  const PassTables& tables = deepest_[index(direction)][index(points)];
  const auto twiddles = [&](std::size_t i) {
    return core::TwiddleView{unit_[index(direction)].data(), tables[i].data()};
  };
  if (direction == TreeDirection::kDown) {
    for (std::size_t i = 0; i < passes_.size(); ++i) {
      launch_pass<true>(passes_[i], twiddles(i), data.data(), stream);
    }
  } else {
    for (std::size_t i = passes_.size(); i-- > 0;) {
      launch_pass<false>(passes_[i], twiddles(i), data.data(), stream);
    }
  }
}

void DeviceTree::quotient_async(gpu::DeviceSpan<Fr> a, gpu::DeviceSpan<Fr> b, gpu::DeviceSpan<Fr> c,
                                gpu::StreamRef stream) const {
  for (const auto& rows : {a, b}) {
    transform_async(TreeDirection::kUp, TreePoints::kSubgroup, rows, stream);
    transform_async(TreeDirection::kDown, TreePoints::kCoset, rows, stream);
  }
  multiply_kernel<<<grid(a.size()), kThreads, 0, stream.handle()>>>(a, b);
  BELFRY_CUDA_CHECK_LAUNCH("ntt.multiply");
  transform_async(TreeDirection::kUp, TreePoints::kCoset, a, stream);
  transform_async(TreeDirection::kUp, TreePoints::kSubgroup, c, stream);
  // Every way up left a factor of m: three in the product, one in c.
  const Fr m_inverse = domain_.size_inverse();
  subtract_kernel<<<grid(a.size()), kThreads, 0, stream.handle()>>>(
      a, c, m_inverse.square(), m_inverse * domain_.vanishing_inverse());
  BELFRY_CUDA_CHECK_LAUNCH("ntt.subtract");
}

}  // namespace belfry::ntt
