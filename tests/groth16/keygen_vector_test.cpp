#include "belfry/groth16/keygen/keygen.h"
#include "belfry/hash/sha256.h"
#include "groth16/recorded.h"
#include "groth16/support.h"
#include "support/mini_system.h"

namespace belfry::groth16 {
namespace {

using belfry::test::JsonFile;
using belfry::test::read_vector;
using belfry::test::TempDir;
using belfry::test::text;
using test::MiniSystem;

class MiniSetup : public testing::TestWithParam<std::string_view> {};

INSTANTIATE_TEST_SUITE_P(Vectors, MiniSetup, testing::ValuesIn(test::kMiniSystems));

TEST_P(MiniSetup, FilesEqualTheRecordedOnes) {
  const std::string name(GetParam());
  const Executor executor(2);
  const TempDir dir;
  const r1cs::Shape shape = test::shape_of(MiniSystem(name), name);
  const SetupReport report = test::value_of(
      make_test_parameters(shape, test::recorded_trapdoor(name), dir.path(), name, {executor}));
  EXPECT_EQ(test::read_bytes(dir / (name + ".params")), read_vector(test::mini_params(name)));
  EXPECT_EQ(test::read_bytes(dir / (name + ".vk")),
            read_vector(test::mini_file(name, name + ".vk")));
  EXPECT_TRUE(is_marked_for_tests(report.params.file));
  EXPECT_TRUE(is_marked_for_tests(report.params.file, report.params.digest));

  const JsonFile expected(test::mini_file(name, "expected.json"));
  const auto params = expected["params"];
  EXPECT_EQ(report.params.bytes, params["bytes"].get_uint64().value());
  EXPECT_EQ(to_hex(report.params.sha256), text(params["sha256"]));
  EXPECT_EQ(to_hex(report.params.digest), text(params["blake2b_32"]));
  EXPECT_EQ(to_hex(report.vk.sha256), text(expected["vk"]["sha256"]));
  EXPECT_EQ(to_hex(report.vk.digest), text(expected["vk"]["blake2b_32"]));
  ASSERT_EQ(report.sections.size(), kSections);
  std::size_t i = 0;
  for (const auto section : params["sections"]) {
    EXPECT_EQ(report.sections[i].name, text(section["name"]));
    EXPECT_EQ(report.sections[i].count, section["count"].get_uint64().value());
    EXPECT_EQ(to_hex(report.sections[i].sha256), text(section["sha256"]));
    ++i;
  }
}

}  // namespace
}  // namespace belfry::groth16
