// Damaged parameters through the command: exit codes, and no proof file.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "belfry/filecoin/formats/parameters.h"
#include "cli/run_belfry.h"
#include "support/damaged_params.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

using groth16::Parameters;
using groth16::Section;

class DamagedParameters : public testing::Test {
 protected:
  void SetUp() override {
    const RunResult made =
        belfry_.run({"setup", "window-2KiB", "--test-trapdoor",
                     vector_path("trapdoor.json").string(), "--out", params_.string()});
    ASSERT_EQ(made.code, 0) << made.err;
    file_ =
        params_ / (filecoin::parameter_stem(*filecoin::find_circuit("window-2KiB")) + ".params");
  }
  [[nodiscard]] RunResult prove() const {
    const JsonFile post(kFolder + "post.json");
    return belfry_.run({"prove", "window", "--json", "--vanilla",
                        vector_path(kFolder + "vanilla-1.bin").string(), "--randomness",
                        text(post["randomness"]), "--miner", "1000", "--proof-type",
                        text(post["post_proof"]), "--backend", "cpu", "--params", params_.string(),
                        "--out", out_.string()});
  }

  const std::string kFolder = "window-2kib-1sector/";
  Belfry belfry_;
  std::filesystem::path params_ = belfry_.dir() / "made";
  std::filesystem::path out_ = belfry_.dir() / "proof.bin";
  std::filesystem::path file_;
};

TEST_F(DamagedParameters, EndInExitCodeThreeOrFiveAndNoProof) {
  const auto parameters = Parameters::open(file_);
  ASSERT_TRUE(parameters) << parameters.error().describe();
  {
    // Good points in wrong places.
    const Damage damage = Damage::rotate(*parameters, Section::kL);
    const RunResult run = prove();
    EXPECT_EQ(run.code, 5) << run.out << run.err;
    const Answer answer(run);
    EXPECT_EQ(answer.error("kind"), "backend_failed");
    EXPECT_TRUE(answer.error("message").starts_with("self-check failed")) << run.out;
    EXPECT_EQ(answer.error("file"), file_.string());
    EXPECT_EQ(run.out.find("\"proof\""), std::string::npos) << run.out;
    EXPECT_FALSE(std::filesystem::exists(out_));
  }
  {
    // h is in every proof whole: its first point counts.
    const std::uint64_t at = parameters->layout(Section::kH).points_offset();
    const Damage damage = Damage::flip(file_, at + 1, 3);
    const RunResult run = prove();
    EXPECT_EQ(run.code, 3) << run.out << run.err;
    const Answer answer(run);
    EXPECT_EQ(answer.error("kind"), "invalid_input");
    EXPECT_EQ(answer.error("file"), file_.string());
    EXPECT_EQ(answer.error("section"), "h[0]");
    EXPECT_EQ(std::uint64_t(answer.root()["error"]["offset"]), at);
    EXPECT_FALSE(std::filesystem::exists(out_));
  }
  const RunResult good = prove();
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_EQ(std::filesystem::file_size(out_), 192U);
}

}  // namespace
}  // namespace belfry::test
