// SPDX-License-Identifier: Apache-2.0
#include "act/plan.h"

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/test_dir.h"
#include "report/facts.h"

namespace twinsift {
namespace {

using namespace std::string_literals;

FileProof proof(const std::string& path, std::uint64_t inode) {
  return {.path = path,
          .size = 5,
          .mtime_ns = 1'769'860'800'123'456'789,
          .device = 18'446'744'073'709'551'615U,
          .inode = inode,
          .digest = "0f343b0931126a20f133d67c2b018a3b"};
}

PlannedAction usual_action() {
  return {.group = 7,
          .action = Action::kQuarantine,
          .loser = proof("/home/a/copy.txt", 12),
          .keeper = proof("/home/a/best.txt", 9'007'199'254'740'993),
          .exact = true,
          .score = 1,
          .detector = "bytes",
          .rule = "oldest",
          .reviewed = true,
          .companions = {proof("/home/a/copy.xmp", 14)},
          .lacks = {"fact gps: 48.2, 16.4", "older by 3 days"}};
}

Plan usual_plan() {
  return {.header = {.version = "0.1.0",
                     .created = "2026-01-31T12:00:00Z",
                     .command = "twinsift plan r.json --keep 'oldest, first'",
                     .threshold = 0.8,
                     .keep = "oldest, first",
                     .protect = {"/home/a/Master"},
                     .items = 1204},
          .actions = {usual_action()}};
}

std::string text_of(const Plan& plan) {
  std::string text = plan_header_line(plan.header);
  for (const PlannedAction& action : plan.actions) text += plan_action_line(action);
  return text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.rfind(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
  const auto plan = parse_plan(text, "p.ndjson");
  return plan ? "" : plan.error().message;
}

// The usual plan with one piece of its last line changed.
std::string error_with(std::string_view from, std::string_view to) {
  return error_of(replaced(text_of(usual_plan()), from, to));
}

TEST(PlanFile, IsOneLineForTheRunAndOneForEachFileThatGoes) {
  EXPECT_EQ(text_of(usual_plan()),
            R"({"v":1,"type":"plan","version":"0.1.0","created":"2026-01-31T12:00:00Z",)"
            R"("command":"twinsift plan r.json --keep 'oldest, first'","threshold":0.800000,)"
            R"("keep":"oldest, first","protect":[{"path":"/home/a/Master"}],"items":1204})"
            "\n"
            R"({"v":1,"type":"action","group":7,"action":"quarantine",)"
            R"("loser":{"path":"/home/a/copy.txt","size":5,)"
            R"("mtime":"2026-01-31T12:00:00.123456789Z","device":"18446744073709551615",)"
            R"("inode":"12","digest":"0f343b0931126a20f133d67c2b018a3b"},)"
            R"("keeper":{"path":"/home/a/best.txt","size":5,)"
            R"("mtime":"2026-01-31T12:00:00.123456789Z","device":"18446744073709551615",)"
            R"("inode":"9007199254740993","digest":"0f343b0931126a20f133d67c2b018a3b"},)"
            R"("exact":true,"score":1.000000,"detector":"bytes","rule":"oldest","reviewed":true,)"
            R"("companions":[{"path":"/home/a/copy.xmp","size":5,)"
            R"("mtime":"2026-01-31T12:00:00.123456789Z","device":"18446744073709551615",)"
            R"("inode":"14","digest":"0f343b0931126a20f133d67c2b018a3b"}],)"
            R"("lacks":["fact gps: 48.2, 16.4","older by 3 days"]})"
            "\n");
}

TEST(PlanFile, IsReadBackAsItWas) {
  const std::string text = text_of(usual_plan());
  const auto plan = parse_plan(text, "p");
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->header.protect, usual_plan().header.protect);
  EXPECT_EQ(plan->header.items, 1204U);
  ASSERT_EQ(plan->actions.size(), 1U);
  EXPECT_EQ(plan->actions[0].loser.device, 18'446'744'073'709'551'615U);
  EXPECT_EQ(plan->actions[0].keeper.inode, 9'007'199'254'740'993U);
  EXPECT_EQ(plan->actions[0].keeper.mtime_ns, 1'769'860'800'123'456'789);
  EXPECT_EQ(text_of(*plan), text);
}

RC_GTEST_PROP(PlanFile, AnyNamesAndTimesAreReadBack,
              (std::string name, std::int64_t mtime, std::uint64_t size, const std::string& lack)) {
  std::erase_if(name, [](char c) { return c == '\0' || c == '/'; });
  PlannedAction action = usual_action();
  action.loser.path = "/x" + name;
  action.loser.mtime_ns = mtime;
  action.loser.size = action.keeper.size = size;
  action.lacks = {lack};
  const std::string text = text_of({.header = usual_plan().header, .actions = {action}});
  const auto plan = parse_plan(text, "p");
  RC_ASSERT(plan.has_value());
  RC_ASSERT(plan->actions[0].loser.path == action.loser.path);
  RC_ASSERT(plan->actions[0].loser.mtime_ns == mtime);
  RC_ASSERT(plan->actions[0].loser.size == size);
  RC_ASSERT(text_of(*plan) == text);
}

TEST(PlanFile, TheEarliestAndTheLatestTimeAreReadBack) {
  for (const std::int64_t ns : {INT64_MIN, INT64_MIN + 1, std::int64_t{-1}, std::int64_t{0},
                                std::int64_t{-1'000'000'000}, INT64_MAX}) {
    EXPECT_EQ(parse_utc_time(utc_time(ns)), ns);
  }
  for (const std::string_view bad :
       {"", "2026-01-31", "2026-02-30T12:00:00.000000000Z", "2026-01-31T24:00:00.000000000Z",
        "2300-01-01T00:00:00.000000000Z", "1600-01-01T00:00:00.000000000Z",
        "2026-01-31T12:00:00.00000000+Z", "2026-01-31 12:00:00.000000000Z"}) {
    EXPECT_EQ(parse_utc_time(bad), std::nullopt) << bad;
  }
}

TEST(PlanFile, NamesThatAreNoUtf8StandThereTwice) {
  Plan plan = usual_plan();
  plan.actions[0].loser.path = "/home/caf\xE9";
  const std::string text = text_of(plan);
  EXPECT_NE(text.find(R"("path":"/home/caf\\xe9","path_b64":"L2hvbWUvY2Fm6Q==")"),
            std::string::npos)
      << text;
  EXPECT_EQ(parse_plan(text, "p")->actions[0].loser.path, "/home/caf\xE9");
  EXPECT_EQ(error_of(replaced(text, R"(/caf\\xe9)", "/other")),
            "p.ndjson line 2: field \"loser.path_b64\" and field \"loser.path\" name different "
            "files");
  EXPECT_EQ(error_of(replaced(text, "6Q==", "6Q")),
            "p.ndjson line 2: field \"loser.path_b64\" is not base64");
}

TEST(PlanFile, ALineThatLacksPartOfItsProofIsRefusedByName) {
  const std::string text = text_of(usual_plan());
  for (const std::string field :
       {R"("size":5,)", R"("mtime":"2026-01-31T12:00:00.123456789Z",)",
        R"("device":"18446744073709551615",)", R"("inode":"14",)", R"("exact":true,)",
        R"("score":1.000000,)", R"("detector":"bytes",)", R"("rule":"oldest",)",
        R"("reviewed":true,)", R"("group":7,)", R"("action":"quarantine",)"}) {
    const std::string name = field.substr(1, field.find(':') - 2);
    const std::string error = error_of(replaced(text, field, ""));
    EXPECT_TRUE(error.starts_with("p.ndjson line 2: field \"")) << error;
    EXPECT_TRUE(error.ends_with(name + "\" is missing")) << error;
  }
  EXPECT_EQ(error_with(R"(,"digest":"0f343b0931126a20f133d67c2b018a3b")", ""),
            "p.ndjson line 2: field \"companions[0].digest\" is missing");
}

TEST(PlanFile, AFieldOfTheWrongKindIsRefusedByName) {
  EXPECT_EQ(error_with(R"("size":5)", R"("size":-5)"),
            "p.ndjson line 2: field \"companions[0].size\" is not a whole number from 0 on");
  EXPECT_EQ(error_with(R"("size":5)", R"("size":"5")"),
            "p.ndjson line 2: field \"companions[0].size\" is not a whole number from 0 on");
  EXPECT_EQ(error_with(R"("inode":"14")", R"("inode":14)"),
            "p.ndjson line 2: field \"companions[0].inode\" is not a string");
  EXPECT_EQ(error_with(R"("inode":"14")", R"("inode":"14x")"),
            "p.ndjson line 2: field \"companions[0].inode\" is not a string of digits");
  EXPECT_EQ(error_with("018a3b", "018A3B"),
            error_with("018a3b", "018a3"));  // neither is 32 hexadecimal digits
  EXPECT_EQ(error_with("018a3b", "018a3"),
            "p.ndjson line 2: field \"companions[0].digest\" is not 32 hexadecimal digits");
  EXPECT_EQ(error_with("2026-01-31T", "2026-02-31T"),
            "p.ndjson line 2: field \"companions[0].mtime\" is not a time such as "
            "2026-01-31T12:00:00.123456789Z");
  EXPECT_EQ(error_with("1.000000", "1.5"),
            "p.ndjson line 2: field \"score\" is not between 0 and 1");
  EXPECT_EQ(error_with(R"("reviewed":true)", R"("reviewed":"yes")"),
            "p.ndjson line 2: field \"reviewed\" is not true or false");
  EXPECT_EQ(error_with(R"(["fact gps: 48.2, 16.4","older by 3 days"])", "[1]"),
            "p.ndjson line 2: field \"lacks\" holds something that is not a string");
  EXPECT_EQ(error_with(R"("quarantine")", R"("delete")"),
            "p.ndjson line 2: field \"action\" is unknown: \"delete\" is no action; choose one of "
            "quarantine, hardlink, symlink, reflink, delete-list");
}

TEST(PlanFile, APathThatIsNotPlainAndAbsoluteIsRefused) {
  for (const std::string_view path : {"home/a/copy.txt", "/home/../a/copy.txt", "/home/./copy.txt",
                                      "/home//copy.txt", "/home/copy.txt/..", "/home/copy.txt/"}) {
    EXPECT_EQ(error_with("/home/a/copy.txt", path),
              "p.ndjson line 2: field \"loser.path\" is not an absolute path without '.', '..' and "
              "'//'")
        << path;
  }
  EXPECT_EQ(error_with("/home/a/copy.txt", R"(/home/a\u0000b)"),
            "p.ndjson line 2: field \"loser.path\" holds a NUL, which no path can");
  EXPECT_EQ(error_with("/home/a/copy.txt", ""), "p.ndjson line 2: field \"loser.path\" is empty");
}

TEST(PlanFile, AProofThatContradictsItselfIsRefused) {
  EXPECT_EQ(error_with("/home/a/best.txt", "/home/a/copy.txt"),
            "p.ndjson line 2: field \"keeper\" is the same file as the one that would go");
  EXPECT_EQ(error_with("9007199254740993", "12"),
            "p.ndjson line 2: field \"keeper\" is the same file as the one that would go");
  EXPECT_EQ(error_with("/home/a/copy.xmp", "/home/a/best.txt"),
            "p.ndjson line 2: field \"companions\" names the keeper or the loser");
  PlannedAction action = usual_action();
  action.keeper.digest[0] = 'f';
  EXPECT_EQ(error_of(text_of({.header = usual_plan().header, .actions = {action}})),
            "p.ndjson line 2: field \"exact\" is true, but sizes or digests differ; make a new "
            "plan");
}

TEST(PlanFile, AFieldThatStandsThereTwiceIsRefused) {
  EXPECT_EQ(error_with(R"("rule":"oldest")", R"("rule":"oldest","rule":"newest")"),
            "p.ndjson line 2: field \"rule\" stands there twice");
}

TEST(PlanFile, FieldsThatCameLaterArePassedOver) {
  EXPECT_EQ(error_with(R"("rule":"oldest")", R"("rule":"oldest","colour":{"a":[1]})"), "");
}

TEST(PlanFile, TheFirstLineAndOnlyThatIsTheHeader) {
  const Plan plan = usual_plan();
  const std::string header = plan_header_line(plan.header);
  const std::string action = plan_action_line(plan.actions[0]);
  EXPECT_EQ(error_of(action),
            "p.ndjson line 1: field \"type\" is not \"plan\", which the first "
            "line must be");
  EXPECT_EQ(error_of(header + header), "p.ndjson line 2: field \"type\" is \"plan\" a second time");
  EXPECT_EQ(error_of(""), "p.ndjson: not a plan; 'twinsift plan' makes one");
  EXPECT_EQ(error_of("\n \r\n"), "p.ndjson: not a plan; 'twinsift plan' makes one");
  EXPECT_EQ(error_of("\xEF\xBF\n"), "p.ndjson line 1: not UTF-8");
  EXPECT_EQ(error_of("[]\n"), "p.ndjson line 1: not a JSON object");
  EXPECT_EQ(error_of(replaced(header, "\"v\":1", "\"v\":2")),
            "p.ndjson line 1: field \"v\" is not 1; a newer twinsift may read it");
}

TEST(PlanFile, WhatEditorsLeaveBehindDoesNoHarm) {
  const Plan plan = usual_plan();
  std::string text = text_of(plan);
  text.pop_back();  // the last newline
  EXPECT_EQ(error_of(text), "");
  EXPECT_EQ(error_of(replaced(text, "}\n{", "}\r\n\r\n \n{")), "");
}

// Half a plan is none: wherever it was cut, either the cut line is refused or it was whole.
TEST(PlanFile, APlanThatWasCutShortIsRefusedOrEndsWithAWholeLine) {
  const std::string text = text_of(usual_plan());
  const std::size_t header = text.find('\n');
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto plan = parse_plan(std::string_view(text).substr(0, length), "p");
    const bool whole = length == header || length == header + 1 || length + 1 == text.size();
    EXPECT_EQ(plan.has_value(), whole) << length;
    if (plan && length <= header + 1) {
      EXPECT_TRUE(plan->actions.empty());
    }
  }
}

// One flipped bit is refused, or it is seen in what was read.
TEST(PlanFile, AFlippedBitIsNeverOverlookedInAProof) {
  const std::string text = text_of(usual_plan());
  const std::size_t score = text.find("1.000000");  // a shorter spelling is the same number
  for (std::size_t at = text.find('\n') + 1; at + 1 < text.size(); ++at) {
    if (at >= score && at < score + 8) continue;
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string flipped = text;
      flipped[at] = static_cast<char>(static_cast<unsigned char>(flipped[at]) ^ (1U << bit));
      const auto plan = parse_plan(flipped, "p");
      if (plan) {
        EXPECT_NE(text_of(*plan), text) << at << ' ' << bit;
      }
    }
  }
}

TEST(PlanFile, HostileTextIsRefusedAndNeverHeldWhole) {
  const std::string header = plan_header_line(usual_plan().header);
  EXPECT_EQ(error_of(header + std::string(2000, '[') + std::string(2000, ']') + "\n"),
            "p.ndjson line 2: nested too deeply");
  EXPECT_EQ(error_of(header + std::string((1U << 20U) + 1, ' ') + "\n"),
            "p.ndjson line 2: longer than 1048576 bytes");
  EXPECT_EQ(error_of(header + "\n\n\"" + std::string(2U << 20U, 'x')),
            "p.ndjson line 4: longer than 1048576 bytes");
  EXPECT_EQ(error_of(header + "\0\0\n"s), "p.ndjson line 2: not valid JSON");
  EXPECT_EQ(error_of(header + R"({"v":1,"type":"action","group":1e999})" + "\n"),
            "p.ndjson line 2: a number is malformed or out of range");
}

TEST(PlanFile, IsReadFromAFileOfAnyLength) {
  const TestDir folder;
  Plan plan = usual_plan();
  for (std::uint64_t i = 0; i < 1000; ++i) {
    PlannedAction action = usual_action();
    action.group = i;
    action.loser.path += std::string(i % 97, 'x');
    plan.actions.push_back(action);
  }
  const std::string path = folder.write("plan.ndjson", text_of(plan));
  const auto read = read_plan(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(text_of(*read), text_of(plan));
  const auto endless = read_plan("/dev/zero");
  ASSERT_FALSE(endless);
  EXPECT_EQ(endless.error().message, "/dev/zero line 1: longer than 1048576 bytes");
  EXPECT_EQ(read_plan(folder / "none").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace twinsift
