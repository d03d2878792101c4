#include "belfry/groth16/derived/derived_check.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "belfry/base/large_array.h"
#include "belfry/base/try_for_each.h"
#include "belfry/groth16/derived/column_terms.h"
#include "belfry/groth16/params/section_source.h"
#include "belfry/groth16/random_scalar.h"
#include "belfry/msm/msm.h"
#include "belfry/ntt/ntt.h"
#include "belfry/ntt/tree_plan.h"
#include "belfry/trace/span.h"

namespace belfry::groth16 {
namespace {

constexpr std::string_view kStage = "groth16.check_derived_points";
constexpr std::size_t kGrain = 4096;

Error differ(const DerivedParameters& derived, std::string section) {
  return invalid(std::string(kStage), "derived points are not those of the parameters")
      .in_file(derived.path().string())
      .in_section(std::move(section));
}

template <class Affine>
std::span<const Affine> points_of(const DerivedParameters& derived, Section section) {
  const HostPoints points = derived.points();
  const ByteSpan bytes = points.of(section);
  return {reinterpret_cast<const Affine*>(bytes.data()), bytes.size() / sizeof(Affine)};
}

/// Sections that are decoded and otherwise the same.
template <class Curve>
Result<void> compare(const DerivedParameters& derived, const Parameters& parameters,
                     Section section, const WorkView& work) {
  using Affine = typename Curve::Affine;
  const SectionSource<Curve> source(parameters, section);
  const auto found = points_of<Affine>(derived, section);
  if (found.size() != source.size()) return fail(differ(derived, std::string(to_string(section))));
  const auto piece = [&](std::size_t number) -> Result<void> {
    BELFRY_CHECK(work.cancel.check(std::string(kStage)));
    const std::size_t begin = number * kGrain;
    std::vector<Affine> expected(std::min(kGrain, found.size() - begin));
    BELFRY_CHECK(source.read(begin, expected));
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (expected[i] == found[begin + i]) continue;
      return fail(
          differ(derived, std::string(to_string(section)) + "[" + std::to_string(begin + i) + "]"));
    }
    return {};
  };
  return try_for_each(work.executor, (found.size() + kGrain - 1) / kGrain, piece);
}

/// out[i] = base^(i + 1)
void fill_powers(const Fr& base, std::span<Fr> out, const Executor& executor) {
  executor.parallel_for(out.size(), kGrain, [&](std::size_t begin, std::size_t end) {
    Fr power = base.pow(begin + 1);
    for (std::size_t i = begin; i < end; ++i, power *= base) out[i] = power;
  });
}

/// rows += C·w for the rows of one part, column by column.
class ColumnProduct {
 public:
  ColumnProduct(const ColumnTerms& columns, std::span<const Fr> dictionary)
      : columns_(columns), dictionary_(dictionary) {}

  /// @param value  the variable behind a column -> its value
  /// @param rows   those of the part
  template <class Value>
  void add(const Value& value, std::span<Fr> rows) const {
    for (std::size_t c = 0; c + 1 < columns_.first_segment.size(); ++c) {
      const std::uint32_t end = columns_.first_segment[c + 1];
      for (std::uint32_t s = columns_.first_segment[c]; s < end; ++s) {
        add_segment(columns_.segments[s], value(c), rows);
      }
    }
  }

 private:
  void add_segment(const core::FoldSegment& segment, const Fr& value, std::span<Fr> rows) const {
    for (std::uint32_t i = segment.begin; i < segment.end; ++i) {
      const core::FoldTerm& term = columns_.terms[i];
      rows[term.row] += term.coefficient == 0 ? value : coefficient(term.coefficient) * value;
    }
  }
  [[nodiscard]] Fr coefficient(std::uint32_t code) const {
    return code < r1cs::kCodeWide ? r1cs::coded_value(code) : dictionary_[code - r1cs::kCodeWide];
  }

  const ColumnTerms& columns_;
  std::span<const Fr> dictionary_;
};

/// rows = C·w, the appended rows zero.
Result<void> multiply_c(const r1cs::Shape& shape, std::span<const Fr> w, std::span<Fr> rows,
                        const WorkView& work) {
  const r1cs::PartCounts& header = shape.header().counts;
  const auto of_header = [&](std::size_t column) {
    return w[column < header.inputs ? column : shape.inputs() + column - header.inputs];
  };
  {
    BELFRY_TRY(const ColumnTerms columns, ColumnTerms::of(shape.header()));
    ColumnProduct(columns, shape.dictionary()).add(of_header, rows.first(header.constraints));
  }
  if (shape.blocks() == 0) return {};
  const r1cs::PartCounts& block = shape.block().counts;
  BELFRY_TRY(const ColumnTerms columns, ColumnTerms::of(shape.block()));
  const ColumnProduct product(columns, shape.dictionary());
  return try_for_each(work.executor, shape.blocks(), [&](std::size_t k) -> Result<void> {
    BELFRY_CHECK(work.cancel.check(std::string(kStage)));
    const auto bindings = shape.bindings(k);
    const auto of_block = [&](std::size_t column) {
      if (column < block.slots) return of_header(bindings[column]);
      const std::size_t own = column - block.slots;
      return w[own < block.inputs
                   ? shape.block_input_offset(k) + own
                   : shape.inputs() + shape.block_aux_offset(k) + own - block.inputs];
    };
    product.add(of_block, rows.subspan(shape.block_row_offset(k), block.constraints));
    return {};
  });
}

/// The combination of H and L, half by half, so that two lists are held at most.
class Combination {
 public:
  Combination(const DerivedParameters& derived, const Parameters& parameters,
              const r1cs::Shape& shape, const ntt::Plan& plan, const WorkView& work)
      : derived_(derived), parameters_(parameters), shape_(shape), plan_(plan), work_(work) {}

  [[nodiscard]] Result<void> check() {
    BELFRY_TRY(auto q, LargeArray<Fr>::create(plan_.domain().size()));
    BELFRY_CHECK(add_l(q.span()));
    BELFRY_CHECK(add_h(q.span()));
    const SectionSource<curve::G1> source(parameters_, Section::kH);
    BELFRY_TRY(const auto sum,
               msm::multiply<curve::G1>(source, q.span().first(source.size()), work_.executor));
    if (found_ == expected_ + sum) return {};
    return fail(differ(derived_, "h or l"));
  }

 private:
  [[nodiscard]] Result<curve::G1Jacobian> sum(Section section, std::span<const Fr> scalars) const {
    BELFRY_CHECK(work_.cancel.check(std::string(kStage)));
    const msm::SpanSource<curve::G1> points(points_of<curve::G1Affine>(derived_, section));
    return msm::multiply<curve::G1>(points, scalars, work_.executor);
  }

  /// What L' says of the points of H: -k/m times the inverse transform of C·w.
  [[nodiscard]] Result<void> add_l(std::span<Fr> q) {
    BELFRY_TRY(const Fr sigma, draw_scalar());
    BELFRY_TRY(auto w, LargeArray<Fr>::create(shape_.inputs() + shape_.aux()));
    fill_powers(sigma, w.span(), work_.executor);
    BELFRY_TRY(const auto found, sum(Section::kL, w.span()));
    found_ += found;
    const SectionSource<curve::G1> source(parameters_, Section::kL);
    BELFRY_TRY(const auto expected,
               msm::multiply<curve::G1>(source, w.span().subspan(shape_.inputs()), work_.executor));
    expected_ += expected;
    BELFRY_CHECK(multiply_c(shape_, w.span(), q, work_));
    BELFRY_CHECK(ntt::inverse(plan_, q, work_.executor));
    const Fr& m_inverse = plan_.domain().size_inverse();
    work_.executor.parallel_for(q.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) q[k] *= -(Fr::from_u64(k) * m_inverse);
    });
    return {};
  }

  /// What H' says of them: the factor 2^32 / m² of the quotient, m times 1/m, and the transform.
  [[nodiscard]] Result<void> add_h(std::span<Fr> q) {
    BELFRY_TRY(const Fr rho, draw_scalar());
    BELFRY_TRY(auto u, LargeArray<Fr>::create(q.size()));
    fill_powers(rho, u.span(), work_.executor);
    BELFRY_TRY(const auto found, sum(Section::kH, u.span()));
    found_ += found;
    BELFRY_CHECK(ntt::inverse_from_reversed(plan_, u.span(), work_.executor));
    const Fr factor = ntt::domain_quotient_factor(plan_.domain());
    work_.executor.parallel_for(q.size(), kGrain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) q[k] += factor * u[k];
    });
    return {};
  }

  const DerivedParameters& derived_;
  const Parameters& parameters_;
  const r1cs::Shape& shape_;
  const ntt::Plan& plan_;
  const WorkView& work_;
  curve::G1Jacobian found_ = curve::G1Jacobian::infinity();
  curve::G1Jacobian expected_ = curve::G1Jacobian::infinity();
};

}  // namespace

Result<void> check_derived_points(const DerivedParameters& derived, const Parameters& parameters,
                                  const r1cs::Shape& shape, const WorkView& work) {
  const trace::Span span(work.tracer, std::string(kStage));
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape.rows()));
  BELFRY_TRY(const ntt::Plan plan, ntt::Plan::create(domain));
  BELFRY_CHECK(compare<curve::G1>(derived, parameters, Section::kA, work));
  BELFRY_CHECK(compare<curve::G1>(derived, parameters, Section::kBG1, work));
  BELFRY_CHECK(compare<curve::G2>(derived, parameters, Section::kBG2, work));
  return Combination(derived, parameters, shape, plan, work).check();
}

std::uint64_t derived_check_bytes(const r1cs::Shape& shape) noexcept {
  const std::uint64_t rows = std::bit_ceil(shape.rows());
  return (rows + std::max(rows, shape.inputs() + shape.aux())) * sizeof(Fr);
}

}  // namespace belfry::groth16
