#include <filesystem>

#include "belfry/groth16/params/check.h"
#include "belfry/groth16/params/params.h"
#include "belfry/hash/blake2.h"
#include "belfry/hash/sha256.h"
#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

using belfry::test::hex_bytes;
using belfry::test::JsonFile;
using belfry::test::read_vector;
using belfry::test::text;
using belfry::test::vector_path;

class MiniParameters : public testing::TestWithParam<std::string_view> {};

INSTANTIATE_TEST_SUITE_P(Vectors, MiniParameters, testing::ValuesIn(test::kMiniSystems));

TEST_P(MiniParameters, SectionsAreAsRecorded) {
  const Parameters parameters = test::open_mini(GetParam());
  const JsonFile expected(test::mini_file(GetParam(), "expected.json"));
  const auto params = expected["params"];
  EXPECT_EQ(parameters.bytes().size(), params["bytes"].get_uint64().value());
  EXPECT_EQ(to_hex(hash::sha256(parameters.bytes())), text(params["sha256"]));
  EXPECT_EQ(to_hex(file_digest(parameters.bytes())), text(params["blake2b_32"]));
  std::size_t index = 0;
  for (const auto section : params["sections"]) {
    const auto which = static_cast<Section>(index++);
    const ByteSpan points = parameters.section_bytes(which);
    const SectionLayout& layout = parameters.layout(which);
    EXPECT_EQ(to_string(which), text(section["name"]));
    EXPECT_EQ(layout.offset, section["offset"].get_uint64().value());
    EXPECT_EQ(layout.count, section["count"].get_uint64().value());
    EXPECT_EQ(to_hex(hash::sha256(points)), text(section["sha256"]));
    EXPECT_EQ(to_hex(points.first(layout.point_bytes)), text(section["first"]));
    EXPECT_EQ(to_hex(points.last(layout.point_bytes)), text(section["last"]));
  }
  EXPECT_EQ(index, kSections);
}

TEST_P(MiniParameters, PassTheFullCheckWithTheirKey) {
  const Executor executor(2);
  const auto path = vector_path(test::mini_params(GetParam()));
  const CheckReport report = test::value_of(check_file(path, {}, {executor}));
  EXPECT_EQ(report.kind, "params");
  EXPECT_FALSE(report.from_cache);
  EXPECT_EQ(report.checked, (std::vector<std::string>{"structure", "curve", "subgroup", "vk"}));
}

TEST_P(MiniParameters, KeyIsReadAndWrittenAsItWas) {
  const std::string name = test::mini_file(GetParam(), std::string(GetParam()) + ".vk");
  const auto key = test::value_of(read_verifying_key(vector_path(name)));
  EXPECT_EQ(encode(key), read_vector(name));
  EXPECT_EQ(verifying_key_bytes(key.ic.size()), read_vector(name).size());
  EXPECT_EQ(encode(test::open_mini(GetParam()).verifying_key()), read_vector(name));
}

TEST(TinyParameters, EqualTheSpecificationsOwn) {
  EXPECT_EQ(read_vector("spec/tiny-groth16.params"), read_vector("mini/tiny/tiny.params"));
  const Parameters parameters =
      test::value_of(Parameters::open(vector_path("spec/tiny-groth16.params")));
  EXPECT_EQ(parameters.counts(), (QueryCounts{.ic = 2, .h = 3, .l = 3, .a = 4, .b = 2}));
  const Executor executor(1);
  EXPECT_TRUE(check_same_key(parameters, vector_path("spec/tiny-groth16.vk")));
  EXPECT_TRUE(check_points(parameters, {executor}));
}

TEST(RecordedKeys, AllOfThemAreReadAndWritten) {
  std::size_t keys = 0;
  for (const auto& entry : std::filesystem::directory_iterator(vector_path("parameters"))) {
    if (entry.path().extension() != ".vk") continue;
    ++keys;
    const Executor executor(1);
    const CheckReport report = test::value_of(check_file(entry.path(), {}, {executor}));
    const std::string json = "parameters/" + entry.path().stem().string() + ".json";
    const JsonFile expected(json);
    EXPECT_EQ(report.kind, "vk");
    EXPECT_EQ(report.bytes, expected["vk"]["bytes"].get_uint64().value());
    EXPECT_EQ(to_hex(report.digest), text(expected["vk"]["blake2b_32"]));
    const auto key = test::value_of(read_verifying_key(entry.path()));
    EXPECT_EQ(to_hex(hash::sha256(encode(key))), text(expected["vk"]["sha256"]));
    EXPECT_EQ(key.ic.size(), expected["circuit"]["inputs"].get_uint64().value());
  }
  EXPECT_EQ(keys, 7u);
}

}  // namespace
}  // namespace belfry::groth16
