#include "belfry/gpu/cuda_check.h"
#include "belfry/ntt/tree_gpu.h"

namespace belfry::ntt {
namespace {

/// A worker holds 2^3 elements of a tile of 2^10.
constexpr unsigned kThreads = 1U << (core::kTileLog - core::kStepLog);
/// Many small blocks, so that some compute while others load, store and wait.
constexpr unsigned kBlocksPerSm = 4;
constexpr unsigned kPlainThreads = 256;

unsigned grid(std::size_t workers, unsigned threads) {
  return static_cast<unsigned>((workers + threads - 1) / threads);
}
std::size_t index(TreeDirection direction) { return direction == TreeDirection::kDown ? 0 : 1; }
std::size_t index(TreePoints points) { return points == TreePoints::kSubgroup ? 0 : 1; }

__global__ void twiddle_kernel(core::TreePass pass, core::PassConstants constants,
                               gpu::DeviceSpan<Fr> table) {
  const std::size_t worker = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (worker < table.size()) core::fill_twiddles(worker, pass, constants, table.data());
}

/// table[i] = root^(i · 2^shift)
__global__ void power_kernel(Fr root, unsigned shift, gpu::DeviceSpan<Fr> table) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < table.size()) table[i] = root.pow(std::uint64_t{i} << shift);
}

/// data[k] *= k / 2^32
__global__ void scale_kernel(gpu::DeviceSpan<Fr> data) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < data.size()) data[i] = core::times_word(data[i], static_cast<std::uint32_t>(i));
}

/// a = (a·product_scale - c)·scale
__global__ void subtract_kernel(gpu::DeviceSpan<Fr> a, gpu::DeviceSpan<const Fr> c,
                                Fr product_scale, Fr scale) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < a.size()) a[i] = (a[i] * product_scale - c[i]) * scale;
}

/// One or two arrays that are transformed together.
struct Arrays {
  unsigned count_log;
  Fr* first;
  Fr* second;

  __device__ Fr* operator[](unsigned i) const { return i == 0 ? first : second; }
};

/// A pass over columns.
struct ColumnWork {
  core::TreePass pass;
  unsigned lanes_log;
  Arrays arrays;
  const Fr* twiddles;
  bool first_is_one;
  bool scaled;  ///< the last step's option
};

template <bool kDown>
__global__ void __launch_bounds__(kThreads, kBlocksPerSm) column_kernel(ColumnWork work) {
  extern __shared__ core::HalfElement shared[];
  const std::size_t lane = std::size_t{blockIdx.x} << work.lanes_log;
  const unsigned columns_log = work.pass.columns_log();
  const std::size_t block = lane >> columns_log;
  const std::size_t column = lane & ((std::size_t{1} << columns_log) - 1);
  const std::size_t table = block << work.pass.rows_log;
  const std::size_t halves =
      core::TileMemory::padded_size(std::size_t{1} << (work.pass.rows_log + work.lanes_log));
  const core::TreeTile<false> tile{work.pass,
                                   {shared, shared + halves, nullptr, nullptr},
                                   work.twiddles + table,
                                   (table << columns_log) + column,
                                   work.lanes_log,
                                   0,
                                   kThreads};
  Fr* const data = work.arrays[blockIdx.y];
  const unsigned steps = core::step_count(work.pass.rows_log);
#pragma unroll 1
  for (unsigned i = 0; i < steps; ++i) {
    const bool last = i + 1 == steps;
    tile.step<kDown>(threadIdx.x, kDown ? i : steps - 1 - i,
                     {work.first_is_one, !kDown && last && work.scaled, i == 0 ? data : nullptr,
                      last ? data : nullptr});
    if (!last) __syncthreads();
  }
}

/// What becomes of the values that the last pass down has.
enum class Finish { kStore, kProduct, kDerivative };

/// The last pass: from arrays to arrays, which may be the same.
struct RowWork {
  core::TreePass pass;
  unsigned lanes_log;
  const Fr* first_source;
  const Fr* second_source;
  Arrays arrays;
  const Fr* unit;
  core::PowerView roots;
  bool first_is_one;
  Finish finish;
  const Fr* a;  ///< kDerivative: the rows
  const Fr* b;
};

/// Sizes of a row tile's shared memory, in the order in which it is laid out.
struct RowLayout {
  std::size_t halves;    // of each of low and high
  std::size_t twiddles;  // elements
  std::size_t factors;   // elements

  __host__ __device__ explicit RowLayout(const RowWork& work)
      : halves(
            core::TileMemory::padded_size(std::size_t{1} << (work.pass.rows_log + work.lanes_log))),
        twiddles(std::size_t{1} << (work.pass.rows_log + work.lanes_log - work.arrays.count_log)),
        factors(std::size_t{core::kMaxPassLog} << (work.lanes_log - work.arrays.count_log)) {}
  [[nodiscard]] std::size_t bytes() const {
    return 2 * halves * sizeof(core::HalfElement) + (twiddles + factors) * sizeof(Fr);
  }
};

template <bool kDown>
__device__ void finish_rows(const core::TreeTile<true>& tile, const RowWork& work) {
  const unsigned worker = threadIdx.x;
  if (!kDown || work.finish == Finish::kStore) {
    tile.store(worker, [&](std::size_t place, unsigned vector, const Fr& x) {
      core::store_element(work.arrays[vector] + place, x);
    });
  } else if (work.finish == Finish::kProduct) {
    tile.store_pairs(worker, [&](std::size_t place, const Fr& x, const Fr& y) {
      core::store_element(work.arrays.first + place, x * y);
    });
  } else {
    tile.store_pairs(worker, [&](std::size_t place, const Fr& x, const Fr& y) {
      const Fr h = core::load_element(work.a + place) * y + core::load_element(work.b + place) * x;
      core::store_element(work.arrays.first + place, h);
    });
  }
}

template <bool kDown>
__global__ void __launch_bounds__(kThreads, kBlocksPerSm) row_kernel(RowWork work) {
  extern __shared__ core::HalfElement shared[];
  const RowLayout layout(work);
  auto* const elements = reinterpret_cast<Fr*>(shared + 2 * layout.halves);
  const unsigned blocks_log = work.lanes_log - work.arrays.count_log;
  const core::TreeTile<true> tile{
      work.pass,      {shared, shared + layout.halves, elements, elements + layout.twiddles},
      elements,       std::size_t{blockIdx.x} << blocks_log,
      work.lanes_log, work.arrays.count_log,
      kThreads};
  const unsigned worker = threadIdx.x;
  tile.make_factors(worker, work.roots);
  tile.load(worker, [&](std::size_t place, unsigned vector) {
    return core::load_element((vector == 0 ? work.first_source : work.second_source) + place);
  });
  __syncthreads();
  tile.make_twiddles(worker, work.unit);
  __syncthreads();
  const unsigned steps = core::step_count(work.pass.rows_log);
#pragma unroll 1
  for (unsigned i = 0; i < steps; ++i) {
    tile.step<kDown>(worker, kDown ? i : steps - 1 - i, {work.first_is_one});
    __syncthreads();
  }
  finish_rows<kDown>(tile, work);
}

/// Queues the passes of one or two arrays.
class Sweep {
 public:
  Sweep(const DeviceTree::Tables& tables, const Arrays& arrays, gpu::StreamRef stream)
      : tables_(tables), arrays_(arrays), stream_(stream) {}

  /// All passes up or down, in place.
  void up(TreePoints points) const {
    rows(TreeDirection::kUp, points);
    for (std::size_t i = column_passes(); i-- > 0;) columns(i, TreeDirection::kUp, points);
  }
  void down(TreePoints points) const {
    for (std::size_t i = 0; i < column_passes(); ++i) columns(i, TreeDirection::kDown, points);
    rows(TreeDirection::kDown, points);
  }
  /// Up from the subgroup and down to `points`, but for the last pass at both ends; between them
  /// coefficient k may be scaled by k / 2^32.
  void turn(TreePoints points, bool scaled) const {
    for (std::size_t i = column_passes(); i-- > 0;) {
      columns(i, TreeDirection::kUp, TreePoints::kSubgroup, scaled && i == 0);
    }
    if (column_passes() == 0 && scaled) scale();
    for (std::size_t i = 0; i < column_passes(); ++i) columns(i, TreeDirection::kDown, points);
  }

  void rows(TreeDirection direction, TreePoints points) const {
    launch_rows(direction, row_work(direction, points));
  }
  /// The last pass, up, from elsewhere.
  void rows_from(const Fr* first, const Fr* second, TreePoints points) const {
    RowWork work = row_work(TreeDirection::kUp, points);
    work.first_source = first;
    work.second_source = second;
    launch_rows(TreeDirection::kUp, work);
  }
  /// The last pass, down, of two arrays that become one.
  void rows_to_one(TreePoints points, Finish finish, const Fr* a, const Fr* b) const {
    RowWork work = row_work(TreeDirection::kDown, points);
    work.finish = finish;
    work.a = a;
    work.b = b;
    launch_rows(TreeDirection::kDown, work);
  }

 private:
  [[nodiscard]] std::size_t column_passes() const { return tables_.passes.size() - 1; }
  [[nodiscard]] std::size_t size() const {
    return std::size_t{1} << tables_.passes.front().log_size;
  }
  [[nodiscard]] const Fr* table(std::size_t pass, TreeDirection direction,
                                TreePoints points) const {
    return tables_.twiddles[index(direction)][index(points)][pass].data();
  }

  void columns(std::size_t i, TreeDirection direction, TreePoints points,
               bool scaled = false) const {
    const core::TreePass& pass = tables_.passes[i];
    const ColumnWork work{pass,
                          core::tile_lanes_log(pass, 0),
                          arrays_,
                          table(i, direction, points),
                          i == 0 && points == TreePoints::kSubgroup,
                          scaled};
    const unsigned tile_log = pass.rows_log + work.lanes_log;
    const std::size_t bytes =
        2 * sizeof(core::HalfElement) * core::TileMemory::padded_size(std::size_t{1} << tile_log);
    const dim3 blocks(static_cast<unsigned>(size() >> tile_log), 1U << arrays_.count_log);
    const auto kernel =
        direction == TreeDirection::kDown ? column_kernel<true> : column_kernel<false>;
    kernel<<<blocks, kThreads, bytes, stream_.handle()>>>(work);
    BELFRY_CUDA_CHECK_LAUNCH("ntt.columns");
  }

  [[nodiscard]] RowWork row_work(TreeDirection direction, TreePoints points) const {
    RowWork work{};
    work.pass = tables_.passes.back();
    work.lanes_log = core::tile_lanes_log(work.pass, arrays_.count_log);
    work.first_source = arrays_.first;
    work.second_source = arrays_.second;
    work.arrays = arrays_;
    work.unit = table(column_passes(), direction, points);
    const DeviceTree::Tables::Powers& powers = tables_.powers[index(direction)];
    work.roots = {powers.low.data(), powers.high.data(), power_cut(work.pass.log_size).low_log};
    work.first_is_one = column_passes() == 0 && points == TreePoints::kSubgroup;
    return work;
  }
  void launch_rows(TreeDirection direction, const RowWork& work) const {
    const auto kernel = direction == TreeDirection::kDown ? row_kernel<true> : row_kernel<false>;
    const std::size_t bytes = RowLayout(work).bytes();
    BELFRY_CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                         static_cast<int>(bytes)),
                    "ntt.rows");
    const auto blocks = static_cast<unsigned>((size() << arrays_.count_log) >>
                                              (work.pass.rows_log + work.lanes_log));
    kernel<<<blocks, kThreads, bytes, stream_.handle()>>>(work);
    BELFRY_CUDA_CHECK_LAUNCH("ntt.rows");
  }

  void scale() const {
    for (Fr* const data : {arrays_.first, arrays_.second}) {
      scale_kernel<<<grid(size(), kPlainThreads), kPlainThreads, 0, stream_.handle()>>>(
          gpu::DeviceSpan<Fr>(data, size()));
      BELFRY_CUDA_CHECK_LAUNCH("ntt.scale");
    }
  }

  const DeviceTree::Tables& tables_;
  Arrays arrays_;
  gpu::StreamRef stream_;
};

Arrays one(gpu::DeviceSpan<Fr> data) { return {0, data.data(), data.data()}; }
Arrays two(gpu::DeviceSpan<Fr> first, gpu::DeviceSpan<Fr> second) {
  return {1, first.data(), second.data()};
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
  for (const TreePoints points : {TreePoints::kSubgroup, TreePoints::kCoset}) {
    for (const core::TreePass& pass : tables_.passes) {
      const unsigned log = pass.rows_log + (pass.is_rows() ? 0 : pass.above_log);
      BELFRY_TRY(const auto table, arena.take<Fr>(std::size_t{1} << log, "twiddles"));
      tables_.twiddles[index(direction)][index(points)].push_back(table);
    }
  }
  const PowerCut cut = power_cut(domain_.log_size());
  Tables::Powers& powers = tables_.powers[index(direction)];
  BELFRY_TRY(powers.low, arena.take<Fr>(std::size_t{1} << cut.low_log, "powers of a root"));
  BELFRY_TRY(powers.high, arena.take<Fr>(std::size_t{1} << cut.high_log, "powers of a root"));
  return {};
}

void DeviceTree::fill_tables_async(TreeDirection direction, gpu::StreamRef stream) const {
  for (const TreePoints points : {TreePoints::kSubgroup, TreePoints::kCoset}) {
    for (std::size_t i = 0; i < tables_.passes.size(); ++i) {
      const core::TreePass& pass = tables_.passes[i];
      const auto table = tables_.twiddles[index(direction)][index(points)][i];
      twiddle_kernel<<<grid(table.size(), kPlainThreads), kPlainThreads, 0, stream.handle()>>>(
          pass, pass_constants(domain_, pass, direction, points), table);
      BELFRY_CUDA_CHECK_LAUNCH("ntt.twiddles");
    }
  }
  const Fr root =
      pass_constants(domain_, tables_.passes.back(), direction, TreePoints::kSubgroup).root;
  const Tables::Powers& powers = tables_.powers[index(direction)];
  const PowerCut cut = power_cut(domain_.log_size());
  for (const auto& [table, shift] :
       {std::pair{powers.low, 0U}, std::pair{powers.high, cut.low_log}}) {
    power_kernel<<<grid(table.size(), kPlainThreads), kPlainThreads, 0, stream.handle()>>>(
        root, shift, table);
    BELFRY_CUDA_CHECK_LAUNCH("ntt.powers");
  }
}

void DeviceTree::transform_async(TreeDirection direction, TreePoints points,
                                 gpu::DeviceSpan<Fr> data, gpu::StreamRef stream) const {
  const Sweep sweep(tables_, one(data), stream);
  direction == TreeDirection::kDown ? sweep.down(points) : sweep.up(points);
}

void DeviceTree::quotient_async(gpu::DeviceSpan<Fr> a, gpu::DeviceSpan<Fr> b, gpu::DeviceSpan<Fr> c,
                                gpu::StreamRef stream) const {
  const Sweep pair(tables_, two(a, b), stream);
  pair.rows(TreeDirection::kUp, TreePoints::kSubgroup);
  pair.turn(TreePoints::kCoset, false);
  pair.rows_to_one(TreePoints::kCoset, Finish::kProduct, nullptr, nullptr);
  Sweep(tables_, one(a), stream).up(TreePoints::kCoset);
  Sweep(tables_, one(c), stream).up(TreePoints::kSubgroup);
  // Every way up left a factor of m: three in the product, one in c.
  const Fr m_inverse = domain_.size_inverse();
  subtract_kernel<<<grid(a.size(), kPlainThreads), kPlainThreads, 0, stream.handle()>>>(
      a, c, m_inverse.square(), m_inverse * domain_.vanishing_inverse());
  BELFRY_CUDA_CHECK_LAUNCH("ntt.subtract");
}

void DeviceTree::domain_quotient_async(gpu::DeviceSpan<const Fr> a, gpu::DeviceSpan<const Fr> b,
                                       gpu::DeviceSpan<Fr> h, gpu::DeviceSpan<Fr> work,
                                       gpu::StreamRef stream) const {
  const Sweep pair(tables_, two(h, work), stream);
  pair.rows_from(a.data(), b.data(), TreePoints::kSubgroup);
  pair.turn(TreePoints::kSubgroup, true);
  pair.rows_to_one(TreePoints::kSubgroup, Finish::kDerivative, a.data(), b.data());
}

}  // namespace belfry::ntt
