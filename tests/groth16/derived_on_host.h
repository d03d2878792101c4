#pragma once

#include <array>
#include <vector>

#include "belfry/curve/multiply.h"
#include "belfry/groth16/derived/column_terms.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/params/section_source.h"
#include "belfry/ntt/tree_plan.h"
#include "groth16/support.h"

namespace belfry::groth16::test {

/// The points of derived parameters.
struct DerivedPoints {
  std::vector<curve::G1Affine> h;
  std::vector<curve::G1Affine> l;
  std::vector<curve::G1Affine> a;
  std::vector<curve::G1Affine> b_g1;
  std::vector<curve::G2Affine> b_g2;
};

template <class Curve>
std::vector<typename Curve::Affine> points_of(const Parameters& parameters, Section section) {
  const SectionSource<Curve> source(parameters, section);
  std::vector<typename Curve::Affine> out(source.size());
  EXPECT_TRUE(source.read(0, out));
  return out;
}

/// What derive_gpu.cpp does, with the same steps, one worker after the other: for small systems.
class HostDeriver {
 public:
  HostDeriver(const Parameters& parameters, const r1cs::Shape& shape)
      : parameters_(parameters),
        shape_(shape),
        domain_(value_of(ntt::Domain::for_rows(shape.rows()))) {}

  DerivedPoints make() {
    const Fr& m_inverse = domain_.size_inverse();
    DerivedPoints out;
    out.h = transform({ntt::domain_quotient_factor(domain_) * m_inverse, Fr::zero()});
    weights_ = transform({Fr::zero(), m_inverse.square()});
    out.l.resize(shape_.inputs() + shape_.aux());
    fold_all(out.l);
    out.a = points_of<curve::G1>(parameters_, Section::kA);
    out.b_g1 = points_of<curve::G1>(parameters_, Section::kBG1);
    out.b_g2 = points_of<curve::G2>(parameters_, Section::kBG2);
    return out;
  }

 private:
  std::vector<curve::G1Affine> transform(const msm::core::PointScale& scale) const {
    auto points = points_of<curve::G1>(parameters_, Section::kH);
    points.push_back(curve::G1Affine::infinity());
    for (std::size_t k = 0; k < points.size(); ++k) {
      points[k] = msm::core::multiply_split(points[k], scale.of(k)).to_affine();
    }
    const unsigned log_size = domain_.log_size();
    for (unsigned depth = 0; depth < log_size; ++depth) {
      const msm::core::GroupLevel level{
          log_size, depth, domain_.omega_inverse().pow(std::uint64_t{1} << (log_size - depth - 1))};
      for (std::uint64_t worker = 0; worker < points.size() / 2; ++worker) {
        auto& low = points[level.low(worker)];
        auto& high = points[level.low(worker) + level.half()];
        const auto sums = msm::core::group_butterfly(worker, level, low, high);
        sums.finish(sums.denominator().inverse(), low, high);
      }
    }
    return points;
  }

  /// The sum of C's entries of every column of a part.
  std::vector<curve::G1Affine> fold(const r1cs::PartView& part, std::uint64_t first_row,
                                    std::uint64_t first_aux) const {
    const ColumnTerms columns = value_of(ColumnTerms::of(part));
    const core::FoldView view{columns.terms.data(), shape_.dictionary().data(), weights_.data(),
                              first_row, domain_.log_size()};
    std::vector<curve::G1Affine> sums;
    for (const core::FoldSegment& segment : columns.segments) {
      sums.push_back(core::fold_segment(segment, view).to_affine());
    }
    const std::uint64_t special = part.counts.slots + part.counts.inputs;
    std::vector<curve::G1Affine> points(part.counts.columns());
    const auto l = points_of<curve::G1>(parameters_, Section::kL);
    for (std::size_t i = special; i < points.size(); ++i) points[i] = l[first_aux + i - special];
    for (std::size_t c = 0; c < points.size(); ++c) {
      points[c] = core::fold_column(points[c], sums.data(), columns.first_segment[c],
                                    columns.first_segment[c + 1])
                      .to_affine();
    }
    return points;
  }

  void fold_all(std::vector<curve::G1Affine>& l) const {
    const auto place = [&](const r1cs::PartCounts& counts, std::uint64_t input, std::uint64_t aux,
                           const std::vector<curve::G1Affine>& points) {
      const auto first = points.begin() + static_cast<std::ptrdiff_t>(counts.slots);
      const auto middle = first + static_cast<std::ptrdiff_t>(counts.inputs);
      std::copy(first, middle, l.begin() + static_cast<std::ptrdiff_t>(input));
      std::copy(middle, points.end(),
                l.begin() + static_cast<std::ptrdiff_t>(shape_.inputs() + aux));
    };
    const std::uint64_t inputs = shape_.header().counts.inputs;
    place(shape_.header().counts, 0, 0, fold(shape_.header(), 0, 0));
    for (std::uint64_t k = 0; k < shape_.blocks(); ++k) {
      const auto points =
          fold(shape_.block(), shape_.block_row_offset(k), shape_.block_aux_offset(k));
      place(shape_.block().counts, shape_.block_input_offset(k), shape_.block_aux_offset(k),
            points);
      const auto bindings = shape_.bindings(k);
      for (std::size_t slot = 0; slot < bindings.size(); ++slot) {
        const std::uint64_t column = bindings[slot];
        auto& point = l[column < inputs ? column : shape_.inputs() + column - inputs];
        point = (curve::G1Jacobian::from_affine(point) + points[slot]).to_affine();
      }
    }
  }

  const Parameters& parameters_;
  const r1cs::Shape& shape_;
  ntt::Domain domain_;
  std::vector<curve::G1Affine> weights_;
};

template <class Affine>
ByteSpan bytes_of(const std::vector<Affine>& points) {
  return {reinterpret_cast<const std::uint8_t*>(points.data()), points.size() * sizeof(Affine)};
}

inline void write_derived(const std::filesystem::path& path, const DerivedIdentity& identity,
                          const r1cs::Shape& shape, const DerivedPoints& points) {
  const Executor executor(1);
  auto writer = value_of(DerivedWriter::create(path, identity, derived_counts(shape), executor));
  for (const ByteSpan section : {bytes_of(points.h), bytes_of(points.l), bytes_of(points.a),
                                 bytes_of(points.b_g1), bytes_of(points.b_g2)}) {
    // In pieces, as a device gives them.
    for (std::size_t at = 0; at < section.size(); at += 1000) {
      ASSERT_TRUE(
          writer.append(section.subspan(at, std::min<std::size_t>(1000, section.size() - at))));
    }
  }
  ASSERT_TRUE(writer.commit());
}

}  // namespace belfry::groth16::test
