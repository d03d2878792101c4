#include "belfry/cli/doctor_gpu.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>

namespace belfry::cli {
namespace {

using engine::BackendPolicy;

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

gpu::DeviceInfo card(int ordinal) {
  return {.ordinal = ordinal, .name = "A card", .total_bytes = 24 * kGiB, .free_bytes = 20 * kGiB};
}

/// A card of which nothing more than this is known.
gpu::DeviceInfo broken(int ordinal, std::string name) {
  gpu::DeviceInfo info{.ordinal = ordinal, .name = std::move(name)};
  info.failure = Error{ErrorCode::kDeviceLost, "gpu.device", "busy or unavailable"};
  return info;
}

config::Settings settings(BackendPolicy policy) {
  config::Settings made;
  made.backend = policy;
  return made;
}

TEST(DoctorGpu, ABrokenCardDeniesNoOther) {
  const Devices devices{{card(0), broken(1, "Another"), broken(2, "")}};
  for (const BackendPolicy policy : {BackendPolicy::kAuto, BackendPolicy::kCuda}) {
    const Check check = check_gpu(settings(policy), devices);
    EXPECT_EQ(check.status, Status::kWarning);
    EXPECT_EQ(
        check.detail.rfind("A card, 20.00 GiB free of 24.00 GiB; card 1, Another fails: busy or "
                           "unavailable; card 2 fails: busy or unavailable",
                           0),
        0U)
        << check.detail;
    EXPECT_EQ(check.detail.find("proofs run on the CPU"), std::string::npos) << check.detail;
    EXPECT_FALSE(check.hint.empty());
    EXPECT_TRUE(wants_gpu(policy, devices));
  }
  EXPECT_EQ(check_gpu(settings(BackendPolicy::kCpu), devices).status, Status::kOk);
}

TEST(DoctorGpu, ProofsNeedTheFirstCard) {
  const Devices devices{{broken(0, "A card"), card(1)}};
  const Check on_auto = check_gpu(settings(BackendPolicy::kAuto), devices);
  EXPECT_EQ(on_auto.status, Status::kWarning);
  EXPECT_NE(on_auto.detail.find(": proofs run on the CPU"), std::string::npos) << on_auto.detail;
  EXPECT_NE(on_auto.detail.find("; A card, 20.00 GiB free"), std::string::npos) << on_auto.detail;
  EXPECT_FALSE(wants_gpu(BackendPolicy::kAuto, devices));
  EXPECT_EQ(check_gpu(settings(BackendPolicy::kCuda), devices).status, Status::kFailed);
  EXPECT_EQ(check_gpu(settings(BackendPolicy::kCpu), devices).status, Status::kOk);
}

TEST(DoctorGpu, ABudgetBeyondTheFirstCardFails) {
  config::Settings large = settings(BackendPolicy::kAuto);
  large.vram_budget_bytes = 20 * kGiB;
  EXPECT_EQ(check_gpu(large, Devices{{card(0)}}).status, Status::kFailed);
  large.vram_budget_bytes = 19 * kGiB;
  EXPECT_EQ(check_gpu(large, Devices{{card(0)}}).status, Status::kOk);
}

TEST(DoctorGpu, WithoutADriverNothingIsAmiss) {
  const Devices none = fail(ErrorCode::kNotFound, "gpu.device", "none present");
  const Check check = check_gpu(settings(BackendPolicy::kAuto), none);
  EXPECT_EQ(check.status, Status::kOk);
  EXPECT_EQ(check.detail.rfind("none present", 0), 0U);
  EXPECT_EQ(check_gpu(settings(BackendPolicy::kCuda), none).status, Status::kFailed);
  EXPECT_FALSE(wants_gpu(BackendPolicy::kAuto, none));
}

}  // namespace
}  // namespace belfry::cli
