#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/base/large_array.h"
#include "belfry/gpu/arena.h"
#include "belfry/gpu/fill.h"
#include "belfry/gpu/memory.h"
#include "belfry/gpu/staged_upload.h"
#include "belfry/groth16/derived/column_terms.h"
#include "belfry/groth16/derived/derive.h"
#include "belfry/groth16/derived/derived_check.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/derived/fold_gpu.h"
#include "belfry/groth16/params/counts.h"
#include "belfry/groth16/prove/cuda_device_gpu.h"
#include "belfry/groth16/prove/device_parameters_gpu.h"
#include "belfry/msm/group_transform_gpu.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/tree_plan.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.derive";

/// What is known before the device is asked.
struct Sources {
  const Parameters& parameters;
  const r1cs::Shape& shape;
  ntt::Domain domain;
  ColumnTerms header;
  ColumnTerms block;
};

/// The ranges of device memory. Taking them on an arena without memory plans.
struct Ranges {
  gpu::DeviceSpan<curve::G1Affine> points;   // (domain)
  gpu::DeviceSpan<curve::G1Affine> columns;  // of the larger part
  gpu::DeviceSpan<curve::G1Affine> sums;     // (segments), likewise the rest
  gpu::DeviceSpan<core::FoldTerm> terms;
  gpu::DeviceSpan<core::FoldSegment> segments;
  gpu::DeviceSpan<std::uint32_t> first_segment;
  gpu::DeviceSpan<Fr> dictionary;
  gpu::DeviceSpan<std::uint64_t> faults;  // of points, for the loader

  static Result<Ranges> take(const Sources& from, gpu::Arena& arena) {
    const auto most = [&](auto list) {
      return std::max((from.header.*list).size(), (from.block.*list).size());
    };
    const std::uint64_t columns = most(&ColumnTerms::first_segment);
    Ranges out;
    BELFRY_TRY(out.points,
               arena.take<curve::G1Affine>(std::max(from.domain.size(), 2 * kDeriveTile),
                                           "points of the transform"));
    BELFRY_TRY(out.columns, arena.take<curve::G1Affine>(columns, "points of a part"));
    BELFRY_TRY(out.sums, arena.take<curve::G1Affine>(most(&ColumnTerms::segments), "sums"));
    BELFRY_TRY(out.terms, arena.take<core::FoldTerm>(most(&ColumnTerms::terms), "terms"));
    BELFRY_TRY(out.segments,
               arena.take<core::FoldSegment>(most(&ColumnTerms::segments), "segments"));
    BELFRY_TRY(out.first_segment, arena.take<std::uint32_t>(columns, "segments"));
    BELFRY_TRY(out.dictionary, arena.take<Fr>(from.shape.dictionary().size(), "dictionary"));
    BELFRY_TRY(out.faults, arena.take<std::uint64_t>(kSections, "faults"));
    return out;
  }
};

class Deriver {
 public:
  Deriver(const Sources& from, const Ranges& ranges, PointLoader& loader, gpu::StreamRef stream,
          const WorkView& work)
      : from_(from),
        ranges_(ranges),
        loader_(loader),
        stream_(stream),
        work_(work),
        span_(work.tracer, "groth16.derive") {
    span_.expect(2 * from.domain.log_size() + from.shape.blocks() + 4, "steps");
  }

  Result<void> write(DerivedWriter& writer) {
    const Fr& m_inverse = from_.domain.size_inverse();
    const Fr factor = ntt::domain_quotient_factor(from_.domain) * m_inverse;
    BELFRY_CHECK(transform_h({factor, Fr::zero()}));
    BELFRY_CHECK(append(writer, gpu::DeviceSpan<const curve::G1Affine>(
                                    ranges_.points.subspan(0, from_.domain.size()))));
    BELFRY_CHECK(transform_h({Fr::zero(), m_inverse.square()}));
    BELFRY_CHECK(write_l(writer));
    BELFRY_CHECK(copy<curve::G1>(writer, Section::kA));
    BELFRY_CHECK(copy<curve::G1>(writer, Section::kBG1));
    BELFRY_CHECK(copy<curve::G2>(writer, Section::kBG2));
    return loader_.check();
  }

  [[nodiscard]] double transform_seconds() const noexcept { return transform_seconds_; }

 private:
  Result<void> step() {
    gpu::wait_for(stream_);
    span_.advance(1);
    return work_.cancel.check(std::string(kStage));
  }

  /// Σ_k omega^(-jk)·scale(k)·Q_k at the reversed bits of j, the point behind the last at infinity.
  Result<void> transform_h(const msm::core::PointScale& scale) {
    trace::Span span(work_.tracer, "groth16.derive_transform");
    const auto all = ranges_.points.subspan(0, from_.domain.size());
    const std::uint64_t given = from_.parameters.layout(Section::kH).count;
    loader_.load<curve::G1>(Section::kH, 0, all.subspan(0, given));
    gpu::fill_async(all.subspan(given, all.size() - given), 0, stream_);
    msm::scale_points_async(all, scale, 0, stream_);
    const unsigned log_size = from_.domain.log_size();
    for (unsigned depth = 0; depth < log_size; ++depth) {
      const Fr root = from_.domain.omega_inverse().pow(std::uint64_t{1} << (log_size - depth - 1));
      msm::transform_level_async(all, {log_size, depth, root}, stream_);
      BELFRY_CHECK(step());
    }
    transform_seconds_ += span.stop();
    return {};
  }

  /// The points of L, inputs first, less what C adds: part by part.
  Result<void> write_l(DerivedWriter& writer) {
    const r1cs::Shape& shape = from_.shape;
    BELFRY_TRY(auto l, LargeArray<curve::G1Affine>::create(shape.inputs() + shape.aux()));
    const r1cs::PartCounts& block = shape.block().counts;
    const r1cs::PartCounts& header = shape.header().counts;
    gpu::upload_async<Fr>(shape.dictionary(), ranges_.dictionary, stream_);
    upload(from_.block);
    std::vector<curve::G1Affine> slots(block.slots * shape.blocks());
    for (std::uint64_t k = 0; k < shape.blocks(); ++k) {
      fold(from_.block, block, shape.block_row_offset(k), shape.block_aux_offset(k));
      download(0, std::span(slots).subspan(k * block.slots, block.slots));
      download(block.slots, l.span().subspan(shape.block_input_offset(k), block.inputs));
      download(block.slots + block.inputs,
               l.span().subspan(shape.inputs() + shape.block_aux_offset(k), block.aux));
      BELFRY_CHECK(step());
    }
    upload(from_.header);
    fold(from_.header, header, 0, 0);
    download(0, l.span().first(header.inputs));
    download(header.inputs, l.span().subspan(shape.inputs(), header.aux));
    BELFRY_CHECK(step());
    add_slots(slots, l.span());
    return writer.append(
        {reinterpret_cast<const std::uint8_t*>(l.data()), l.size() * sizeof(curve::G1Affine)});
  }

  void upload(const ColumnTerms& part) {
    gpu::upload_async<core::FoldTerm>(part.terms, ranges_.terms.subspan(0, part.terms.size()),
                                      stream_);
    gpu::upload_async<core::FoldSegment>(
        part.segments, ranges_.segments.subspan(0, part.segments.size()), stream_);
    gpu::upload_async<std::uint32_t>(
        part.first_segment, ranges_.first_segment.subspan(0, part.first_segment.size()), stream_);
  }

  /// Leaves the points of a part's columns: slots and inputs had none.
  void fold(const ColumnTerms& part, const r1cs::PartCounts& counts, std::uint64_t first_row,
            std::uint64_t first_aux) {
    const std::uint64_t special = counts.slots + counts.inputs;
    gpu::fill_async(ranges_.columns.subspan(0, special), 0, stream_);
    loader_.load<curve::G1>(Section::kL, first_aux, ranges_.columns.subspan(special, counts.aux));
    const core::FoldView view{ranges_.terms.data(), ranges_.dictionary.data(),
                              ranges_.points.data(), first_row, from_.domain.log_size()};
    fold_segments_async(ranges_.segments.subspan(0, part.segments.size()), view, ranges_.sums,
                        stream_);
    fold_columns_async(ranges_.first_segment, ranges_.sums,
                       ranges_.columns.subspan(0, special + counts.aux), stream_);
  }

  void download(std::uint64_t first, std::span<curve::G1Affine> to) {
    gpu::download_async<curve::G1Affine>(ranges_.columns.subspan(first, to.size()), to, stream_);
  }

  /// What blocks add to the points of header variables that they see.
  void add_slots(std::span<const curve::G1Affine> slots, std::span<curve::G1Affine> l) const {
    const std::uint64_t inputs = from_.shape.header().counts.inputs;
    for (std::uint64_t k = 0; k < from_.shape.blocks(); ++k) {
      const auto bindings = from_.shape.bindings(k);
      for (std::size_t slot = 0; slot < bindings.size(); ++slot) {
        const std::uint64_t column = bindings[slot];
        curve::G1Affine& point =
            l[column < inputs ? column : from_.shape.inputs() + column - inputs];
        const auto sum = curve::G1Jacobian::from_affine(point) + slots[k * bindings.size() + slot];
        point = sum.to_affine();
      }
    }
  }

  template <class Affine>
  Result<void> append(DerivedWriter& writer, gpu::DeviceSpan<const Affine> points) {
    std::vector<Affine> host(std::min<std::uint64_t>(kDeriveTile, points.size()));
    for (std::uint64_t at = 0; at < points.size(); at += host.size()) {
      const std::uint64_t count = std::min<std::uint64_t>(host.size(), points.size() - at);
      gpu::download_async<Affine>(points.subspan(at, count), std::span(host).first(count), stream_);
      gpu::wait_for(stream_);
      BELFRY_CHECK(writer.append(
          {reinterpret_cast<const std::uint8_t*>(host.data()), count * sizeof(Affine)}));
    }
    return {};
  }

  /// A section as it is, decoded.
  template <class Curve>
  Result<void> copy(DerivedWriter& writer, Section section) {
    using Affine = typename Curve::Affine;
    const std::uint64_t points = from_.parameters.layout(section).count;
    for (std::uint64_t at = 0; at < points; at += kDeriveTile) {
      const gpu::DeviceSpan<Affine> tile(reinterpret_cast<Affine*>(ranges_.points.data()),
                                         std::min(kDeriveTile, points - at));
      loader_.load<Curve>(section, at, tile);
      BELFRY_CHECK(append(writer, gpu::DeviceSpan<const Affine>(tile)));
      BELFRY_CHECK(work_.cancel.check(std::string(kStage)));
    }
    return step();
  }

  const Sources& from_;
  const Ranges& ranges_;
  PointLoader& loader_;
  gpu::StreamRef stream_;
  const WorkView& work_;
  trace::Span span_;
  double transform_seconds_ = 0;
};

Result<std::uint64_t> needed_bytes(const Sources& from, const CudaDevice& device) {
  auto arena = gpu::Arena::unlimited();
  BELFRY_TRY(const Ranges ranges, Ranges::take(from, arena));
  const std::uint64_t needed = arena.peak_bytes();
  if (ranges.points.size() != 0 && needed <= device.budget_bytes) return needed;
  return fail(
      Error{ErrorCode::kResourceExhausted, std::string(kStage),
            "deriving parameters needs more device memory than there is"}
          .but(std::to_string(needed) + " bytes", std::to_string(device.budget_bytes) + " bytes")
          .with_hint("Derive them on a larger card and copy the file"));
}

/// Returns the seconds of both transforms.
Result<double> derive_on(const CudaDevice& device, const Sources& from, DerivedWriter& writer,
                         const WorkView& work) {
  BELFRY_TRY(const std::uint64_t bytes, needed_bytes(from, device));
  BELFRY_TRY(const gpu::DeviceMemory memory, gpu::DeviceMemory::allocate(bytes));
  gpu::Arena arena(memory.data(), memory.size_bytes());
  const gpu::Stream stream;
  gpu::StagedUpload upload(work.executor);
  BELFRY_TRY(const Ranges ranges, Ranges::take(from, arena));
  PointLoader loader(HostPoints::of(from.parameters), upload, ranges.faults, stream);
  Deriver deriver(from, ranges, loader, gpu::StreamRef(stream), work);
  BELFRY_CHECK(deriver.write(writer));
  return deriver.transform_seconds();
}

/// Seconds of the check of what a device made. The points that it was made from are good.
Result<double> check(const DerivedWriter& writer, const Sources& from,
                     const std::filesystem::path& target, const WorkView& work) {
  trace::Span span(work.tracer, "groth16.derive_check");
  const auto check_made = [&]() -> Result<void> {
    BELFRY_TRY(const DerivedParameters made, DerivedParameters::open(writer.readable_path()));
    return check_derived_points(made, from.parameters, from.shape, work);
  };
  const auto checked = check_made();
  if (checked) return span.stop();
  Error error = checked.error();
  // The name under which this process reads it says nothing to others.
  if (error.file == writer.readable_path()) error.file = target.string();
  if (error.code == ErrorCode::kInvalidInput) error.code = ErrorCode::kBackendFailed;
  return fail(std::move(error));
}

}  // namespace

Result<DeriveReport> derive_parameters(const Parameters& parameters, const r1cs::Shape& shape,
                                       const std::filesystem::path& target,
                                       const CudaOptions& options, const WorkView& work) {
  trace::Span span(work.tracer, "groth16.derive_parameters");
  BELFRY_CHECK(check_counts(parameters, shape));
  BELFRY_TRY(const CudaDevice device, open_cuda_device(options));
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape.rows()));
  BELFRY_TRY(ColumnTerms header, ColumnTerms::of(shape.header()));
  BELFRY_TRY(ColumnTerms block, ColumnTerms::of(shape.block()));
  const Sources from{parameters, shape, domain, std::move(header), std::move(block)};
  BELFRY_TRY(DerivedWriter writer,
             DerivedWriter::create(target, DerivedIdentity::of(parameters, shape),
                                   derived_counts(shape), work.executor));
  BELFRY_TRY(const double transforms,
             gpu::run_stage([&] { return derive_on(device, from, writer, work); }));
  BELFRY_CHECK(writer.finish());
  BELFRY_TRY(const double checked, check(writer, from, target, work));
  BELFRY_CHECK(writer.commit());
  BELFRY_TRY(const DerivedParameters made, DerivedParameters::open(target));
  return DeriveReport{target, made.bytes(), device.describe(), span.stop(), transforms, checked};
}

}  // namespace belfry::groth16
