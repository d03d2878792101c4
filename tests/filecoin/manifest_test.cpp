#include "belfry/filecoin/formats/manifest.h"

#include <gtest/gtest.h>

#include <string>

#include "belfry/filecoin/formats/parameters.h"
#include "support/whole_error.h"

namespace belfry::filecoin {
namespace {

Result<Manifest> read_manifest(std::string_view text) {
  return parse_manifest(as_bytes(text), "m.json");
}

constexpr std::string_view kEntry =
    R"({"cid":"Qm","digest":"434FB1338ecfaf0f59256f30dde4968f","sector_size":2048})";

std::string with(std::string_view entry) { return R"({"a.params":)" + std::string(entry) + "}"; }

TEST(Manifest, Reads) {
  const auto manifest = read_manifest(with(kEntry));
  ASSERT_TRUE(manifest) << manifest.error().describe();
  const ManifestEntry& entry = manifest->at("a.params");
  EXPECT_EQ(entry.cid, "Qm");
  EXPECT_EQ(entry.digest, "434fb1338ecfaf0f59256f30dde4968f");
  EXPECT_EQ(entry.sector_size, 2048U);
  EXPECT_TRUE(read_manifest("{}")->empty());
}

TEST(Manifest, RefusesWhatIsMalformed) {
  const std::string twice =
      R"({"a":)" + std::string(kEntry) + R"(,"a":)" + std::string(kEntry) + "}";
  for (const std::string& text : {
           std::string(),
           std::string("[]"),
           std::string("{"),
           with("[]"),
           with("{}"),
           twice,
           with(R"({"cid":"Q","digest":"434fb1338ecfaf0f59256f30dde4968","sector_size":1})"),
           with(R"({"cid":"Q","digest":"434fb1338ecfaf0f59256f30dde4968g","sector_size":1})"),
           with(R"({"cid":"Q","digest":"434fb1338ecfaf0f59256f30dde4968f","sector_size":-1})"),
           with(R"({"cid":"Q","digest":"434fb1338ecfaf0f59256f30dde4968f","sector_size":1.0})"),
           with(R"({"cid":1,"digest":"434fb1338ecfaf0f59256f30dde4968f","sector_size":1})"),
           with(kEntry) + "x",
           std::string("not found\n"),
           std::string("<html><head><title>504 Gateway Time-out</title></head></html>"),
           std::string(200, '['),
           R"({"a":)" + std::string(100, '[') + std::string(100, ']') + "}",
           with(R"({"cid":"Q","digest":"434fb1338ecfaf0f59256f30dde4968f","sector_size":)"
                R"(99999999999999999999})"),
           with(R"({"cid":"Q","cid":"Q","digest":"434fb1338ecfaf0f59256f30dde4968f",)"
                R"("sector_size":1})"),
       }) {
    const auto manifest = read_manifest(text);
    ASSERT_FALSE(manifest) << text;
    test::expect_whole_error(manifest.error(), text);
    EXPECT_EQ(manifest.error().file, "m.json");
  }
}

TEST(Manifest, TheSectorSizeIsThatOfTheCircuit) {
  for (const char* extension : {".params", ".vk"}) {
    const std::string name = parameter_stem(*find_circuit("porep-2KiB")) + extension;
    const auto text_of = [&name](const char* size) {
      return R"({")" + name + R"(":{"cid":"Q","digest":"434fb1338ecfaf0f59256f30dde4968f",)" +
             R"("sector_size":)" + size + "}}";
    };
    EXPECT_TRUE(read_manifest(text_of("2048")));
    const std::string text = text_of("4096");
    const auto other = read_manifest(text);
    ASSERT_FALSE(other);
    test::expect_whole_error(other.error());
    EXPECT_EQ(other.error().section, name + ".sector_size");
    EXPECT_EQ(other.error().offset, text.rfind("4096"));
    EXPECT_EQ(other.error().expected, "2048 (2KiB)");
    EXPECT_EQ(other.error().found, "4096");
  }
}

TEST(Manifest, EveryTruncationIsRefused) {
  const std::string whole = with(kEntry);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto cut = read_manifest(whole.substr(0, size));
    ASSERT_FALSE(cut) << size;
    test::expect_whole_error(cut.error(), whole.substr(0, size));
  }
}

}  // namespace
}  // namespace belfry::filecoin
