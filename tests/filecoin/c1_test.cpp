#include "belfry/filecoin/formats/c1.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>

#include "belfry/filecoin/formats/base64.h"
#include "belfry/filecoin/formats/c1_writer.h"
#include "belfry/filecoin/porep/synthetic_vanilla.h"
#include "filecoin/cases.h"
#include "support/c1_text.h"
#include "support/vectors.h"
#include "support/whole_error.h"

namespace belfry::filecoin {
namespace {

using test::base64;
using test::wrapped;

std::string file_text(const char* name) {
  const auto bytes = test::read_vector(name);
  return {bytes.begin(), bytes.end()};
}
const std::string& c1_text() {
  static const std::string text = file_text("porep-2kib-v1_1/c1.json");
  return text;
}
Result<C1Output> read_c1(std::string_view text) { return parse_c1(as_bytes(text), "c1.json"); }

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

/// Refused as bad input, in this file, in a section that ends with `section`.
void expect_refused(const Result<C1Output>& result, std::string_view section,
                    std::string_view context = {}) {
  ASSERT_FALSE(result) << context;
  const Error& error = result.error();
  test::expect_whole_error(error, context);
  EXPECT_TRUE(error.file.starts_with("c1.json")) << error.file;
  EXPECT_TRUE(error.section.ends_with(section))
      << context << ": " << error.section << " | " << error.describe();
}

TEST(C1, ReadsEveryVersion) {
  const std::array<std::pair<const char*, std::uint32_t>, 5> files{{
      {"porep-2kib-v1_0", 0},
      {"porep-2kib-v1_1", 5},
      {"porep-2kib-v1_2-synthetic", 10},
      {"porep-2kib-ni", 15},
      {"porep-8mib-v1_1-vanilla", 6},
  }};
  for (const auto& [name, number] : files) {
    const auto c1 = read_c1(file_text((std::string(name) + "/c1.json").c_str()));
    ASSERT_TRUE(c1) << c1.error().describe();
    const test::JsonFile sector(std::string(name) + "/sector.json");
    EXPECT_EQ(c1->registered->number, number);
    EXPECT_EQ(c1->partitions.size(), c1->config.partitions());
    EXPECT_EQ(to_hex(c1->comm_r.bytes()), test::text(sector["comm_r"]));
    EXPECT_EQ(to_hex(c1->comm_d.bytes()), test::text(sector["comm_d"]));
    EXPECT_EQ(to_hex(c1->replica_id.bytes()), test::text(sector["replica_id"]));
    EXPECT_EQ(to_hex(c1->seed), test::text(sector["seed"]));
    EXPECT_EQ(to_hex(c1->ticket), test::text(sector["ticket"]));
    const VanillaChallenge& challenge = c1->partitions[0][0];
    EXPECT_EQ(to_hex(challenge.comm_r_last.root.bytes()), test::text(sector["comm_r_last"]));
    EXPECT_EQ(to_hex(challenge.column.inclusion.root.bytes()), test::text(sector["comm_c"]));
    EXPECT_EQ(challenge.labeling.size(), 2U);
    EXPECT_EQ(challenge.labeling[1].layer_index, 2U);
    EXPECT_EQ(challenge.encoding.node, challenge.column.index);
  }
}

TEST(C1, ReadsTheInnerStructureWithAllTreeLevels) {
  const std::string text = file_text("porep-32kib/c1-inner.json");
  const auto c1 = parse_c1_inner(as_bytes(text), test::config_32kib(), "c1.json");
  ASSERT_TRUE(c1) << c1.error().describe();
  EXPECT_FALSE(c1->registered);
  EXPECT_EQ(c1->partitions[0][0].comm_r_last.positions.size(), 4U);
  EXPECT_EQ(c1->partitions[0][0].comm_r_last.siblings.size(), 7U + 7U + 7U + 1U);
  // For another size it is a contradiction, and it is no complete C1 output.
  PorepConfig other = test::config_32kib();
  other.sector = *find_sector("2KiB");
  EXPECT_FALSE(parse_c1_inner(as_bytes(text), other, "c1.json"));
  expect_refused(read_c1(text), "vanilla_proofs");
}

TEST(C1, WritingGivesTheReferencesBytes) {
  for (const char* name : {"porep-2kib-v1_0", "porep-2kib-v1_1", "porep-2kib-v1_2-synthetic",
                           "porep-2kib-ni", "porep-8mib-v1_1-vanilla"}) {
    const std::string text = file_text((std::string(name) + "/c1.json").c_str());
    EXPECT_TRUE(write_c1(*read_c1(text)) == text) << name;
  }
  const std::string inner = file_text("porep-32kib/c1-inner.json");
  EXPECT_TRUE(write_c1(*parse_c1_inner(as_bytes(inner), test::config_32kib(), "")) == inner);
}

TEST(C1, TreesOfTwoLevelsSurviveARoundTrip) {
  for (const char* size : {"4KiB", "16KiB"}) {
    PorepConfig config = test::config_32kib();
    config.sector = *find_sector(size);
    const std::string text = write_c1(synthetic_c1(config, 3, Executor(2)));
    const auto again = parse_c1_inner(as_bytes(text), config, "c1.json");
    ASSERT_TRUE(again) << again.error().describe();
    EXPECT_TRUE(write_c1(*again) == text);
    EXPECT_EQ(again->partitions[0][0].comm_r_last.positions.size(), 3U);
  }
}

/// The place of the n-th occurrence.
std::size_t find_nth(std::string_view text, std::string_view what, std::size_t n) {
  std::size_t at = text.find(what);
  while (n-- > 0) at = text.find(what, at + 1);
  return at;
}

TEST(C1, LargeArraysAreReadOneByOneAndNoLessStrictly) {
  // 13 partitions of 99 kB: each is taken out of the text (json_outline.h).
  const std::string whole = file_text("porep-2kib-ni/c1.json");
  ASSERT_GT(whole.size(), std::size_t{1} << 20);
  constexpr std::string_view kKey = "\"layer_index\":";
  for (const std::size_t n : {0U, 17U, 44U, 77U}) {
    const std::size_t at = find_nth(whole, kKey, n) + kKey.size();
    std::string wrong = whole;
    wrong[at] = '-';
    const auto refused = read_c1(wrong);
    expect_refused(refused, "layer_index");
    EXPECT_EQ(refused.error().offset, at);
    EXPECT_TRUE(refused.error().section.starts_with("vanilla_proofs.StackedDrg2KiBV1[" +
                                                    std::to_string(n / 6) + "]"))
        << refused.error().section;
    EXPECT_FALSE(read_c1(std::string(whole).insert(at, "1,\"layer_index\":")));
    EXPECT_FALSE(read_c1(std::string(whole).insert(at, "]")));
    EXPECT_FALSE(read_c1(std::string(whole).insert(at, "\"")));
    EXPECT_FALSE(read_c1(std::string(whole).insert(at, "\xff")));
    EXPECT_FALSE(read_c1(whole.substr(0, at)));
  }
  const std::size_t between = find_nth(whole, "}],[{", 4) + 2;
  for (const char* noise : {"x", "]", "[", ",", "1", "[]", ",[]", "\""}) {
    EXPECT_FALSE(read_c1(std::string(whole).insert(between, noise))) << noise;
  }
  // What stands in the place of an array is no array that a file could bring itself.
  const std::size_t end = find_nth(whole, "}],[{", 5) + 2;
  EXPECT_FALSE(read_c1(std::string(whole).replace(between + 1, end - between - 1, "[]")));
}

TEST(C1, KeyOrderSpaceUnknownKeysAndByteOrderMarkAreAccepted) {
  const std::string reordered =
      R"({"registered_proof":"StackedDrg2KiBV1_1",)" +
      replaced(c1_text().substr(1), R"("registered_proof":"StackedDrg2KiBV1_1",)", "");
  EXPECT_TRUE(read_c1(reordered));
  EXPECT_TRUE(read_c1("\xEF\xBB\xBF" + c1_text()));
  EXPECT_TRUE(read_c1(" \n\t" + c1_text() + "\r\n "));
  EXPECT_TRUE(read_c1(replaced(c1_text(), R"("comm_r":)", R"("comm_r" : )")));
  const std::string extra =
      R"({"x":{"y":[1,-2.5e3,true,false,null,"\u00e9\n",{}],"z":[]},"registered_proof")";
  const auto with_extra = read_c1(replaced(c1_text(), R"({"registered_proof")", extra));
  EXPECT_TRUE(with_extra) << with_extra.error().describe();
  std::string without_h = c1_text();
  for (std::size_t at = 0; (at = without_h.find(R"(,"_h":null)")) != std::string::npos;) {
    without_h.erase(at, 10);
  }
  EXPECT_TRUE(read_c1(without_h));
}

TEST(C1, EscapedKeysAreTheSameKeys) {
  EXPECT_TRUE(read_c1(replaced(c1_text(), R"("seed")", R"("s\u0065ed")")));
  expect_refused(read_c1(replaced(c1_text(), R"("seed")", R"("\u0073eed":0,"seed")")), "seed");
}

TEST(C1, ReadsTheWrapper) {
  const auto c1 = read_c1(wrapped(c1_text(), "7", "2048"));
  ASSERT_TRUE(c1) << c1.error().describe();
  ASSERT_TRUE(c1->wrapper_sector);
  EXPECT_EQ(c1->wrapper_sector->value, 7U);
  EXPECT_EQ(c1->registered->number, 5U);
  const auto bare = read_c1(R"({"Phase1Out":")" + base64(c1_text()) + R"("})");
  ASSERT_TRUE(bare);
  EXPECT_FALSE(bare->wrapper_sector);
}

TEST(C1, RefusesBadWrappers) {
  expect_refused(read_c1(wrapped(c1_text(), "7", "4096")), "SectorSize");
  expect_refused(read_c1(wrapped(c1_text(), "-7", "2048")), "SectorNum");
  expect_refused(read_c1(wrapped(c1_text(), "7", "2048.0")), "SectorSize");
  expect_refused(read_c1(wrapped(wrapped(c1_text(), "7", "2048"), "7", "2048")), "");
  expect_refused(read_c1(R"({"Phase1Out":"abc"})"), "Phase1Out");
  expect_refused(read_c1(R"({"Phase1Out":"!!!!"})"), "Phase1Out");
  expect_refused(read_c1(R"({"Phase1Out":""})"), "");
  expect_refused(read_c1(R"({"Phase1Out":5})"), "Phase1Out");
  expect_refused(read_c1(R"({"SectorNum":1,"SectorSize":2048})"), "vanilla_proofs");
  expect_refused(read_c1(replaced(c1_text(), "{", R"({"Phase1Out":"","x":1,)")), "Phase1Out");
  // The error of the inner text says so, and counts its offset there.
  const auto inner = read_c1(wrapped(c1_text().substr(0, 1000), "7", "2048"));
  expect_refused(inner, "");
  EXPECT_EQ(inner.error().file, "c1.json (Phase1Out)");
}

TEST(C1, Base64) {
  const auto text = [](std::string_view digits) {
    const auto bytes = from_base64(digits);
    return bytes ? std::string(bytes->begin(), bytes->end()) : "refused";
  };
  EXPECT_EQ(text("aGVsbG8="), "hello");
  EXPECT_EQ(text(""), "");
  EXPECT_EQ(text("YQ=="), "a");
  EXPECT_EQ(text("YWI="), "ab");
  EXPECT_EQ(text("YWJj"), "abc");
  for (const char* bad :
       {"=", "====", "Y===", "YQ=", "YR==", "YWJ=", "YQ==YQ==", "Y-==", "YWJj\n", "Y=Jj", "Y Q="}) {
    EXPECT_EQ(text(bad), "refused") << bad;
  }
}

TEST(C1, EveryTruncationOfASmallPartAndManyOfTheRestAreRefused) {
  const std::string& whole = c1_text();
  for (std::size_t size = 0; size < whole.size(); size += size < 600 ? 1 : 499) {
    const auto result = read_c1(std::string_view(whole).substr(0, size));
    expect_refused(result, "", std::to_string(size));
  }
  for (std::size_t cut = 1; cut < 200; ++cut) {
    expect_refused(read_c1(std::string_view(whole).substr(0, whole.size() - cut)), "");
  }
}

TEST(C1, TrailingDataIsRefused) {
  for (const char* tail : {"x", "}", "{}", ",", "0", "null", "\"\"", "]"}) {
    expect_refused(read_c1(c1_text() + tail), "", tail);
  }
}

TEST(C1, RefusesWrongValues) {
  struct Case {
    const char* what;
    const char* by;
    const char* section;
  };
  // The first number behind "root" is 101; "index":40 is the first column's.
  const std::array<Case, 21> cases{{
      {"[101,", "[256,", "comm_d_proofs.data.Single.root[0]"},
      {"[101,", "[-1,", "comm_d_proofs.data.Single.root[0]"},
      {"[101,", "[1e1,", "comm_d_proofs.data.Single.root[0]"},
      {"[101,", "[101.0,", "comm_d_proofs.data.Single.root[0]"},
      {"[101,", "[0101,", "comm_d_proofs.data.Single.root[0]"},
      {"[101,", "[\"101\",", "comm_d_proofs.data.Single.root[0]"},
      {"[101,", "[99999999999999999999999,", "comm_d_proofs.data.Single.root[0]"},
      {"[101,", "[", "comm_d_proofs.data.Single.root"},
      {"[101,", "[1,101,", "comm_d_proofs.data.Single.root"},
      {"[101,", "[[101],", "comm_d_proofs.data.Single.root[0]"},
      {"\"index\":40", "\"index\":4294967296", "c_x.column.index"},
      {"\"index\":40", "\"index\":null", "c_x.column.index"},
      {"\"index\":0", "\"index\":2", "comm_d_proofs.data.Single.path.path[0].index"},
      {"\"index\":5", "\"index\":8", "comm_r_last_proof.data.Single.path.path[1].index"},
      {"\"Single\"", "\"Sub\"", "comm_d_proofs.data.Sub"},
      {"\"registered_proof\":\"StackedDrg2KiBV1_1\"", "\"registered_proof\":\"StackedDrg2KiBV1_3\"",
       "registered_proof"},
      {"\"registered_proof\":\"StackedDrg2KiBV1_1\"", "\"registered_proof\":5", "registered_proof"},
      {"\"registered_proof\":\"StackedDrg2KiBV1_1\"", "\"registered_proof\":\"StackedDrg8MiBV1_1\"",
       "vanilla_proofs"},
      {"\"StackedDrg2KiBV1\"", "\"StackedDrg2KiBV1_1\"", "vanilla_proofs.StackedDrg2KiBV1_1"},
      {"\"StackedDrg2KiBV1\"", "\"StackedDrg8MiBV1\"", ""},
      {"\"StackedDrg2KiBV1\":", "\"x\":[],\"StackedDrg2KiBV1\":", "vanilla_proofs.x"},
  }};
  for (const Case& wrong : cases) {
    expect_refused(read_c1(replaced(c1_text(), wrong.what, wrong.by)), wrong.section, wrong.by);
  }
}

TEST(C1, NonCanonicalNodesAreRefusedWhereverTheyStand) {
  const std::string r =
      "[1,0,0,0,255,255,255,255,254,91,254,255,2,164,189,83,5,216,161,9,8,216,57,"
      "51,72,125,157,41,83,167,237,115]";
  const std::string below = "[0" + r.substr(2);
  const std::string& text = c1_text();
  for (const char* key : {"\"root\":", "\"leaf\":", "\"hashes\":[", "\"rows\":[", "\"parents\":[",
                          "\"comm_r\":", "\"comm_d\":", "\"replica_id\":"}) {
    const std::size_t begin = text.find(key) + std::string_view(key).size();
    const std::size_t end = text.find(']', begin) + 1;
    std::string wrong = text;
    const auto refused = read_c1(wrong.replace(begin, end - begin, r));
    ASSERT_FALSE(refused) << key;
    EXPECT_EQ(refused.error().message, "not canonical");
    EXPECT_EQ(refused.error().offset, begin);
    std::string right = text;
    EXPECT_TRUE(read_c1(right.replace(begin, end - begin, below))) << key;
  }
  // Seed and ticket are bytes, not field elements.
  const std::size_t seed = text.find("\"seed\":") + 7;
  std::string any = text;
  EXPECT_TRUE(read_c1(any.replace(seed, text.find(']', seed) + 1 - seed, r)));
}

TEST(C1, MissingAndDuplicateKeysAreRefused) {
  for (const char* key : {"vanilla_proofs",
                          "comm_r",
                          "comm_d",
                          "replica_id",
                          "seed",
                          "ticket",
                          "registered_proof",
                          "comm_d_proofs",
                          "comm_r_last_proof",
                          "replica_column_proofs",
                          "labeling_proofs",
                          "encoding_proof",
                          "c_x",
                          "drg_parents",
                          "exp_parents",
                          "column",
                          "inclusion_proof",
                          "rows",
                          "parents",
                          "layer_index",
                          "node",
                          "data",
                          "root",
                          "leaf",
                          "hashes"}) {
    const std::string quoted = std::string("\"") + std::string(key) + "\"";
    expect_refused(read_c1(replaced(c1_text(), quoted, "\"renamed\"")), key, key);
    expect_refused(read_c1(replaced(c1_text(), quoted, quoted + ":0," + quoted)), "", key);
  }
  expect_refused(read_c1(replaced(c1_text(), "{", R"({"x":1,"x":1,)")), "x");
  expect_refused(read_c1(replaced(c1_text(), "{", R"({"u":{"x":1,"x":1},)")), "u.x");
  // Many keys, so that the set behind the first few is used.
  std::string many;
  for (int i = 0; i < 20; ++i) many += "\"k" + std::to_string(i) + "\":0,";
  EXPECT_TRUE(read_c1(replaced(c1_text(), "{", "{" + many)));
  expect_refused(read_c1(replaced(c1_text(), "{", "{" + many + "\"k19\":0,")), "k19");
}

TEST(C1, DepthIsBounded) {
  const auto nested = [](std::size_t levels) {
    return replaced(c1_text(), "{",
                    "{\"x\":" + std::string(levels, '[') + std::string(levels, ']') + ",");
  };
  EXPECT_TRUE(read_c1(nested(63)));
  expect_refused(read_c1(nested(64)), "");
  expect_refused(read_c1(nested(1000)), "");
  expect_refused(read_c1(nested(200000)), "");
  expect_refused(read_c1(std::string(200000, '[')), "");
  std::string objects;
  for (int i = 0; i < 5000; ++i) objects += "{\"x\":";
  expect_refused(read_c1(objects), "");
}

TEST(C1, WrongListLengthsAreRefused) {
  const std::string& text = c1_text();
  const std::size_t first = text.find("[[{") + 2;
  const std::size_t second = text.find(",{\"comm_d_proofs\"");
  const std::string challenge = text.substr(first, second - first);
  // One challenge less, one more; one partition less, one more.
  std::string wrong = text;
  expect_refused(read_c1(wrong.erase(first, second + 1 - first)), "StackedDrg2KiBV1[0]");
  wrong = text;
  expect_refused(read_c1(wrong.insert(first, challenge + ",")), "StackedDrg2KiBV1[0]");
  expect_refused(read_c1(replaced(text, "[[{", "[[],[{")), "StackedDrg2KiBV1[0]");
  wrong = text;
  const std::size_t end = text.find("]]},\"comm_r\"");
  wrong.insert(end + 1, std::string(",") + text.substr(first - 1, end + 1 - (first - 1)));
  expect_refused(read_c1(wrong), "vanilla_proofs");
  wrong = text;
  expect_refused(read_c1(wrong.erase(first - 1, end + 1 - (first - 1))), "vanilla_proofs");
}

TEST(C1, WhatFollowsTheRootIsToldFromACutText) {
  for (const char* tail : {"x", "}", "\n{", ","}) {
    const auto longer = read_c1(c1_text() + tail);
    expect_refused(longer, "root", tail);
    EXPECT_EQ(longer.error().message, "bytes follow the root") << tail;
    EXPECT_EQ(longer.error().offset, c1_text().size() + (tail[0] == '\n' ? 1 : 0)) << tail;
  }
  for (const char* cut : {R"({"x":{"y":1},)", R"({"x":"}")", R"({"x":"\"}")"}) {
    const auto shorter = read_c1(cut);
    expect_refused(shorter, "root", cut);
    EXPECT_EQ(shorter.error().message, "the text ends too early") << cut;
    EXPECT_EQ(shorter.error().offset, std::string_view(cut).size()) << cut;
  }
}

TEST(C1, OffsetsOfWhatTheWholeContradicts) {
  const auto missing = read_c1(replaced(c1_text(), R"("seed")", R"("sead")"));
  expect_refused(missing, "seed");
  EXPECT_EQ(missing.error().offset, 0U);
  EXPECT_EQ(missing.error().found, "nothing");
  const std::string text = wrapped(c1_text(), "7", "4096");
  const auto size = read_c1(text);
  expect_refused(size, "SectorSize");
  EXPECT_EQ(size.error().offset, text.rfind("4096"));
  const std::string other =
      replaced(c1_text(), R"("StackedDrg2KiBV1_1")", R"("StackedDrg8MiBV1_1")");
  const auto sector = read_c1(other);
  expect_refused(sector, "vanilla_proofs");
  EXPECT_EQ(sector.error().offset, other.find("[[{"));
}

TEST(C1, NotJson) {
  for (const char* text : {"",
                           " ",
                           "\xEF\xBB\xBF",
                           "null",
                           "[]",
                           "1",
                           "\"\"",
                           "{",
                           "}",
                           "{]",
                           "{\"x\"}",
                           "{\"x\":}",
                           "{,}",
                           "{\"x\":1,}",
                           "{\"x\":tru}",
                           "{\"x\":nulls}",
                           "{\"x\":1 2}",
                           "{\"x\":\"\\q\"}",
                           "{x:1}",
                           "{\"x\":\"\xff\"}",
                           "{\"x\":\"\x01\"}",
                           "{\"x\":[1,]}",
                           "{\"x\":01}",
                           "v28-stacked-proof"}) {
    expect_refused(read_c1(text), "", text);
  }
}

TEST(C1, AFileOfAnotherKindLearnsWhatWasWanted) {
  for (const char* text : {"", "hello", "[1]", "7", "\"\x7f", "\x1f\x8b", "{}", R"({"a":1})",
                           R"({"SectorNum":1})", R"({"Phase1Out":"e30="})"}) {
    EXPECT_NE(read_c1(text).error().hint.find("commit phase 1"), std::string::npos) << text;
  }
  // A damaged output is told its place alone.
  for (const std::string& text :
       {c1_text().substr(0, 1000), replaced(c1_text(), "\"comm_r\"", "\"x\"")}) {
    EXPECT_EQ(read_c1(text).error().hint, "");
  }
}

}  // namespace
}  // namespace belfry::filecoin
