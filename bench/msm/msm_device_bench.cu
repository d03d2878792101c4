// Sums on the device against the floor of the multiplier pipe: `msm_gpu_bench [g1|g2]
// [log_size[:copies[:window]] ...]`, or `s24` for sums of 2^24 points by ten masks. Points are
// known multiples of the generator, so every timed sum is checked exactly.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "belfry/curve/multiply.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/device.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/stream.h"
#include "belfry/msm/msm_gpu.h"
#include "belfry/msm/selected_sums_gpu.h"
#include "support/random_points.h"

namespace belfry {
namespace {

constexpr int kRepeats = 5;
constexpr unsigned kThreads = 256;
constexpr unsigned kCheckBlocks = 1024;
/// Affine additions a second if the multiplier pipe never waits: docs/perf/gpu_msm.md.
constexpr double kFloorRate = 4.58e9;

unsigned grid(std::uint64_t n) { return static_cast<unsigned>((n + kThreads - 1) / kThreads); }

/// SplitMix64, as a function of its position.
__device__ std::uint64_t mixed(std::uint64_t z) {
  z += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
__global__ void scalars_kernel(gpu::DeviceSpan<Fr> scalars) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= scalars.size()) return;
  scalars[i] =
      Fr::reduce_once({mixed(4 * i), mixed(4 * i + 1), mixed(4 * i + 2), mixed(4 * i + 3) >> 1});
}

__global__ void masks_kernel(gpu::DeviceSpan<std::uint64_t> words) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < words.size()) words[i] = mixed(~i);
}
/// scalars[i] = bit i of the words.
__global__ void bits_kernel(const std::uint64_t* words, gpu::DeviceSpan<Fr> scalars) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < scalars.size())
    scalars[i] = (words[i / 64] >> (i % 64)) % 2 != 0 ? Fr::one() : Fr::zero();
}

/// Point i is (low_start + (i mod m)·low_step) + (high_start + (i / m)·high_step) times the
/// generator, m = 2^log_low.
struct Multiples {
  unsigned log_low;
  Fr low_start, low_step, high_start, high_step;

  [[nodiscard]] BELFRY_HD Fr at(std::uint64_t i) const {
    return low_start + Fr::from_u64(i & ((std::uint64_t{1} << log_low) - 1)) * low_step +
           high_start + Fr::from_u64(i >> log_low) * high_step;
  }
};
__global__ void pairs_kernel(unsigned log_low, std::uint64_t n, msm::core::PointPair* pairs) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const std::uint64_t m = std::uint64_t{1} << log_low;
  pairs[i] = {static_cast<std::uint32_t>(i & (m - 1)),
              static_cast<std::uint32_t>(m + (i >> log_low))};
}
/// partial[t] = Σ scalars[i]·multiples.at(i) over the i of thread t.
__global__ void expected_kernel(Multiples multiples, gpu::DeviceSpan<const Fr> scalars,
                                gpu::DeviceSpan<Fr> partial) {
  const std::uint64_t t = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  Fr sum = Fr::zero();
  for (std::uint64_t i = t; i < scalars.size(); i += partial.size()) {
    sum += scalars[i] * multiples.at(i);
  }
  partial[t] = sum;
}

Fr random_fr(std::mt19937_64& rng) { return Fr{{rng(), rng(), rng(), rng() >> 2}}; }

template <class Curve>
void append_progression(const Fr& start, const Fr& step, std::size_t n,
                        std::vector<typename Curve::Affine>& out) {
  const auto points =
      test::progression<Curve>(curve::multiply<Curve>(Curve::generator(), start),
                               curve::multiply<Curve>(Curve::generator(), step).to_affine(), n);
  out.insert(out.end(), points.begin(), points.end());
}

struct Case {
  bool is_selection;
  unsigned log_size;
  msm::DeviceMsmOptions options;
};

template <class Curve>
class Bench {
  using Affine = typename Curve::Affine;

 public:
  Bench(const gpu::DeviceInfo& device, gpu::DeviceMemory& memory, const gpu::Stream& stream)
      : device_(device), memory_(memory), stream_(stream) {}

  Result<void> run(const Case& which) {
    return which.is_selection ? run_selected(which.log_size) : run_sum(which);
  }

 private:
  Result<void> run_sum(const Case& which) {
    gpu::Arena arena(memory_.data(), memory_.size_bytes());
    const std::uint64_t n = std::uint64_t{1} << which.log_size;
    BELFRY_TRY(const auto points, arena.take<Affine>(n * which.options.copies, "points"));
    BELFRY_TRY(const auto scalars, arena.take<Fr>(n, "scalars"));
    scalars_kernel<<<grid(n), kThreads, 0, stream()>>>(scalars);
    BELFRY_CUDA_CHECK_LAUNCH("bench.scalars");
    BELFRY_TRY(const auto multiples, make_points(which.log_size, points, arena));
    BELFRY_TRY(const auto expected, expected_sum(multiples, scalars, arena));
    const std::uint64_t left = arena.size_bytes() - arena.used_bytes();
    BELFRY_TRY(const auto plan, msm::plan_device_msm<Curve>(n, device_, left, which.options));
    BELFRY_TRY(auto sum, msm::DeviceMsm<Curve>::create(plan, arena));
    const double copies_ms = timed([&] { sum.precompute_copies_async(points, stream_); });
    std::vector<double> totals;
    bool right = true;
    for (int i = 0; i < kRepeats; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      sum.multiply_async(points, scalars, stream_);
      stream_.synchronize();
      const auto result = sum.result();
      totals.push_back(
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
              .count());
      right = right && result == expected;
    }
    std::sort(totals.begin(), totals.end());
    report(which, plan, sum, points, scalars);
    std::cout << " | total " << totals[kRepeats / 2] << " ms (" << totals.front() << "-"
              << totals.back() << "), workspace " << static_cast<double>(plan.workspace_bytes) / 1e9
              << " GB, copies made in " << copies_ms << " ms, " << (right ? "right" : "WRONG")
              << std::endl;
    return {};
  }

  /// Ten random masks over 2^log_size points.
  Result<void> run_selected(unsigned log_size) {
    gpu::Arena arena(memory_.data(), memory_.size_bytes());
    const std::uint64_t n = std::uint64_t{1} << log_size;
    const std::uint64_t stride = (n + 63) / 64;
    BELFRY_TRY(const auto points, arena.take<Affine>(n, "points"));
    BELFRY_TRY(const auto scalars, arena.take<Fr>(n, "scalars"));
    BELFRY_TRY(const auto words, arena.take<std::uint64_t>(msm::core::kMaxMasks * stride, "masks"));
    BELFRY_TRY(const auto multiples, make_points(log_size, points, arena));
    masks_kernel<<<grid(words.size()), kThreads, 0, stream()>>>(words);
    BELFRY_CUDA_CHECK_LAUNCH("bench.masks");
    BELFRY_TRY(auto sums,
               msm::DeviceSelectedSums<Curve>::create(n, msm::core::kMaxMasks, device_, arena));
    std::vector<double> times;
    for (int i = 0; i < kRepeats; ++i) {
      times.push_back(timed([&] { sums.sum_async(points, words, stream_); }));
    }
    std::sort(times.begin(), times.end());
    bool right = true;
    const auto results = sums.result();
    for (unsigned m = 0; m < msm::core::kMaxMasks; ++m) {
      bits_kernel<<<grid(n), kThreads, 0, stream()>>>(words.data() + m * stride, scalars);
      BELFRY_CUDA_CHECK_LAUNCH("bench.bits");
      BELFRY_TRY(const auto expected, expected_sum(multiples, scalars, arena));
      right = right && results[m] == expected;
    }
    std::cout << "2^" << log_size << " selected by ten masks: " << times[kRepeats / 2] << " ms ("
              << times.front() << "-" << times.back() << "), " << (right ? "right" : "WRONG")
              << std::endl;
    return {};
  }

  [[nodiscard]] cudaStream_t stream() const { return gpu::StreamRef(stream_).handle(); }

  template <class Work>
  double timed(const Work& work) {
    gpu::Event begin(gpu::Event::Timing::kOn);
    gpu::Event end(gpu::Event::Timing::kOn);
    begin.record(stream_);
    work();
    end.record(stream_);
    end.synchronize();
    return end.milliseconds_since(begin);
  }

  Result<Multiples> make_points(unsigned log_size, gpu::DeviceSpan<Affine> points,
                                gpu::Arena& arena) {
    std::mt19937_64 rng(log_size);
    const Multiples multiples{log_size / 2, random_fr(rng), random_fr(rng), random_fr(rng),
                              random_fr(rng)};
    const std::uint64_t n = std::uint64_t{1} << log_size;
    std::vector<Affine> tables;
    append_progression<Curve>(multiples.low_start, multiples.low_step,
                              std::size_t{1} << multiples.log_low, tables);
    append_progression<Curve>(multiples.high_start, multiples.high_step, n >> multiples.log_low,
                              tables);
    const gpu::Arena::Scope scope(arena);
    BELFRY_TRY(const auto on_device, arena.take<Affine>(tables.size(), "tables"));
    BELFRY_TRY(const auto pairs, arena.take<msm::core::PointPair>(n, "pairs"));
    BELFRY_TRY(const auto count, arena.take<std::uint32_t>(1, "count"));
    BELFRY_TRY(const auto adder, msm::BatchAdder<Curve>::create(device_.multiprocessors, arena));
    const std::array<std::uint32_t, 1> number{static_cast<std::uint32_t>(n)};
    gpu::upload_async<Affine>(tables, on_device, stream_);
    gpu::upload_async<std::uint32_t>(number, count, stream_);
    pairs_kernel<<<grid(n), kThreads, 0, stream()>>>(multiples.log_low, n, pairs.data());
    BELFRY_CUDA_CHECK_LAUNCH("bench.pairs");
    adder.add_gathered_async(on_device.data(), pairs.data(), count.data(), points.data(), stream_);
    stream_.synchronize();
    return multiples;
  }

  Result<typename Curve::Jacobian> expected_sum(const Multiples& multiples,
                                                gpu::DeviceSpan<const Fr> scalars,
                                                gpu::Arena& arena) {
    const gpu::Arena::Scope scope(arena);
    BELFRY_TRY(const auto partial, arena.take<Fr>(kCheckBlocks * kThreads, "partial sums"));
    expected_kernel<<<kCheckBlocks, kThreads, 0, stream()>>>(multiples, scalars, partial);
    BELFRY_CUDA_CHECK_LAUNCH("bench.expected");
    std::vector<Fr> host(partial.size());
    gpu::download_async<Fr>(partial, host, stream_);
    stream_.synchronize();
    Fr total = Fr::zero();
    for (const Fr& x : host) total += x;
    return curve::multiply<Curve>(Curve::generator(), total);
  }

  /// One more sum, with an event after each stage.
  void report(const Case& which, const msm::DeviceMsmPlan& plan, msm::DeviceMsm<Curve>& sum,
              gpu::DeviceSpan<const Affine> points, gpu::DeviceSpan<const Fr> scalars) {
    const double prepare = timed([&] { sum.prepare_async(scalars, stream_); });
    double entries = 0;
    double lists = 0;
    double accumulate = 0;
    double first_level = 0;
    for (unsigned set = 0; set < plan.sets; set += plan.sets_per_pass) {
      entries += timed([&] { sum.entries_async(set, stream_); });
      lists += timed([&] { sum.lists_async(set, stream_); });
      accumulate += timed([&] { sum.accumulate_async(set, points, stream_); });
      const auto buckets = static_cast<std::uint32_t>(std::min(plan.sets_per_pass, plan.sets - set))
                           << (plan.digits.window_bits - 1);
      first_level += timed([&] { sum.buckets().add_pairs_async(points, buckets, stream_); });
    }
    const double reduce = timed([&] { sum.reduce_async(stream_); });
    const double additions =
        static_cast<double>(plan.digits.windows) * static_cast<double>(plan.points) -
        static_cast<double>(std::uint64_t{plan.sets} << (plan.digits.window_bits - 1));
    const double rate = additions / accumulate * 1e3;
    std::cout << "2^" << which.log_size << " window " << plan.digits.window_bits << " copies "
              << plan.copies << " sets " << plan.sets << " by " << plan.sets_per_pass
              << ": prepare " << prepare << " entries " << entries << " sort and lists " << lists
              << " accumulate " << accumulate << " (" << rate / 1e9 << " G/s, "
              << rate / kFloorRate * 100 << " %), of it first level " << first_level << " reduce "
              << reduce;
  }

  gpu::DeviceInfo device_;
  gpu::DeviceMemory& memory_;
  const gpu::Stream& stream_;
};

/// "24:4:22" is 2^24 points, four copies, windows of 22 bits; "s24" is a selection by masks.
Case parse(const std::string& text) {
  std::array<unsigned, 3> numbers{0, 1, 0};
  const bool is_selection = text.starts_with('s');
  std::size_t at = is_selection ? 1 : 0;
  for (unsigned& number : numbers) {
    if (at >= text.size()) break;
    std::size_t used = 0;
    number = static_cast<unsigned>(std::stoul(text.substr(at), &used));
    at += used + 1;
  }
  return {is_selection, numbers[0], {numbers[2], numbers[1]}};
}

Result<void> run(bool g2, const std::vector<Case>& cases) {
  constexpr double kShareOfFree = 0.97;
  BELFRY_TRY(const auto devices, gpu::list_devices());
  BELFRY_CHECK(gpu::use_device(0));
  const auto bytes =
      static_cast<std::uint64_t>(kShareOfFree * static_cast<double>(devices.front().free_bytes));
  BELFRY_TRY(auto memory, gpu::DeviceMemory::allocate(bytes));
  std::cout << devices.front().name << ", medians of " << kRepeats << ", ms" << std::endl;
  const gpu::Stream stream;
  for (const Case& which : cases) {
    if (g2) {
      BELFRY_CHECK(Bench<curve::G2>(devices.front(), memory, stream).run(which));
    } else {
      BELFRY_CHECK(Bench<curve::G1>(devices.front(), memory, stream).run(which));
    }
  }
  return {};
}

}  // namespace
}  // namespace belfry

int main(int argc, char** argv) {
  bool g2 = false;
  std::vector<belfry::Case> cases;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "g1" || argument == "g2") {
      g2 = argument == "g2";
    } else {
      cases.push_back(belfry::parse(argument));
    }
  }
  if (cases.empty()) {
    for (const char* text : {"22", "24", "26", "27"}) cases.push_back(belfry::parse(text));
  }
  const auto result = belfry::gpu::run_stage([&] { return belfry::run(g2, cases); });
  if (!result) std::cerr << result.error().describe() << "\n";
  return result ? 0 : 1;
}
