#include "belfry/trace/log.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <sstream>
#include <string>
#include <string_view>

namespace belfry::trace {
namespace {

TEST(Level, NamesAreReadBack) {
  for (const Level level :
       {Level::kDebug, Level::kInfo, Level::kWarning, Level::kError, Level::kOff}) {
    EXPECT_EQ(parse_level(to_string(level)).value(), level);
  }
  for (const char* word : {"", "Info", "verbose", "warning"}) {
    EXPECT_EQ(parse_level(word).error().code, ErrorCode::kInvalidUsage) << word;
  }
}

TEST(RenderLine, TextQuotesWhatWouldBlur) {
  EXPECT_EQ(render_line(LogFormat::kText, "proof done",
                        {{"partitions", 10}, {"seconds", 1.5}, {"file", "a b"}, {"note", ""}}),
            R"(proof done partitions=10 seconds=1.5 file="a b" note="")");
}

TEST(RenderLine, JsonEscapes) {
  EXPECT_EQ(render_line(LogFormat::kJson, "say \"hi\"\n", {{"path", "C:\\x\t"}, {"n", -3}}),
            R"("message":"say \"hi\"\n","path":"C:\\x\t","n":"-3")");
}

TEST(JsonQuote, AnyBytesBecomeOneValidString) {
  std::string all;
  for (int c = 0; c < 256; ++c) all.push_back(static_cast<char>(c));
  const std::string_view samples[] = {all,
                                      "",
                                      "\x01",
                                      "\xC3\xA9",
                                      "\xC3",
                                      "\xED\xA0\x80",
                                      "\xE2\x82",
                                      "\xF0\x9F\x98\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xC0\xAF"};
  for (const std::string_view text : samples) {
    simdjson::dom::parser parser;
    simdjson::padded_string json(json_quote(text));
    std::string_view parsed;
    EXPECT_EQ(parser.parse(json).get(parsed), simdjson::SUCCESS) << json;
  }
}

TEST(JsonQuote, KeepsUnicodeAndReplacesTheRest) {
  EXPECT_EQ(json_quote("\xC3\xA9\xF0\x9F\x98\x80"), "\"\xC3\xA9\xF0\x9F\x98\x80\"");
  EXPECT_EQ(json_quote("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(json_quote(std::string_view("\0", 1)), R"("\u0000")");
}

TEST(Log, WritesToStderrFromItsLevelOn) {
  testing::internal::CaptureStderr();
  {
    Log log(Level::kInfo, LogFormat::kText);
    EXPECT_FALSE(log.enabled(Level::kDebug));
    EXPECT_TRUE(log.enabled(Level::kError));
    log.write("engine", Level::kDebug, "hidden");
    log.write("engine", Level::kInfo, "shown", {{"k", 1}});
    log.write("groth16", Level::kError, "shown too");
  }
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(text.find("hidden"), std::string::npos);
  EXPECT_NE(text.find(" info engine: shown k=1\n"), std::string::npos) << text;
  EXPECT_NE(text.find(" error groth16: shown too\n"), std::string::npos) << text;
}

TEST(Log, JsonLinesParse) {
  testing::internal::CaptureStderr();
  {
    Log log(Level::kInfo, LogFormat::kJson);
    log.write("engine", Level::kInfo, "proof \"done\"", {{"file", "a\nb"}});
  }
  const simdjson::padded_string line(testing::internal::GetCapturedStderr());
  simdjson::dom::parser parser;
  const simdjson::dom::element root = parser.parse(line);
  EXPECT_EQ(std::string_view(root["level"]), "info");
  EXPECT_EQ(std::string_view(root["room"]), "engine");
  EXPECT_EQ(std::string_view(root["message"]), "proof \"done\"");
  EXPECT_EQ(std::string_view(root["file"]), "a\nb");
  EXPECT_EQ(std::string_view(root["time"]).size(),
            std::string_view("2026-01-01T00:00:00.000Z").size());
}

TEST(Log, OffIsSilent) {
  testing::internal::CaptureStderr();
  {
    Log log(Level::kOff, LogFormat::kText);
    log.write("engine", Level::kError, "hidden");
    log.write("engine", Level::kOff, "hidden");
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace belfry::trace
