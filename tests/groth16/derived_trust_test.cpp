// A bad file of derived parameters is held against its own parameters alone.
#include "belfry/groth16/prove/derived_trust.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "groth16/support.h"

namespace belfry::groth16 {
namespace {

class Trust : public testing::Test {
 protected:
  [[nodiscard]] ParametersIdentity copy(const std::string& name) const {
    const auto path = dir_ / (name + ".params");
    std::filesystem::copy_file(belfry::test::vector_path(test::mini_params("tiny")), path);
    return ParametersIdentity::of(test::value_of(Parameters::open(path)));
  }
  [[nodiscard]] ParametersIdentity again(const std::string& name) const {
    return ParametersIdentity::of(test::value_of(Parameters::open(dir_ / (name + ".params"))));
  }

  belfry::test::TempDir dir_;
  DerivedTrust trust_;
};

TEST_F(Trust, IsLostByOneFileAtATime) {
  const ParametersIdentity first = copy("first");
  const ParametersIdentity second = copy("second");
  EXPECT_TRUE(trust_.trusts(first));
  trust_.distrust(first);
  trust_.distrust(first);
  EXPECT_FALSE(trust_.trusts(again("first"))) << "opened anew it is the same file";
  EXPECT_TRUE(trust_.trusts(second)) << "another file with the same content";
}

TEST_F(Trust, ComesBackWithAFileThatIsWrittenAnew) {
  trust_.distrust(copy("first"));
  const auto path = dir_ / "first.params";
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) + std::chrono::seconds(1));
  EXPECT_TRUE(trust_.trusts(again("first")));
}

}  // namespace
}  // namespace belfry::groth16
