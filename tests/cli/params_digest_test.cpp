// params check and published digests: by a manifest, by the built-in table, by the mark of tests.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "belfry/base/bytes.h"
#include "belfry/filecoin/formats/parameters.h"
#include "belfry/groth16/keygen/test_mark.h"
#include "belfry/groth16/params/verdict.h"
#include "cli/run_belfry.h"
#include "support/vectors.h"

namespace belfry::test {
namespace {

namespace fs = std::filesystem;

class ParamsDigest : public testing::Test {
 protected:
  /// A copy of a recorded file in the folder of this test.
  std::string copy(const std::string& recorded, const std::string& name) const {
    return belfry_.put(name, Belfry::read(vector_path(recorded)));
  }
  static std::string digest_of(const std::string& file) {
    const std::string content = Belfry::read(file);
    return to_hex(groth16::file_digest(as_bytes(content)));
  }
  std::string put_manifest(const std::string& name, const std::string& digest) const {
    return belfry_.put("parameters.json", R"({")" + name + R"(":{"cid":"Q","digest":")" + digest +
                                              R"(","sector_size":2048}})");
  }
  [[nodiscard]] RunResult json(const std::string& file) const {
    return belfry_.run({"params", "check", "--json", "--file", file});
  }
  [[nodiscard]] RunResult words(const std::string& file) const {
    return belfry_.run({"params", "check", "--file", file});
  }
  /// The file's points are good and its digest is not.
  void expect_other_digest(const std::string& file, const std::string& expected) const {
    const RunResult run = json(file);
    EXPECT_EQ(run.code, 1) << run.out;
    const Answer answer(run);
    EXPECT_TRUE(answer.ok());
    EXPECT_FALSE(bool(answer.root()["valid"]));
    const auto row = answer.root()["checked"].at(0);
    EXPECT_FALSE(bool(row["published"])) << run.out;
    EXPECT_EQ(text(row["error"]["file"]), file);
    EXPECT_EQ(text(row["error"]["expected"]), expected);
    EXPECT_EQ(text(row["error"]["found"]), digest_of(file));
    const std::string table = text(row["published_by"]);
    EXPECT_EQ(text(row["error"]["hint"]).find("It was compared with " + table), 0U) << run.out;
    const RunResult told = words(file);
    EXPECT_EQ(told.code, 1);
    EXPECT_TRUE(told.out.starts_with("bad: the digest is not the published one")) << told.out;
    EXPECT_NE(told.out.find(expected), std::string::npos) << told.out;
    EXPECT_NE(told.out.find(digest_of(file)), std::string::npos) << told.out;
  }
  void expect_good(const std::string& file, const std::string& words_of_digest,
                   bool published) const {
    const RunResult run = json(file);
    EXPECT_EQ(run.code, 0) << run.out;
    const Answer answer(run);
    const auto row = answer.root()["checked"].at(0);
    EXPECT_EQ(bool(row["published"]), published) << run.out;
    const RunResult told = words(file);
    EXPECT_EQ(told.code, 0) << told.out;
    EXPECT_NE(told.out.find(words_of_digest), std::string::npos) << told.out;
  }

  const std::string kOther = std::string(32, '0');
  Belfry belfry_;
};

TEST_F(ParamsDigest, IsThatOfTheManifest) {
  const std::string file = copy("mini/tiny/tiny.vk", "key.vk");
  EXPECT_NE(words(file).out.find("no published digest"), std::string::npos);
  (void)put_manifest("key.vk", kOther);
  expect_other_digest(file, kOther);
  const std::string table = put_manifest("key.vk", digest_of(file));
  expect_good(file, "digest as published by " + table, true);
}

TEST_F(ParamsDigest, IsThatOfTheTableWithoutAManifest) {
  const auto circuit = *filecoin::find_circuit("porep-2KiB");
  const std::string name = filecoin::parameter_stem(circuit) + ".vk";
  const std::string file = copy("parameters/" + name, name);  // of the recorded test parameters
  expect_other_digest(file, std::string(filecoin::find_published(circuit)->vk.digest));
  // The manifest in use comes first; one that does not name the file changes nothing.
  (void)put_manifest("other.vk", kOther);
  expect_other_digest(file, std::string(filecoin::find_published(circuit)->vk.digest));
  (void)put_manifest(name, digest_of(file));
  expect_good(file, "digest as published", true);
}

TEST_F(ParamsDigest, OfMarkedParametersMayBeAnother) {
  const std::string params = copy("mini/tiny/tiny.params", "key.params");
  const std::string key = copy("mini/tiny/tiny.vk", "key.vk");
  const std::string content = Belfry::read(params);
  groth16::FileSummary summary{};
  summary.file = params;
  summary.digest = groth16::file_digest(as_bytes(content));
  ASSERT_TRUE(groth16::write_test_mark(summary));
  for (const std::string& file : {params, key}) {
    (void)put_manifest(fs::path(file).filename().string(), kOther);
    expect_good(file, "for tests only", false);
  }
  // A key without the parameters that the mark is of, and a mark of other bytes.
  fs::remove(params);
  expect_other_digest(key, kOther);
  (void)belfry_.put("key.params", content);
  summary.digest[0] ^= 1U;
  ASSERT_TRUE(groth16::write_test_mark(summary));
  (void)put_manifest("key.params", kOther);
  expect_other_digest(params, kOther);
}

TEST_F(ParamsDigest, ADamagedManifestIsAnErrorOfItsOwn) {
  const std::string file = copy("mini/tiny/tiny.vk", "key.vk");
  const std::string stem = filecoin::parameter_stem(*filecoin::find_circuit("porep-2KiB"));
  const std::string other_size =
      R"({")" + stem + R"(.vk":{"cid":"Q","digest":")" + kOther + R"(","sector_size":4096}})";
  for (const std::string& content : {std::string("{"), other_size}) {
    const std::string manifest = belfry_.put("parameters.json", content);
    const RunResult run = json(file);
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_EQ(Answer(run).error("file"), manifest) << run.out;
  }
}

TEST_F(ParamsDigest, OfAFolderIsAnErrorToo) {
  const std::string folder = (belfry_.dir() / "folder.params").string();
  fs::create_directory(folder);
  for (const std::string& file : {folder, std::string("/dev/null")}) {
    const RunResult run = json(file);
    EXPECT_EQ(run.code, 3) << run.out;
    EXPECT_EQ(Answer(run).error("message"), "not a regular file") << run.out;
    EXPECT_EQ(Answer(run).error("file"), file);
  }
}

/// No shape is made for a trapdoor that can not be.
TEST_F(ParamsDigest, ATrapdoorWithAZeroIsRefusedFirst) {
  const std::string good = Belfry::read(vector_path("trapdoor.json"));
  for (const std::string name : {"alpha", "beta", "gamma", "delta", "tau"}) {
    std::string content = good;
    const std::size_t at = content.find('"', content.find(':', content.find('"' + name + '"')));
    content.replace(at, content.find('"', at + 1) + 1 - at, "\"00\"");
    const std::string file = belfry_.put("trapdoor.json", content);
    const RunResult run = belfry_.run({"setup", "winning-2KiB", "--json", "--test-trapdoor", file,
                                       "--out", (belfry_.dir() / "made").string()});
    EXPECT_EQ(run.code, 3) << run.out;
    const Answer answer(run);
    EXPECT_EQ(answer.error("file"), file);
    EXPECT_EQ(answer.error("section"), name);
    EXPECT_EQ(answer.error("found"), "0");
    EXPECT_FALSE(fs::exists(belfry_.dir() / "made"));
  }
}

}  // namespace
}  // namespace belfry::test
