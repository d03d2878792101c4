#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "belfry/base/error.h"
#include "belfry/groth16/params/params.h"
#include "belfry/msm/point_source.h"

namespace belfry::groth16 {

/// A vector of opened parameters as the sums read it: decoded chunk by chunk, every point checked
/// to be a finite point of the curve (spec formats.md 1.4), its subgroup not (see check_points).
/// `Curve` is curve::G2 for Section::kBG2, curve::G1 for the others. The parameters outlive it.
template <class Curve>
class SectionSource final : public msm::PointSource<Curve> {
 public:
  using Affine = typename Curve::Affine;

  SectionSource(const Parameters& parameters, Section section)
      : bytes_(parameters.section_bytes(section)),
        points_(bytes_, {parameters.path().string(), std::string(to_string(section)),
                         parameters.layout(section).points_offset()}),
        parameters_(parameters),
        section_(section) {}

  [[nodiscard]] std::size_t size() const noexcept override { return points_.size(); }

  /// kInvalidInput with file, section, index and offset of the first bad point.
  [[nodiscard]] Result<void> read(std::size_t begin, std::span<Affine> out) const override {
    if (auto read = points_.read(begin, out); !read) return fail(with_index(read.error()));
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i].is_infinity()) return fail(infinity_at(begin + i));
    }
    return {};
  }

  /// Nothing when one of the points is infinity, so that the caller asks `read`, which says which.
  [[nodiscard]] std::span<const std::uint8_t> encoded(std::size_t begin,
                                                      std::size_t count) const override {
    constexpr std::uint8_t kInfinityFlag = 0x40;
    const auto bytes = points_.encoded(begin, count);
    std::uint8_t flags = 0;
    for (std::size_t i = 0; i < count; ++i) flags |= bytes[i * kStride];
    return (flags & kInfinityFlag) != 0 ? std::span<const std::uint8_t>{} : bytes;
  }

 private:
  static constexpr std::size_t kStride = msm::EncodedSource<Curve>::kStride;

  [[nodiscard]] std::string place(std::size_t index) const {
    return std::string(to_string(section_)) + "[" + std::to_string(index) + "]";
  }
  /// The error of a point that does not decode: its offset says which it is.
  [[nodiscard]] Error with_index(Error error) const {
    const std::uint64_t first = parameters_.layout(section_).points_offset();
    const std::uint64_t offset = error.offset.value_or(0);
    if (offset < first) return error;
    const std::uint64_t index = (offset - first) / kStride;
    const std::string found = error.message;
    return std::move(error).in_section(place(index)).but("a finite point of the curve", found);
  }
  [[nodiscard]] Error infinity_at(std::size_t index) const {
    const SectionLayout& layout = parameters_.layout(section_);
    return invalid("groth16.params.points", "point at infinity")
        .in_file(parameters_.path().string())
        .in_section(place(index))
        .at(layout.points_offset() + index * kStride)
        .but("a finite point", "infinity");
  }

  ByteSpan bytes_;
  msm::EncodedSource<Curve> points_;
  const Parameters& parameters_;
  Section section_;
};

}  // namespace belfry::groth16
