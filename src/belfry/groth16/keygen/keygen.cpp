#include "belfry/groth16/keygen/keygen.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "belfry/groth16/keygen/query_scalars.h"
#include "belfry/groth16/keygen/section_stream.h"
#include "belfry/groth16/random_scalar.h"
#include "belfry/ntt/domain.h"

namespace belfry::groth16 {
namespace {

/// Writes the sections of one file in their order.
class SectionPrinter {
 public:
  SectionPrinter(ParametersWriter& writer, const msm::FixedBase<curve::G1>& g1,
                 const WorkView& work, trace::Span& span)
      : writer_(writer), g1_(g1), work_(work), span_(span) {}

  /// h_i = tau^i·(tau^m − 1)/delta, i < m − 1.
  Result<void> print_h(const ntt::Domain& domain, const TestTrapdoor& trapdoor) {
    const std::uint64_t count = domain.size() - 1;
    BELFRY_CHECK(writer_.begin_section(count));
    SectionStream<curve::G1> stream(g1_, writer_, work_, span_);
    Fr scalar = domain.vanishing(trapdoor.tau) * trapdoor.delta.inverse();
    for (std::uint64_t i = 0; i < count; ++i, scalar *= trapdoor.tau) {
      BELFRY_CHECK(stream.append(std::span(&scalar, 1)));
    }
    return end(stream);
  }

  /// A section of the non-zero scalars, inputs first.
  template <class Curve>
  Result<void> print(const msm::FixedBase<Curve>& base, std::span<const Fr> inputs,
                     std::span<const Fr> aux) {
    const auto is_set = [](const Fr& scalar) { return !scalar.is_zero(); };
    BELFRY_CHECK(writer_.begin_section(
        static_cast<std::uint64_t>(std::count_if(inputs.begin(), inputs.end(), is_set) +
                                   std::count_if(aux.begin(), aux.end(), is_set))));
    SectionStream<Curve> stream(base, writer_, work_, span_);
    BELFRY_CHECK(stream.append(inputs));
    BELFRY_CHECK(stream.append(aux));
    return end(stream);
  }

  std::vector<SectionSummary> take() && { return std::move(sections_); }

 private:
  template <class Curve>
  Result<void> end(SectionStream<Curve>& stream) {
    BELFRY_CHECK(stream.flush());
    BELFRY_TRY(SectionSummary section, writer_.end_section());
    sections_.push_back(std::move(section));
    return {};
  }

  ParametersWriter& writer_;
  const msm::FixedBase<curve::G1>& g1_;
  const WorkView& work_;
  trace::Span& span_;
  std::vector<SectionSummary> sections_;
};

/// Everything behind the key: the five sections.
Result<std::vector<SectionSummary>> write_sections(
    ParametersWriter& writer, const QueryScalars& scalars, const ntt::Domain& domain,
    const TestTrapdoor& trapdoor, const msm::FixedBase<curve::G1>& g1, const WorkView& work) {
  trace::Span span(work.tracer, "groth16.write_sections");
  span.expect(domain.size() + scalars.l.size() + scalars.a.aux.size() + 2 * scalars.b.aux.size(),
              "points");
  const msm::FixedBase<curve::G2> g2(curve::G2Affine::generator(), scalars.b.aux.size(),
                                     work.executor);
  SectionPrinter printer(writer, g1, work, span);
  BELFRY_CHECK(printer.print_h(domain, trapdoor));
  BELFRY_CHECK(printer.print(g1, {}, scalars.l));
  BELFRY_CHECK(printer.print(g1, scalars.a.inputs, scalars.a.aux));
  BELFRY_CHECK(printer.print(g1, scalars.b.inputs, scalars.b.aux));
  BELFRY_CHECK(printer.print(g2, scalars.b.inputs, scalars.b.aux));
  return std::move(printer).take();
}

}  // namespace

Result<TestTrapdoor> random_test_trapdoor() {
  TestTrapdoor trapdoor;
  for (Fr* element :
       {&trapdoor.alpha, &trapdoor.beta, &trapdoor.gamma, &trapdoor.delta, &trapdoor.tau}) {
    while (element->is_zero()) {
      BELFRY_TRY(*element, draw_scalar());
    }
  }
  return trapdoor;
}

Result<SetupReport> make_test_parameters(const r1cs::Shape& shape, const TestTrapdoor& trapdoor,
                                         const std::filesystem::path& directory,
                                         const std::string& stem, const WorkView& work) {
  const trace::Span span(work.tracer, "groth16.setup");
  BELFRY_CHECK(check_trapdoor(trapdoor));
  BELFRY_TRY(const ntt::Domain domain, ntt::Domain::for_rows(shape.rows()));
  BELFRY_TRY(const QueryScalars scalars, query_scalars(shape, domain, trapdoor, work));
  const msm::FixedBase<curve::G1> g1(curve::G1Affine::generator(), domain.size(), work.executor);
  BELFRY_TRY(const VerifyingKey key, make_key(trapdoor, scalars.ic, g1, work.executor));

  const std::filesystem::path base = directory / stem;
  BELFRY_TRY(ParametersWriter writer, ParametersWriter::create(base.string() + ".params", key));
  SetupReport report;
  BELFRY_TRY(report.sections, write_sections(writer, scalars, domain, trapdoor, g1, work));
  BELFRY_TRY(report.params, writer.finish());
  // The mark comes first: parameters without one must never be seen.
  BELFRY_CHECK(write_test_mark(report.params));
  BELFRY_CHECK(writer.commit());
  BELFRY_TRY(report.vk, write_verifying_key(base.string() + ".vk", key));
  return report;
}

}  // namespace belfry::groth16
