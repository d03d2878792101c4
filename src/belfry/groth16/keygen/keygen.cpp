#include "belfry/groth16/keygen/keygen.h"

#include <algorithm>
#include <span>
#include <string>

#include "belfry/groth16/keygen/query_scalars.h"
#include "belfry/groth16/keygen/section_stream.h"
#include "belfry/groth16/keygen/test_files.h"
#include "belfry/groth16/random_scalar.h"
#include "belfry/ntt/domain.h"

namespace belfry::groth16 {
namespace {

/// Prints the sections of multiples of the generators by scalars.
class ScalarPrinter {
 public:
  ScalarPrinter(SectionPrinter& printer, const WorkView& work) : printer_(printer), work_(work) {}

  /// h_i = tau^i·(tau^m − 1)/delta, i < m − 1.
  Result<void> print_h(const msm::FixedBase<curve::G1>& g1, const ntt::Domain& domain,
                       const TestTrapdoor& trapdoor) {
    const std::uint64_t count = domain.size() - 1;
    BELFRY_CHECK(printer_.begin(count));
    SectionStream<curve::G1> stream(g1, printer_, work_);
    Fr scalar = domain.vanishing(trapdoor.tau) * trapdoor.delta.inverse();
    for (std::uint64_t i = 0; i < count; ++i, scalar *= trapdoor.tau) {
      BELFRY_CHECK(stream.append(std::span(&scalar, 1)));
    }
    BELFRY_CHECK(stream.flush());
    return printer_.end();
  }

  /// A section of the non-zero scalars, inputs first.
  template <class Curve>
  Result<void> print(const msm::FixedBase<Curve>& base, std::span<const Fr> inputs,
                     std::span<const Fr> aux) {
    const auto is_set = [](const Fr& scalar) { return !scalar.is_zero(); };
    BELFRY_CHECK(printer_.begin(
        static_cast<std::uint64_t>(std::count_if(inputs.begin(), inputs.end(), is_set) +
                                   std::count_if(aux.begin(), aux.end(), is_set))));
    SectionStream<Curve> stream(base, printer_, work_);
    BELFRY_CHECK(stream.append(inputs));
    BELFRY_CHECK(stream.append(aux));
    BELFRY_CHECK(stream.flush());
    return printer_.end();
  }

 private:
  SectionPrinter& printer_;
  const WorkView& work_;
};

/// Everything behind the key: the five sections.
Result<void> print_sections(SectionPrinter& sections, const QueryScalars& scalars,
                            const ntt::Domain& domain, const TestTrapdoor& trapdoor,
                            const msm::FixedBase<curve::G1>& g1, const WorkView& work) {
  const msm::FixedBase<curve::G2> g2(curve::G2Affine::generator(), scalars.b.aux.size(),
                                     work.executor);
  ScalarPrinter printer(sections, work);
  BELFRY_CHECK(printer.print_h(g1, domain, trapdoor));
  BELFRY_CHECK(printer.print(g1, {}, scalars.l));
  BELFRY_CHECK(printer.print(g1, scalars.a.inputs, scalars.a.aux));
  BELFRY_CHECK(printer.print(g1, scalars.b.inputs, scalars.b.aux));
  return printer.print(g2, scalars.b.inputs, scalars.b.aux);
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

  return write_test_files(
      directory, stem, key,
      domain.size() + scalars.l.size() + scalars.a.aux.size() + 2 * scalars.b.aux.size(),
      [&](SectionPrinter& printer) {
        return print_sections(printer, scalars, domain, trapdoor, g1, work);
      },
      work);
}

}  // namespace belfry::groth16
