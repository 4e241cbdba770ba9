// SPDX-License-Identifier: Apache-2.0
#include "control_wire.h"

#include <gtest/gtest.h>

namespace twinsift::cli {
namespace {

TEST(ControlWire, CommandsAreReadAsTheyWereWritten) {
  const AskCommand ask{
      .number = 3,
      .question = {
          .detector = "text1:words:5", .set = {1, 2, UINT64_MAX}, .similarity = 0.85, .own = true}};
  const auto read = parse_command(line_of(ask));
  ASSERT_TRUE(read) << read.error().message;
  const auto* got = std::get_if<AskCommand>(&*read);
  ASSERT_NE(got, nullptr);
  EXPECT_EQ(got->number, 3U);
  EXPECT_EQ(got->question.detector, ask.question.detector);
  EXPECT_EQ(got->question.set, ask.question.set);
  EXPECT_EQ(got->question.similarity, 0.85);
  EXPECT_TRUE(got->question.own);
  EXPECT_TRUE(std::holds_alternative<StatusCommand>(*parse_command(line_of(StatusCommand{}))));
  EXPECT_TRUE(std::holds_alternative<PublishCommand>(*parse_command(line_of(PublishCommand{}))));
  EXPECT_TRUE(std::holds_alternative<StopCommand>(*parse_command(line_of(StopCommand{}))));
}

TEST(ControlWire, NoSetIsTakenThatIsNone) {
  for (const std::string_view set :
       {"", "AAAA", "AAAAAAAAAAA", "!!", "AQAAAAAAAAABAAAAAAAAAA==", "AgAAAAAAAAABAAAAAAAAAA=="}) {
    const std::string line =
        R"({"do":"ask","number":1,"detector":"d","similarity":0.5,"own":false,"set":")" +
        std::string(set) + "\"}";
    EXPECT_FALSE(parse_command(line)) << set;
  }
  for (const std::string_view line : {"", "{}", "[]", "null", R"({"do":"dance"})", R"({"do":1})",
                                      R"({"do":"stop","do":"stop"})", "{\"do\":\"st"}) {
    EXPECT_FALSE(parse_command(line)) << line;
  }
}

TEST(ControlWire, AnswersAreReadAsTheyWereWritten) {
  net::Answer answer;
  answer.entry.address = *net::parse_address("127.0.0.1:4222");
  answer.entry.resource.fill(0xAB);
  answer.shown.title = "a \"strange\"\nname \xff";
  answer.shown.detector = "shots1:av3:codes";
  answer.shown.begin_seconds = 1.5;
  answer.shown.end_seconds = 4.25;
  answer.similarity = 0.9375;
  const std::string line = answer_line(7, answer);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto read = parse_reply(line);
  ASSERT_TRUE(read) << read.error().message;
  const auto* got = std::get_if<AnswerLine>(&*read);
  ASSERT_NE(got, nullptr);
  EXPECT_EQ(got->number, 7U);
  EXPECT_EQ(got->similarity, 0.9375);
  EXPECT_EQ(got->address, "127.0.0.1:4222");
  EXPECT_EQ(got->title, "a \"strange\"\nname \xEF\xBF\xBD");
  EXPECT_EQ(got->begin_seconds, 1.5);
  EXPECT_EQ(got->end_seconds, 4.25);
}

TEST(ControlWire, ReportsAreReadAsTheyWereWritten) {
  const net::QuestionReport report{.labels = 5,
                                   .lookups = 6,
                                   .unreachable = 1,
                                   .entries = 40,
                                   .rejected = 2,
                                   .candidates = 9,
                                   .strangers = 4,
                                   .asked = 5,
                                   .exchanges = 3,
                                   .unshown = 1,
                                   .answers = 4,
                                   .seconds = 0.05,
                                   .kept = false,
                                   .why = "nobody answered"};
  const auto read = parse_reply(report_line(2, report));
  ASSERT_TRUE(read) << read.error().message;
  const auto* got = std::get_if<ReportLine>(&*read);
  ASSERT_NE(got, nullptr);
  EXPECT_EQ(report_line(2, got->report), report_line(2, report));
}

TEST(ControlWire, AnErrorIsAnError) {
  const auto read = parse_reply(error_line("too many questions"));
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message, "too many questions");
}

}  // namespace
}  // namespace twinsift::cli
