#include "belfry/groth16/prove/kernel_trial.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "belfry/base/random.h"
#include "belfry/curve/multiply.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/fill.h"
#include "belfry/gpu/memory.h"
#include "belfry/groth16/prove/cuda_device_gpu.h"
#include "belfry/groth16/prove/device_floor.h"
#include "belfry/groth16/prove/product_rate_gpu.h"
#include "belfry/msm/fixed_base_gpu.h"
#include "belfry/msm/msm_gpu.h"
#include "belfry/msm/pattern_core.h"
#include "belfry/msm/selected_sums_gpu.h"
#include "belfry/ntt/tree_gpu.h"
#include "belfry/r1cs/multiply_gpu.h"

namespace belfry::groth16 {
namespace {

constexpr const char* kKernelStage = "groth16.kernel_trial";
constexpr unsigned kLeastLog = 10;
constexpr unsigned kMostLog = 27;
constexpr std::uint64_t kWordBits = 64;

/// Elements of a field whose limbs are random, with the top ones cut to be below the modulus.
template <class Field>
Result<std::vector<Field>> random_elements(std::size_t count) {
  constexpr unsigned kSpareBits = 4;
  std::vector<Field> out(count);
  BELFRY_CHECK(fill_random({reinterpret_cast<std::uint8_t*>(out.data()), count * sizeof(Field)}));
  for (Field& element : out) element.limbs.back() >>= kSpareBits;
  return out;
}

/// The sum of the elements whose bit is set.
Fr selected(std::span<const Fr> elements, std::span<const std::uint64_t> mask) {
  Fr sum = Fr::zero();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (((mask[i / kWordBits] >> (i % kWordBits)) & 1) != 0) sum += elements[i];
  }
  return sum;
}

/// Kernels one after the other in one region of memory.
class KernelClock {
 public:
  KernelClock(const CudaDevice& device, unsigned runs, const gpu::DeviceMemory& memory,
              const WorkView& work)
      : device_(device),
        runs_(runs),
        rates_(device_rates(device.info.multiprocessors)),
        arena_(memory.data(), memory.size_bytes()),
        work_(work) {}

  template <class Field>
  Result<void> products(std::string name, double rate) {
    constexpr unsigned kBlocksEach = 4;
    constexpr unsigned kThreads = 256;
    constexpr unsigned kRounds = 4096;
    const gpu::Arena::Scope scope(arena_);
    BELFRY_TRY(const auto values,
               upload(random_elements<Field>(std::size_t{device_.info.multiprocessors} *
                                             kBlocksEach * kThreads)));
    const double count = static_cast<double>(values.size()) * kRounds;
    const double seconds = best([&] { multiply_chain_async<Field>(values, kRounds, stream_); });
    times_.push_back({std::move(name), count, "products", seconds, count / rate});
    return {};
  }

  Result<void> transforms(unsigned log_size) {
    const gpu::Arena::Scope scope(arena_);
    BELFRY_TRY(const auto domain, ntt::Domain::of_log_size(log_size));
    BELFRY_TRY(const auto tree, ntt::DeviceTree::create(domain, arena_, stream_));
    std::vector<gpu::DeviceSpan<Fr>> rows;
    for (int i = 0; i < 4; ++i) {
      BELFRY_TRY(const auto some, upload(random_elements<Fr>(domain.size())));
      rows.push_back(some);
    }
    const double size = static_cast<double>(domain.size());
    const double floor = size / 2 * log_size / rates_.fr;
    const auto add = [&](const char* name, double count, auto&& work) {
      times_.push_back({name, size, "rows", best(work), count * floor});
    };
    add("transform", 1, [&] {
      tree.transform_async(ntt::TreeDirection::kDown, ntt::TreePoints::kCoset, rows[0], stream_);
    });
    add("quotient, four transforms", 4,
        [&] { tree.domain_quotient_async(rows[0], rows[1], rows[2], rows[3], stream_); });
    add("quotient, six transforms", 6,
        [&] { tree.quotient_async(rows[0], rows[1], rows[2], stream_); });
    return {};
  }

  template <class Curve>
  Result<void> sums(const std::string& group, unsigned log_size, double rate) {
    using Affine = typename Curve::Affine;
    const gpu::Arena::Scope scope(arena_);
    const std::uint64_t n = std::uint64_t{1} << log_size;
    BELFRY_TRY(const auto multiples, random_elements<Fr>(n));
    BELFRY_TRY(const auto scalars, random_elements<Fr>(n));
    BELFRY_TRY(const auto points, arena_.take<Affine>(n, "points"));
    BELFRY_CHECK(make_points<Curve>(multiples, points));
    BELFRY_CHECK(full_sum<Curve>(group, multiples, scalars, points, rate));
    return masked_sums<Curve>(group, multiples, points, rate);
  }

  Result<void> rows(const r1cs::Shape& shape) {
    const gpu::Arena::Scope scope(arena_);
    BELFRY_TRY(const auto coded, r1cs::CodedShape::create(shape));
    BELFRY_TRY(const auto on_device, r1cs::DeviceShape::upload(coded, arena_, stream_));
    BELFRY_TRY(const auto place, r1cs::DeviceWitness::take(on_device.sizes(), arena_));
    BELFRY_TRY(const auto fields, random_elements<Fr>(place.fields.size()));
    BELFRY_TRY(const auto inputs, random_elements<Fr>(place.inputs.size()));
    std::vector<std::uint64_t> bits(place.bits.size());
    BELFRY_CHECK(fill_random(
        {reinterpret_cast<std::uint8_t*>(bits.data()), bits.size() * sizeof(std::uint64_t)}));
    gpu::upload_async<Fr>(fields, place.fields, stream_);
    gpu::upload_async<Fr>(inputs, place.inputs, stream_);
    gpu::upload_async<std::uint64_t>(bits, place.bits, stream_);
    r1cs::resolve_special_async(on_device, place, stream_);
    stream_.synchronize();
    BELFRY_TRY(const auto out, arena_.take<Fr>(std::bit_ceil(shape.rows()), "rows"));
    const double floor = static_cast<double>(out.size_bytes()) / rates_.memory;
    for (const auto& [matrix, name] :
         {std::pair{r1cs::Matrix::kA, "A·w"}, {r1cs::Matrix::kB, "B·w"}}) {
      Result<void> outcome;
      const double seconds = best([&, which = matrix] {
        outcome = r1cs::multiply_async(on_device, which, place, out, stream_);
      });
      BELFRY_CHECK(outcome);
      times_.push_back({name, static_cast<double>(shape.rows()), "rows", seconds, floor});
    }
    return {};
  }

  std::vector<KernelTime> take() && { return std::move(times_); }

 private:
  template <class T>
  Result<gpu::DeviceSpan<T>> upload(Result<std::vector<T>> from) {
    BELFRY_TRY(const auto values, std::move(from));
    BELFRY_TRY(const auto place, arena_.take<T>(values.size(), "inputs of a kernel"));
    gpu::upload_async<T>(values, place, stream_);
    stream_.synchronize();
    return place;
  }

  template <class Curve>
  Result<void> make_points(std::span<const Fr> multiples,
                           gpu::DeviceSpan<typename Curve::Affine> points) {
    constexpr std::uint32_t kMostChunk = std::uint32_t{1} << 22;
    const auto chunk =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(points.size(), kMostChunk));
    const gpu::Arena::Scope scope(arena_);
    BELFRY_TRY(const auto base,
               msm::DeviceFixedBase<Curve>::create(Curve::Affine::generator(), chunk, device_.info,
                                                   arena_, work_.executor, stream_));
    BELFRY_TRY(const auto place, arena_.take<Fr>(chunk, "multiples"));
    for (std::uint64_t first = 0; first < points.size(); first += chunk) {
      gpu::upload_async<Fr>(multiples.subspan(first, chunk), place, stream_);
      base.multiply_async(place, points.subspan(first, chunk), stream_);
      stream_.synchronize();
    }
    return {};
  }

  template <class Curve>
  Result<void> full_sum(const std::string& group, std::span<const Fr> multiples,
                        const std::vector<Fr>& scalars,
                        gpu::DeviceSpan<const typename Curve::Affine> points, double rate) {
    const gpu::Arena::Scope scope(arena_);
    BELFRY_TRY(const auto place, upload(Result<std::vector<Fr>>(scalars)));
    BELFRY_TRY(const auto plan,
               msm::plan_device_msm<Curve>(points.size(), device_.info,
                                           arena_.size_bytes() - arena_.used_bytes()));
    BELFRY_TRY(auto sum, msm::DeviceMsm<Curve>::create(plan, arena_));
    const double seconds = best([&] { sum.multiply_async(points, place, stream_); });
    Fr expected = Fr::zero();
    for (std::size_t i = 0; i < scalars.size(); ++i) expected += scalars[i] * multiples[i];
    BELFRY_CHECK(compare<Curve>("sum in " + group, expected, sum.result()));
    const double n = static_cast<double>(points.size());
    times_.push_back({"sum in " + group, n, "points", seconds, least_additions(n) / rate});
    return {};
  }

  template <class Curve>
  Result<void> masked_sums(const std::string& group, std::span<const Fr> multiples,
                           gpu::DeviceSpan<const typename Curve::Affine> points, double rate) {
    const gpu::Arena::Scope scope(arena_);
    constexpr unsigned kMasks = msm::core::kMaxMasks;
    const std::uint64_t stride = (points.size() + kWordBits - 1) / kWordBits;
    std::vector<std::uint64_t> words(kMasks * stride);
    BELFRY_CHECK(fill_random(
        {reinterpret_cast<std::uint8_t*>(words.data()), words.size() * sizeof(std::uint64_t)}));
    BELFRY_TRY(const auto place, upload(Result<std::vector<std::uint64_t>>(words)));
    BELFRY_TRY(auto sums,
               msm::DeviceSelectedSums<Curve>::create(points.size(), kMasks, device_.info, arena_));
    const double seconds = best([&] { sums.sum_async(points, place, stream_); });
    const auto found = sums.result();
    for (unsigned m = 0; m < kMasks; ++m) {
      const Fr expected =
          selected(multiples, std::span<const std::uint64_t>(words).subspan(m * stride, stride));
      BELFRY_CHECK(compare<Curve>("ten masks in " + group, expected, found[m]));
    }
    const double n = static_cast<double>(points.size());
    times_.push_back({"ten masks in " + group, n, "points", seconds, n / rate});
    return {};
  }

  template <class Curve>
  static Result<void> compare(const std::string& name, const Fr& expected,
                              const typename Curve::Jacobian& found) {
    const auto want = curve::multiply(Curve::Affine::generator(), expected).to_affine();
    if (want == found.to_affine()) return {};
    return fail(
        Error{ErrorCode::kBackendFailed, kKernelStage, "the device's sum is wrong"}.in_section(
            name));
  }

  /// The least seconds of what `work` queues.
  template <class Work>
  double best(const Work& work) {
    constexpr double kMillisecond = 1e-3;
    double least = 0;
    for (unsigned run = 0; run < runs_; ++run) {
      begin_.record(stream_);
      work();
      end_.record(stream_);
      end_.synchronize();
      const double seconds = end_.milliseconds_since(begin_) * kMillisecond;
      least = run == 0 ? seconds : std::min(least, seconds);
    }
    return least;
  }

  const CudaDevice& device_;
  unsigned runs_;
  DeviceRates rates_;
  gpu::Arena arena_;
  const WorkView& work_;
  gpu::Stream stream_;
  gpu::Event begin_{gpu::Event::Timing::kOn};
  gpu::Event end_{gpu::Event::Timing::kOn};
  std::vector<KernelTime> times_;
};

Result<std::vector<KernelTime>> time_all(const CudaDevice& device, unsigned log_size, unsigned runs,
                                         const r1cs::Shape& shape, const WorkView& work) {
  constexpr unsigned kG2Smaller = 2;
  const DeviceRates rates = device_rates(device.info.multiprocessors);
  BELFRY_TRY(const auto memory, gpu::DeviceMemory::allocate(device.budget_bytes));
  KernelClock clock(device, std::max(runs, 1U), memory, work);
  BELFRY_CHECK(clock.products<Fp>("products in Fp", rates.fp));
  BELFRY_CHECK(clock.products<Fr>("products in Fr", rates.fr));
  BELFRY_CHECK(clock.transforms(log_size));
  BELFRY_CHECK(clock.sums<curve::G1>("G1", log_size, rates.additions_g1));
  BELFRY_CHECK(clock.sums<curve::G2>("G2", log_size - kG2Smaller, rates.additions_g2));
  BELFRY_CHECK(clock.rows(shape));
  return std::move(clock).take();
}

}  // namespace

Result<std::vector<KernelTime>> time_kernels(const CudaOptions& options, unsigned log_size,
                                             unsigned runs, const r1cs::Shape& shape,
                                             const WorkView& work) {
  if (log_size < kLeastLog || log_size > kMostLog) {
    return fail(
        invalid(kKernelStage, "no such size of kernels").but("10 to 27", std::to_string(log_size)));
  }
  BELFRY_TRY(const CudaDevice device, open_cuda_device(options));
  return gpu::run_stage([&] { return time_all(device, log_size, runs, shape, work); });
}

}  // namespace belfry::groth16
