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

}  // namespace

PointLoader::PointLoader(const HostPoints& points, gpu::StagedUpload& upload,
                         gpu::DeviceSpan<std::uint64_t> first_bad, gpu::StreamRef stream)
    : points_(points), upload_(upload), first_bad_(first_bad), stream_(stream) {
  gpu::fill_async(first_bad_, 0xff, stream_);
}

template <class Curve>
void PointLoader::load(Section section, std::uint64_t first,
                       gpu::DeviceSpan<typename Curve::Affine> to) {
  const ByteSpan bytes =
      points_.of(section).subspan(first * sizeof(typename Curve::Affine), to.size_bytes());
  upload_.copy(
      bytes,
      gpu::DeviceSpan<std::uint8_t>(reinterpret_cast<std::uint8_t*>(to.data()), bytes.size()),
      stream_);
  if (points_.encoded_in == nullptr) return;
  decode_points_async<Curve>(to, first, first_bad_.subspan(static_cast<std::size_t>(section), 1),
                             stream_);
}

Result<void> PointLoader::check() const {
  std::array<std::uint64_t, kSections> bad{};
  gpu::download_async<std::uint64_t>(first_bad_, bad, stream_);
  gpu::wait_for(stream_);
  for (std::size_t i = 0; i < kSections && points_.encoded_in != nullptr; ++i) {
    const auto section = static_cast<Section>(i);
    if (bad[i] == kNone) continue;
    return fail(section == Section::kBG2
                    ? describe_bad<curve::G2>(*points_.encoded_in, section, bad[i])
                    : describe_bad<curve::G1>(*points_.encoded_in, section, bad[i]));
  }
  return {};
}

template void PointLoader::load<curve::G1>(Section, std::uint64_t,
                                           gpu::DeviceSpan<curve::G1Affine>);
template void PointLoader::load<curve::G2>(Section, std::uint64_t,
                                           gpu::DeviceSpan<curve::G2Affine>);

}  // namespace belfry::groth16
