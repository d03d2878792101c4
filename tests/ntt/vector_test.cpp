#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/base/cpu.h"
#include "belfry/base/executor.h"
#include "belfry/field/fr.h"
#include "belfry/hash/sha256.h"
#include "belfry/ntt/domain.h"
#include "belfry/ntt/ntt.h"
#include "support/kernel_isas.h"
#include "support/labels.h"
#include "support/vectors.h"

namespace belfry::ntt {
namespace {

Bytes32 digest_of(std::span<const Fr> values) {
  std::vector<std::uint8_t> bytes;
  for (const Fr& value : values) {
    const auto encoded = FrBytes(value).bytes();
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  return hash::sha256(bytes);
}

class NttVectors : public testing::TestWithParam<Isa> {
 protected:
  [[nodiscard]] static Plan plan_for_rows(std::uint64_t rows) {
    return Plan::create(Domain::for_rows(rows).value(), GetParam()).value();
  }
  Executor executor_{2};
};

INSTANTIATE_TEST_SUITE_P(Isas, NttVectors, testing::ValuesIn(test::kernel_isas()),
                         test::kIsaTestName);

TEST_P(NttVectors, TransformsEqualTheRecordedOnes) {
  using Transform = Result<void> (*)(const Plan&, std::span<Fr>, const Executor&);
  const std::pair<std::string_view, Transform> transforms[] = {{"fft", forward},
                                                               {"ifft", inverse},
                                                               {"coset_fft", coset_forward},
                                                               {"icoset_fft", coset_inverse}};
  const test::JsonFile file("primitives.json");
  std::size_t sizes = 0;
  for (const auto entry : file["ntt"].get_array()) {
    const Plan plan = plan_for_rows(std::uint64_t{1} << std::uint64_t(entry["log2_n"]));
    std::vector<Fr> input(plan.domain().size());
    for (std::size_t i = 0; i < input.size(); ++i) {
      input[i] = test::labelled("belfry ntt " + std::to_string(i));
    }
    for (const auto& [name, transform] : transforms) {
      SCOPED_TRACE(std::string(name) + " of " + std::to_string(input.size()));
      std::vector<Fr> x = input;
      ASSERT_TRUE(transform(plan, x, executor_).has_value());
      const auto recorded = entry["results"][name];
      EXPECT_EQ(to_hex(digest_of(x)), test::text(recorded["sha256"]));
      simdjson::dom::array values;
      if (recorded["values"].get(values) != simdjson::SUCCESS) continue;
      ASSERT_EQ(values.size(), x.size());
      for (std::size_t i = 0; i < x.size(); ++i) {
        EXPECT_EQ(x[i], test::fr_from_big_endian(values.at(i).value()));
      }
    }
    ++sizes;
  }
  EXPECT_EQ(sizes, 6U);
}

/// a, b and c of a small system: one value a row, the rows of the inputs appended.
struct Evaluations {
  std::vector<Fr> a, b, c;
};

Evaluations evaluate(const test::JsonFile& system) {
  const auto assigned = [&system](std::string_view family, std::uint64_t index) {
    return test::fr_from_big_endian(system[family].at(index).value());
  };
  Evaluations out;
  for (const auto row : system["constraints"].get_array()) {
    const auto side = [&](std::string_view name) {
      Fr sum;
      for (const auto term : row[name].get_array()) {
        const std::string_view family = std::string_view(term.at(0)) == "input" ? "inputs" : "aux";
        sum += assigned(family, term.at(1)) * test::fr_from_big_endian(term.at(2).value());
      }
      return sum;
    };
    out.a.push_back(side("a"));
    out.b.push_back(side("b"));
    out.c.push_back(side("c"));
  }
  for (const auto input : system["inputs"].get_array()) {
    out.a.push_back(test::fr_from_big_endian(input));
    out.b.push_back(Fr::zero());
    out.c.push_back(Fr::zero());
  }
  return out;
}

TEST_P(NttVectors, QuotientsOfTheSmallSystemsEqualTheRecordedOnes) {
  for (const std::string name :
       {"one-row", "tiny", "rows-252-inputs-4", "rows-253-inputs-4", "rows-300-inputs-50"}) {
    SCOPED_TRACE(name);
    const test::JsonFile system("mini/" + name + "/system.json");
    const test::JsonFile expected("mini/" + name + "/expected.json");
    Evaluations values = evaluate(system);
    const Plan plan = plan_for_rows(values.a.size());
    for (auto* const x : {&values.a, &values.b, &values.c}) x->resize(plan.domain().size());
    ASSERT_TRUE(quotient(plan, values.a, values.b, values.c, executor_).has_value());
    EXPECT_TRUE(values.a.back().is_zero());
    values.a.pop_back();
    EXPECT_EQ(to_hex(digest_of(values.a)), test::text(expected["stages"]["h_digest"]));
    std::size_t i = 0;
    for (const auto value : expected["stages"]["h_first"].get_array()) {
      ASSERT_LT(i, values.a.size());
      EXPECT_EQ(values.a[i++], test::fr_from_big_endian(value));
    }
    EXPECT_GT(i, 0U);
  }
}

}  // namespace
}  // namespace belfry::ntt
