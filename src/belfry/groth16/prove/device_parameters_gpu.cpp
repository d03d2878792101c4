#include "belfry/groth16/prove/device_parameters_gpu.h"

#include <array>
#include <limits>
#include <span>
#include <string>

#include "belfry/gpu/fill.h"
#include "belfry/groth16/params/decode_gpu.h"
#include "belfry/groth16/params/section_source.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.load_points";
constexpr std::uint64_t kNone = std::numeric_limits<std::uint64_t>::max();

/// Names the fault of a point that the device refused.
template <class Curve>
Error describe_bad(const Parameters& parameters, Section section, std::uint64_t index) {
  std::array<typename Curve::Affine, 1> point;
  const auto read = SectionSource<Curve>(parameters, section)
                        .read(index, std::span<typename Curve::Affine>(point));
  if (!read) return read.error();
  return Error{ErrorCode::kBackendFailed, std::string(kStage),
               "the device refuses a point that the host accepts"}
      .in_file(parameters.path().string())
      .in_section(std::string(to_string(section)) + "[" + std::to_string(index) + "]");
}

/// Loads sections one after the other; the first bad point of each has its number on the device.
class Loader {
 public:
  Loader(const Parameters& parameters, gpu::StagedUpload& upload,
         gpu::DeviceSpan<std::uint64_t> first_bad, gpu::StreamRef stream)
      : parameters_(parameters), upload_(upload), first_bad_(first_bad), stream_(stream) {}

  template <class Curve>
  void load(Section section, gpu::DeviceSpan<typename Curve::Affine> points) {
    const std::span<const std::uint8_t> bytes = parameters_.section_bytes(section);
    upload_.copy(
        bytes,
        gpu::DeviceSpan<std::uint8_t>(reinterpret_cast<std::uint8_t*>(points.data()), bytes.size()),
        stream_);
    decode_points_async<Curve>(points, 0, first_bad_.subspan(static_cast<std::size_t>(section), 1),
                               stream_);
  }

 private:
  const Parameters& parameters_;
  gpu::StagedUpload& upload_;
  gpu::DeviceSpan<std::uint64_t> first_bad_;
  gpu::StreamRef stream_;
};

}  // namespace

Result<void> load_points(const Parameters& parameters, const DevicePoints& points,
                         gpu::StagedUpload& upload, gpu::Arena& arena, gpu::StreamRef stream) {
  const gpu::Arena::Scope scope(arena);
  BELFRY_TRY(const auto first_bad, arena.take<std::uint64_t>(kSections, "faults"));
  gpu::fill_async(first_bad, 0xff, stream);
  Loader loader(parameters, upload, first_bad, stream);
  loader.load<curve::G1>(Section::kH, points.h);
  loader.load<curve::G1>(Section::kL, points.l);
  loader.load<curve::G1>(Section::kA, points.a);
  loader.load<curve::G1>(Section::kBG1, points.b_g1);
  loader.load<curve::G2>(Section::kBG2, points.b_g2);
  std::array<std::uint64_t, kSections> bad{};
  gpu::download_async<std::uint64_t>(first_bad, bad, stream);
  gpu::wait_for(stream);
  for (std::size_t i = 0; i < kSections; ++i) {
    const auto section = static_cast<Section>(i);
    if (bad[i] == kNone) continue;
    return fail(section == Section::kBG2 ? describe_bad<curve::G2>(parameters, section, bad[i])
                                         : describe_bad<curve::G1>(parameters, section, bad[i]));
  }
  return {};
}

}  // namespace belfry::groth16
