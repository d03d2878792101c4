#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "belfry/base/error.h"
#include "belfry/curve/encoding.h"
#include "belfry/curve/g1.h"
#include "belfry/curve/g2.h"

namespace belfry::msm {

/// Points that a multi-scalar multiplication reads range by range, so that a parameter section of
/// any size is decoded a chunk at a time. `Curve` is curve::G1 or curve::G2.
///
/// Implementations are immutable while read; `read` and `encoded` are called from several threads
/// at once.
template <class Curve>
class PointSource {
 public:
  using Affine = typename Curve::Affine;

  PointSource() = default;
  PointSource(const PointSource&) = default;
  PointSource& operator=(const PointSource&) = default;
  virtual ~PointSource() = default;

  /// The number of points.
  [[nodiscard]] virtual std::size_t size() const noexcept = 0;

  /// out[i] = point begin + i; infinity is x = y = 0. begin + out.size() <= size().
  [[nodiscard]] virtual Result<void> read(std::size_t begin, std::span<Affine> out) const = 0;

  /// The uncompressed encodings (spec formats.md 1.2) of points begin ... begin + count - 1 back to
  /// back, or an empty span if there are none. The vector kernels decode these directly (and check
  /// range and equation); `read` then only serves to name the fault.
  [[nodiscard]] virtual std::span<const std::uint8_t> encoded(std::size_t /*begin*/,
                                                              std::size_t /*count*/) const {
    return {};
  }
  /// Points begin ... begin + count - 1 where they lie in memory, or an empty span if they do not.
  /// Saves the copy of `read`.
  [[nodiscard]] virtual std::span<const Affine> in_memory(std::size_t /*begin*/,
                                                          std::size_t /*count*/) const {
    return {};
  }
};

/// Points in memory; the span outlives the source.
template <class Curve>
class SpanSource final : public PointSource<Curve> {
 public:
  using Affine = typename Curve::Affine;

  explicit SpanSource(std::span<const Affine> points) noexcept : points_(points) {}

  [[nodiscard]] std::size_t size() const noexcept override { return points_.size(); }
  [[nodiscard]] Result<void> read(std::size_t begin, std::span<Affine> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = points_[begin + i];
    return {};
  }
  [[nodiscard]] std::span<const Affine> in_memory(std::size_t begin,
                                                  std::size_t count) const override {
    return points_.subspan(begin, count);
  }

 private:
  std::span<const Affine> points_;
};

/// Where encoded points lie, for messages.
struct SectionName {
  std::string file;
  std::string section;       ///< "h", "b_g2", ...
  std::uint64_t offset = 0;  ///< of the first point in the file
};

/// Uncompressed encodings in memory (a mapped file): size() is what the bytes hold, a remainder
/// shorter than a point is left out. Range and equation of each point are checked when it is read,
/// its subgroup is not. The bytes outlive the source.
template <class Curve>
class EncodedSource final : public PointSource<Curve> {
 public:
  using Affine = typename Curve::Affine;
  static constexpr std::size_t kStride = curve::kUncompressedSize<Affine>;

  EncodedSource(std::span<const std::uint8_t> bytes, SectionName name)
      : bytes_(bytes), name_(std::move(name)) {}

  [[nodiscard]] std::size_t size() const noexcept override { return bytes_.size() / kStride; }
  /// kInvalidInput with file, section and offset of the first point that is none.
  [[nodiscard]] Result<void> read(std::size_t begin, std::span<Affine> out) const override {
    for (std::size_t i = 0; i < out.size(); ++i) {
      const std::size_t at = (begin + i) * kStride;
      const auto point =
          curve::decode_unchecked<Affine>(bytes_.subspan(at).template first<kStride>());
      if (!point) {
        return fail(invalid("msm.read_points", std::string(curve::describe(point.error())))
                        .in_file(name_.file)
                        .in_section(name_.section)
                        .at(name_.offset + at));
      }
      out[i] = *point;
    }
    return {};
  }
  [[nodiscard]] std::span<const std::uint8_t> encoded(std::size_t begin,
                                                      std::size_t count) const override {
    return bytes_.subspan(begin * kStride, count * kStride);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  SectionName name_;
};

}  // namespace belfry::msm
