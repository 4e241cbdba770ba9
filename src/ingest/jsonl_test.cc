// SPDX-License-Identifier: Apache-2.0
#include "ingest/jsonl.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/escape.h"
#include "base/utf8.h"

namespace twinsift {
namespace {

// A parser and copies of what it said, so that temporaries can be parsed.
struct Parser {
  explicit Parser(const std::string& text_field = "text", const std::string& id_field = "")
      : format(*make_jsonl_format(text_field, id_field)) {}

  Outcome parse(std::string line) {
    const std::size_t size = line.size();
    line.append(kPadding, '~');  // anything may stand there
    const Outcome outcome = format->parse(std::string_view(line).substr(0, size), document, reason);
    if (outcome == Outcome::kDocument) {
      text = document.text;
      id = document.id;
    }
    return outcome;
  }
  // What is wrong with a line; empty if nothing is.
  std::string complaint(std::string line) {
    return parse(std::move(line)) == Outcome::kMalformed ? reason : "";
  }

  std::unique_ptr<RecordFormat> format;
  Document document;
  std::string reason;
  std::string text;
  std::string id;
};

TEST(Jsonl, GivesTheTextUnescaped) {
  Parser parser;
  EXPECT_EQ(parser.parse(R"({"a":[1,{"text":0}],"text":"x\n\"\u00e9\ud83d\ude00\u0000y"})"),
            Outcome::kDocument);
  EXPECT_EQ(parser.text, std::string("x\n\"\u00e9\U0001F600\0y", 11));
  EXPECT_FALSE(parser.document.repaired);
}

TEST(Jsonl, BlankLinesAreNoRecords) {
  Parser parser;
  for (const char* line : {"", "\n", "\r\n", " \t \r\n"}) {
    EXPECT_EQ(parser.parse(line), Outcome::kBlank);
  }
}

TEST(Jsonl, LineEndsAndBlanksAroundTheObjectDoNotMatter) {
  Parser parser;
  for (const char* line : {"{\"text\":\"x\"}", "{\"text\":\"x\"}\n", " {\"text\":\"x\"} \r\n"}) {
    EXPECT_EQ(parser.parse(line), Outcome::kDocument);
    EXPECT_EQ(parser.text, "x");
  }
}

TEST(Jsonl, BrokenLinesAreMalformedWithTheReason) {
  Parser parser;
  EXPECT_EQ(parser.complaint(R"({"text":"x")"), "not valid JSON");
  EXPECT_EQ(parser.complaint(R"({"text":"x"} x)"), "not valid JSON");
  EXPECT_EQ(parser.complaint(R"({"text":"x"}{"text":"y"})"), "not valid JSON");
  EXPECT_EQ(parser.complaint(R"({"text":"x","a":[1,2})"), "not valid JSON");
  EXPECT_EQ(parser.complaint(R"({"text":"x","a":01})"), "a number is malformed or out of range");
  EXPECT_EQ(parser.complaint(R"({"text":"x)"), "a string is not closed");
  EXPECT_EQ(parser.complaint(R"({"text":"\x"})"), "invalid escape in a string");
  EXPECT_EQ(parser.complaint("{\"text\":\"a\tb\"}"), "control character in a string");
  EXPECT_EQ(parser.complaint(std::string("{\"text\":\"a\0b\"}", 14)),
            "control character in a string");
  EXPECT_EQ(parser.complaint(std::string("{\"text\":\0\"ab\"}", 14)), "not valid JSON");
  EXPECT_EQ(parser.complaint(std::string(100, '\0')), "not valid JSON");
  EXPECT_EQ(parser.complaint(R"([{"text":"x"}])"), "not a JSON object");
  EXPECT_EQ(parser.complaint(R"("text")"), "not a JSON object");
  EXPECT_EQ(parser.complaint(R"({"txt":"x"})"), "no field \"text\"");
  EXPECT_EQ(parser.complaint(R"({"text":17})"), "field \"text\" is not a string");
  EXPECT_EQ(parser.complaint(R"({"text":null})"), "field \"text\" is not a string");
}

TEST(Jsonl, TruncationAtEveryLengthIsMalformed) {
  Parser parser;
  const std::string line = R"({"text":"a\u00e9\ud83d\ude00","b":[1.5e3,true,null,{"c":""}]})";
  for (std::size_t length = 1; length < line.size(); ++length) {
    EXPECT_EQ(parser.parse(line.substr(0, length)), Outcome::kMalformed) << length;
  }
  EXPECT_EQ(parser.parse(line), Outcome::kDocument);
}

TEST(Jsonl, DeepNestingIsMalformedAndHarmless) {
  Parser parser;
  const auto nested = [](std::size_t depth) {
    return "{\"text\":\"x\",\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
  };
  EXPECT_EQ(parser.parse(nested(1000)), Outcome::kDocument);
  EXPECT_EQ(parser.complaint(nested(1100)), "nested too deeply");
  EXPECT_EQ(parser.complaint(nested(1'000'000)), "nested too deeply");
  EXPECT_EQ(parser.parse(nested(3)), Outcome::kDocument);
}

TEST(Jsonl, InvalidUtf8IsReadAsReplacementCharacters) {
  Parser parser;
  EXPECT_EQ(parser.parse("{\"text\":\"a\xFF\xE2\x82z\xC0\xAF\"}"), Outcome::kDocument);
  EXPECT_EQ(parser.text, "a\uFFFD\uFFFDz\uFFFD\uFFFD");
  EXPECT_TRUE(parser.document.repaired);
  EXPECT_EQ(parser.parse("{\"text\":\"b\"}"), Outcome::kDocument);
  EXPECT_FALSE(parser.document.repaired);
}

TEST(Jsonl, LoneSurrogatesAreReadAsReplacementCharacters) {
  Parser parser;
  EXPECT_EQ(parser.parse(R"({"text":"a\ud800b\udc00\ud800\u0041\ud800\ud83d\ude00\\ud800"})"),
            Outcome::kDocument);
  EXPECT_EQ(parser.text, "a\uFFFDb\uFFFD\uFFFDA\uFFFD\U0001F600\\ud800");
  EXPECT_TRUE(parser.document.repaired);
}

TEST(Jsonl, FieldsMayBePathsOrPointers) {
  const std::string line = R"({"a":{"b":["x","y"],"c.d":"z","e/f~g":"w"},"b.c":"v"})";
  const auto text_at = [&line](const std::string& field) {
    Parser parser(field);
    return parser.parse(line) == Outcome::kDocument ? parser.text : parser.reason;
  };
  EXPECT_EQ(text_at("a.b.1"), "y");
  EXPECT_EQ(text_at("/a/b/0"), "x");
  EXPECT_EQ(text_at("/a/c.d"), "z");
  EXPECT_EQ(text_at("/a/e~1f~0g"), "w");
  EXPECT_EQ(text_at("/b.c"), "v");
  EXPECT_EQ(text_at("a.b.2"), "no field \"a.b.2\"");
  EXPECT_EQ(text_at("a.b.x"), "no field \"a.b.x\"");
  EXPECT_EQ(text_at("a.b.0.c"), "no field \"a.b.0.c\"");
  EXPECT_EQ(text_at("a.b"), "field \"a.b\" is not a string");
  EXPECT_FALSE(make_jsonl_format("/a~2", ""));
  EXPECT_FALSE(make_jsonl_format("text", "/~"));
}

TEST(Jsonl, IdsAreValidJsonTokens) {
  Parser parser("text", "meta.id");
  const auto id_of = [&parser](const std::string& id) {
    const std::string line = "{\"meta\":{\"x\":[0],\"id\": " + id + " },\"text\":\"x\"}";
    return parser.parse(line) == Outcome::kDocument ? parser.id : parser.reason;
  };
  for (const char* number : {"0", "-0", "17", "-9223372036854775808", "18446744073709551615", "1.0",
                             "1.50", "-1E+05", "1e-7", "0.1000000000000000055511151231257827"}) {
    EXPECT_EQ(id_of(number), number);
  }
  EXPECT_EQ(id_of(R"("a\u0022\n\\\u00e9")"), "\"a\\\"\\n\\\\\u00e9\"");
  EXPECT_EQ(id_of("\"\""), "\"\"");
  EXPECT_EQ(id_of("true"), "field \"meta.id\" is neither a string nor a number");
  EXPECT_EQ(id_of("[1]"), "field \"meta.id\" is neither a string nor a number");
  EXPECT_EQ(parser.complaint(R"({"text":"x"})"), "no field \"meta.id\"");
}

TEST(Jsonl, LongLinesBetweenShortOnesAreRead) {
  Parser parser("text", "id");
  for (const std::size_t size : {10U, 10'000'000U, 10U, 20'000'000U, 10U}) {
    ASSERT_EQ(parser.parse("{\"id\":1.5,\"text\":\"" + std::string(size, 'x') + "\"}"),
              Outcome::kDocument);
    EXPECT_EQ(parser.text.size(), size);
    EXPECT_EQ(parser.id, "1.5");
  }
}

RC_GTEST_PROP(Jsonl, StringsSurviveBeingWrittenAndRead, (const std::string& bytes)) {
  std::string text;
  append_repaired_utf8(bytes, text);
  std::string line = "{\"text\":";
  json_string(text, line);
  Parser parser;
  RC_ASSERT(parser.parse(line + "}") == Outcome::kDocument);
  RC_ASSERT(parser.text == text);
  RC_ASSERT(!parser.document.repaired);
}

}  // namespace
}  // namespace twinsift
