#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "belfry/gpu/arena.h"
#include "belfry/gpu/cuda_check.h"
#include "belfry/gpu/drain.h"
#include "belfry/gpu/fill.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/groth16/keygen/device_keygen_gpu.h"
#include "belfry/groth16/keygen/device_setup.h"
#include "belfry/groth16/keygen/test_files.h"
#include "belfry/groth16/prove/cuda_device_gpu.h"
#include "belfry/groth16/prove/prepared_shape.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.device_setup";
/// Of the host's page-locked buffer that points come back through. The digests of so many take 80
/// times as long as the bus, so a second one would bring nothing.
constexpr std::size_t kTileBytes = std::size_t{32} << 20;

/// The points that the card holds at once: all but those of H.
Result<DevicePoints> take_points(const QueryCounts& counts, gpu::Arena& arena) {
  DevicePoints out;
  BELFRY_TRY(out.l, arena.take<curve::G1Affine>(counts.l, "points"));
  BELFRY_TRY(out.a, arena.take<curve::G1Affine>(counts.a, "points"));
  BELFRY_TRY(out.b_g1, arena.take<curve::G1Affine>(counts.b, "points"));
  BELFRY_TRY(out.b_g2, arena.take<curve::G2Affine>(counts.b, "points"));
  return out;
}

/// What setup takes of the device, if the budget holds it.
Result<std::uint64_t> needed_bytes(const PreparedShape& shape, const CudaDevice& device) {
  auto arena = gpu::Arena::unlimited();
  BELFRY_CHECK(take_points(shape.points, arena));
  BELFRY_CHECK(take_device_keygen(device.info, arena));
  const std::uint64_t needed = arena.peak_bytes();
  if (needed <= device.budget_bytes) return needed;
  return fail(
      Error{ErrorCode::kResourceExhausted, std::string(kStage),
            "test parameters need more device memory than there is"}
          .but(std::to_string(needed) + " bytes", std::to_string(device.budget_bytes) + " bytes")
          .with_hint("Raise --vram-budget, or use --backend cpu"));
}

class DeviceSetup {
 public:
  DeviceSetup(const PreparedShape& shape, const TestTrapdoor& trapdoor, const CudaDevice& device,
              gpu::Arena& arena, const WorkView& work)
      : shape_(shape),
        trapdoor_(trapdoor),
        arena_(arena),
        upload_(work.executor),
        place_{device.info, arena, upload_, stream_},
        work_(work) {}
  DeviceSetup(const DeviceSetup&) = delete;
  DeviceSetup& operator=(const DeviceSetup&) = delete;
  /// Nothing is on its way to memory that is given back.
  ~DeviceSetup() { gpu::drain(stream_); }

  Result<SetupReport> run(const std::filesystem::path& directory, const std::string& stem) {
    BELFRY_TRY(points_, take_points(shape_.points, arena_));
    BELFRY_TRY(const VerifyingKey key,
               make_device_points(shape_, trapdoor_, points_, place_, work_));
    const QueryCounts& counts = shape_.points;
    return write_test_files(
        directory, stem, key, counts.h + counts.l + counts.a + 2 * counts.b,
        [this](SectionPrinter& printer) { return print(printer); }, work_);
  }

 private:
  Result<void> print(SectionPrinter& printer) {
    BELFRY_CHECK(printer.begin(shape_.points.h));
    BELFRY_CHECK(make_device_h(
        shape_, trapdoor_, place_, work_,
        [&](gpu::DeviceSpan<const curve::G1Affine> points) { return append(printer, points); }));
    BELFRY_CHECK(printer.end());
    BELFRY_CHECK(print(printer, gpu::DeviceSpan<const curve::G1Affine>(points_.l)));
    BELFRY_CHECK(print(printer, gpu::DeviceSpan<const curve::G1Affine>(points_.a)));
    BELFRY_CHECK(print(printer, gpu::DeviceSpan<const curve::G1Affine>(points_.b_g1)));
    return print(printer, gpu::DeviceSpan<const curve::G2Affine>(points_.b_g2));
  }

  template <class Affine>
  Result<void> print(SectionPrinter& printer, gpu::DeviceSpan<const Affine> points) {
    BELFRY_CHECK(printer.begin(points.size()));
    BELFRY_CHECK(append(printer, points));
    return printer.end();
  }

  template <class Affine>
  Result<void> append(SectionPrinter& printer, gpu::DeviceSpan<const Affine> points) {
    constexpr std::uint64_t kTile = kTileBytes / sizeof(Affine);
    for (std::uint64_t at = 0; at < points.size(); at += kTile) {
      BELFRY_CHECK(work_.cancel.check(std::string(kStage)));
      const std::uint64_t count = std::min(kTile, points.size() - at);
      const std::span<Affine> tile(reinterpret_cast<Affine*>(tile_.span().data()), count);
      gpu::download_async<Affine>(points.subspan(at, count), tile, stream_);
      gpu::wait_for(stream_);
      BELFRY_CHECK(printer.append(std::span<const Affine>(tile)));
    }
    return {};
  }

  const PreparedShape& shape_;
  const TestTrapdoor& trapdoor_;
  gpu::Arena& arena_;
  gpu::Stream stream_;
  gpu::StagedUpload upload_;
  gpu::PinnedBuffer<std::byte> tile_{kTileBytes};
  DevicePlaceView place_;
  const WorkView& work_;
  DevicePoints points_;
};

}  // namespace

Result<void> check_device_setup(const r1cs::Shape& shape, const CudaOptions& options) {
  BELFRY_TRY(const CudaDevice device, open_cuda_device(options));
  return gpu::run_stage([&]() -> Result<void> {
    BELFRY_TRY(const auto prepared, PreparedShape::create(shape));
    BELFRY_CHECK(needed_bytes(*prepared, device));
    return {};
  });
}

Result<SetupReport> make_test_parameters_on_device(
    const r1cs::Shape& shape, const TestTrapdoor& trapdoor, const std::filesystem::path& directory,
    const std::string& stem, const CudaOptions& options, const WorkView& work) {
  const trace::Span span(work.tracer, "groth16.setup");
  BELFRY_TRY(const CudaDevice device, open_cuda_device(options));
  return gpu::run_stage([&]() -> Result<SetupReport> {
    BELFRY_TRY(const auto prepared, PreparedShape::create(shape));
    BELFRY_TRY(const std::uint64_t bytes, needed_bytes(*prepared, device));
    BELFRY_TRY(const gpu::DeviceMemory memory, gpu::DeviceMemory::allocate(bytes));
    gpu::Arena arena(memory.data(), memory.size_bytes());
    DeviceSetup setup(*prepared, trapdoor, device, arena, work);
    BELFRY_TRY(SetupReport report, setup.run(directory, stem));
    report.device = device.describe();
    return report;
  });
}

}  // namespace belfry::groth16
