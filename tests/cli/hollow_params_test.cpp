// prove porep over a parameter file with the recorded key and counts but without points: a sparse
// file, so its 1.1 GB take no time and no disk.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/formats/parameters.h"
#include "cli/run_belfry.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

class HollowParameters : public testing::Test {
 protected:
  void SetUp() override {
    const std::string stem = filecoin::parameter_stem(*filecoin::find_circuit("porep-2KiB"));
    file_ = (belfry_.dir() / (stem + ".params")).string();
    std::ofstream out(file_, std::ios::binary);
    const auto key = read_vector("parameters/" + stem + ".vk");
    out.write(reinterpret_cast<const char*>(key.data()), static_cast<std::streamsize>(key.size()));
    const JsonFile recorded("parameters/" + stem + ".json");
    std::uint64_t end = key.size();
    for (const auto section : recorded["params"]["sections"].get_array()) {
      const std::string name = text(section["name"]);
      if (name == "vk") continue;
      constexpr std::uint64_t kBytesG1 = 96;
      const std::uint64_t count = section["count"];
      std::uint8_t head[4];
      store_be(head, static_cast<std::uint32_t>(count));
      out.seekp(static_cast<std::streamoff>(end));
      out.write(reinterpret_cast<const char*>(head), sizeof head);
      end += sizeof head + count * (name == "b_g2" ? 2 * kBytesG1 : kBytesG1);
    }
    out.close();
    std::filesystem::resize_file(file_, end);
    EXPECT_EQ(end, std::uint64_t(recorded["params"]["bytes"]));
  }

  [[nodiscard]] RunResult prove(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments{"prove",
                                       "porep",
                                       "--json",
                                       "--c1",
                                       vector_path("porep-2kib-v1_1/c1.json").string(),
                                       "--miner",
                                       "1000",
                                       "--sector",
                                       "1",
                                       "--backend",
                                       "cpu",
                                       "--params",
                                       belfry_.dir().path().string(),
                                       "--out",
                                       (belfry_.dir() / "proof.bin").string()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return belfry_.run(arguments);
  }
  void expect_no_proof() const {
    EXPECT_FALSE(std::filesystem::exists(belfry_.dir() / "proof.bin"));
  }

  Belfry belfry_;
  std::string file_;
};

TEST_F(HollowParameters, ABudgetThatDoesNotDoIsRefusedWithBothNumbers) {
  const RunResult run = prove({"--memory-budget", "1MiB"});
  EXPECT_EQ(run.code, 4) << run.out << run.err;
  const Answer answer(run);
  EXPECT_FALSE(answer.ok());
  EXPECT_EQ(answer.error("kind"), "resource_exhausted");
  EXPECT_EQ(answer.error("found"), "1048576 bytes");
  const std::string needed = answer.error("expected");
  EXPECT_TRUE(needed.ends_with(" bytes")) << needed;
  EXPECT_GT(std::stoull(needed), std::uint64_t{100} << 20);
  EXPECT_NE(answer.error("hint").find("memory budget"), std::string::npos);
  expect_no_proof();

  // One byte below what is needed is as bad; the number is exact.
  const std::string below = std::to_string((std::stoull(needed) - 1) >> 10) + "KiB";
  EXPECT_EQ(prove({"--memory-budget", below}).code, 4) << below;
}

TEST_F(HollowParameters, APointThatIsNoneIsNamedAndNothingIsProved) {
  const RunResult run = prove();
  EXPECT_EQ(run.code, 3) << run.out << run.err;
  const Answer answer(run);
  EXPECT_EQ(answer.error("kind"), "invalid_input");
  EXPECT_EQ(answer.error("file"), file_);
  EXPECT_TRUE(answer.error("section").starts_with("l[")) << run.out;
  EXPECT_GT(std::uint64_t(answer.root()["error"]["offset"]), 0U) << run.out;
  expect_no_proof();
}

TEST_F(HollowParameters, AnotherCircuitsCountsAreRefused) {
  std::filesystem::copy_file(vector_path("mini/tiny/tiny.params"), file_,
                             std::filesystem::copy_options::overwrite_existing);
  const RunResult run = prove();
  EXPECT_EQ(run.code, 3) << run.out;
  EXPECT_EQ(Answer(run).error("file"), file_) << run.out;
  EXPECT_FALSE(Answer(run).error("section").empty()) << run.out;
  expect_no_proof();
}

}  // namespace
}  // namespace belfry::test
