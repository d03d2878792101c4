// What deriving asks for before a device is opened. No device is needed: a refusal comes before it.
#include <gtest/gtest.h>

#include <string>

#include "belfry/engine/jobs/derive.h"
#include "belfry/engine/shape_cache.h"
#include "belfry/groth16/derived/derived_file.h"
#include "belfry/groth16/metrics.h"
#include "engine/listener.h"
#include "engine/recorded_sector.h"
#include "groth16/support.h"
#include "support/damaged_params.h"

namespace belfry::engine {
namespace {

using groth16::test::value_of;

/// The smallest circuit that there is.
class Deriving : public testing::Test {
 protected:
  static void SetUpTestSuite() { made_ = new test::TestParameters("window-2KiB"); }
  static void TearDownTestSuite() {
    delete made_;
    made_ = nullptr;
  }
  [[nodiscard]] JobOptions options() {
    JobOptions out = made_->options();
    out.tracer = listener_.tracer();
    return out;
  }
  /// A whole file, digests and all, of points at infinity.
  [[nodiscard]] std::filesystem::path write_wrong_points() {
    const JobOptions with = options();
    const auto parameters = value_of(open_parameters(made_->circuit(), with));
    const auto shape = value_of(load_shape(made_->circuit(), with));
    const auto path = groth16::derived_paths(parameters, with.cache_dir).front();
    const groth16::QueryCounts counts = groth16::derived_counts(shape);
    auto writer = value_of(groth16::DerivedWriter::create(
        path, groth16::DerivedIdentity::of(parameters, shape), counts, with.executor));
    const auto append = [&](std::uint64_t points, std::uint64_t bytes) {
      const std::vector<std::uint8_t> zero(points * bytes);
      EXPECT_TRUE(writer.append(zero));
    };
    for (const std::uint64_t points : {counts.h, counts.l, counts.a, counts.b}) {
      append(points, sizeof(curve::G1Affine));
    }
    append(counts.b, sizeof(curve::G2Affine));
    EXPECT_TRUE(writer.commit());
    return path;
  }

  static inline test::TestParameters* made_ = nullptr;
  test::Listener listener_;
};

TEST_F(Deriving, AWholeFileIsKeptUnlessForced) {
  const auto path = write_wrong_points();
  const DerivedReport kept = value_of(derive_parameters(made_->circuit(), options()));
  EXPECT_TRUE(kept.were_there);
  EXPECT_EQ(kept.made.file, path);
  // Forced, it is made anew where there is a device, else that is what is missing.
  const auto forced = derive_parameters(made_->circuit(), options(), WholeFile::kReplace);
  if (forced) {
    EXPECT_FALSE(forced->were_there);
  } else {
    EXPECT_EQ(forced.error().code, ErrorCode::kBackendFailed) << forced.error().describe();
  }
  std::filesystem::remove(path);
}

TEST_F(Deriving, ABudgetThatIsTooSmallIsRefusedWithBothNumbers) {
  JobOptions little = options();
  const auto shape = value_of(load_shape(made_->circuit(), little));
  const std::uint64_t needed = groth16::derive_host_bytes(shape);
  EXPECT_GT(needed, (shape.inputs() + shape.aux()) * sizeof(curve::G1Affine));
  little.memory_budget_bytes = needed - 1;
  const auto refused = derive_parameters(made_->circuit(), little);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kResourceExhausted);
  EXPECT_EQ(refused.error().expected, std::to_string(needed) + " bytes");
  EXPECT_EQ(refused.error().found, std::to_string(needed - 1) + " bytes");
  little.memory_budget_bytes = needed;
  const auto more = derive_parameters(made_->circuit(), little);
  EXPECT_TRUE(more || more.error().code == ErrorCode::kBackendFailed);
  if (more) std::filesystem::remove(more->made.file);
}

TEST_F(Deriving, ParametersThatAreBadInTheMiddleAreRefused) {
  const auto parameters = value_of(open_parameters(made_->circuit(), options()));
  const auto& layout = parameters.layout(groth16::Section::kH);
  const std::uint64_t index = layout.count / 2;
  const std::uint64_t at = layout.points_offset() + index * layout.point_bytes;
  const auto damage = belfry::test::Damage::flip(parameters.path(), at + 50, 3);
  const auto refused = derive_parameters(made_->circuit(), options());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput) << refused.error().describe();
  EXPECT_EQ(refused.error().file, parameters.path().string());
  EXPECT_EQ(refused.error().offset, at);
}

}  // namespace
}  // namespace belfry::engine
