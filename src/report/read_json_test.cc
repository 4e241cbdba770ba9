// SPDX-License-Identifier: Apache-2.0
// Our own reports, read back.
#include <gtest/gtest.h>

#include "report/test_reports.h"

namespace twinsift {
namespace {

TEST(ReadReport, OurOwnJsonAndNdjsonAreReadBackAsTheyWere) {
  const Report report = own_report();
  const std::string json = written("json", report);
  EXPECT_EQ(written("json", imported(json)), json);
  EXPECT_EQ(written("json", imported(written("ndjson", report))), json);
  EXPECT_EQ(imported(json).groups[0].members[1].path, "caf\xE9");
  EXPECT_EQ(imported(json).groups[0].members[0].links, (std::vector<std::string>{"docs/\xFF"}));
  EXPECT_EQ(written("json", imported("\xEF\xBB\xBF \n" + json)), json);
}

Report report_of_pictures() {
  Report report = own_report();
  report.groups[0].medium = "image";
  report.groups[0].pairs[0].evidence = picture_evidence();
  return report;
}

TEST(ReadReport, EvidenceOfPicturesIsReadBack) {
  const Report report = report_of_pictures();
  const std::string json = written("json", report);
  for (const std::string& text : {json, written("ndjson", report)}) {
    const Report read = imported(text);
    EXPECT_EQ(written("json", read), json);
    const Evidence& evidence = read.groups[0].pairs[0].evidence;
    EXPECT_EQ(evidence.bits, 7U);
    EXPECT_EQ(evidence.correlation, -0.25);
    EXPECT_TRUE(evidence.same_pixels);
    EXPECT_EQ(evidence.placement, report.groups[0].pairs[0].evidence.placement);
  }
  EXPECT_FALSE(imported(written("json", own_report())).groups[0].pairs[0].evidence.bits);
}

TEST(ReadReport, EvidenceOfPicturesThatMakesNoSenseIsRefusedByName) {
  const std::string json = written("json", report_of_pictures());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = json;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    const std::string error = error_of(text.replace(at, from.size(), to));
    const std::string_view prefix = "r: field \"groups[0].pairs[0].evidence.";
    EXPECT_TRUE(error.starts_with(prefix)) << error;
    return error.substr(std::min(error.size(), prefix.size()));
  };
  EXPECT_EQ(with("\"bits\":7", "\"bits\":257"), "bits\" is greater than 256");
  EXPECT_EQ(with("\"correlation\":-0.25", "\"correlation\":1.25"),
            "correlation\" is not between -1 and 1");
  EXPECT_EQ(with("\"turned\":-25.5", "\"turned\":-225.5"),
            "placement.turned\" is not between -180 and 180");
  EXPECT_EQ(with("\"a_to_b\":[2.000000,", "\"a_to_b\":["),
            "placement.a_to_b\" does not hold 9 numbers");
  EXPECT_EQ(with("\"frame_of_b\":[[0.250000,0.000000],", "\"frame_of_b\":["),
            "placement.frame_of_b\" does not hold four corners");
  EXPECT_EQ(with("\"frame_of_b\":[[0.250000,0.000000]", "\"frame_of_b\":[17"),
            "placement.frame_of_b\" holds something that is not a place such as [0.5,0.5]");
  EXPECT_EQ(with("\"points\":[{\"a\":[0.125000,", "\"points\":[{\"a\":[\"x\","),
            "placement.points[0].a\" holds something that is not a number");
}

Report report_of_recordings() {
  Report report = own_report();
  report.groups[0].medium = "video";
  report.groups[0].pairs[0].evidence = recording_evidence();
  report.groups[0].pairs[0].relation = Relation::kLinked;
  report.links = {{.a = "caf\xE9.mkv",
                   .b = "b\n.mkv",
                   .medium = "video",
                   .score = 0.625,
                   .relation = Relation::kLinked,
                   .sound = {},
                   .film = recording_evidence().film},
                  {.a = "1.flac",
                   .b = "2.flac",
                   .medium = "audio",
                   .score = 0.75,
                   .relation = Relation::kContains,
                   .sound = recording_evidence().sound,
                   .film = {}}};
  return report;
}

TEST(ReadReport, TimelinesAndLinksAreReadBack) {
  const Report report = report_of_recordings();
  const std::string json = written("json", report);
  for (const std::string& text : {json, written("ndjson", report)}) {
    const Report read = imported(text);
    EXPECT_EQ(written("json", read), json);
    const MemberPair& pair = read.groups[0].pairs[0];
    EXPECT_EQ(pair.relation, Relation::kLinked);
    EXPECT_EQ(pair.evidence.sound, recording_evidence().sound);
    EXPECT_EQ(pair.evidence.film, recording_evidence().film);
    ASSERT_EQ(read.links.size(), 2U);
    EXPECT_EQ(read.links[0].a, "caf\xE9.mkv");
    EXPECT_EQ(read.links[0].b, "b\n.mkv");
    EXPECT_EQ(read.links[0].film, report.links[0].film);
    EXPECT_FALSE(read.links[0].sound);
    EXPECT_EQ(read.links[1].medium, "audio");
    EXPECT_EQ(read.links[1].score, 0.75);
    EXPECT_EQ(read.links[1].relation, Relation::kContains);
    EXPECT_EQ(read.links[1].sound, report.links[1].sound);
  }
  const std::string without = written("json", own_report());
  EXPECT_EQ(without.find("\n\"links\":["), std::string::npos) << "nothing is said of what is not";
  EXPECT_TRUE(imported(without).links.empty());
  EXPECT_FALSE(imported(without).groups[0].pairs[0].evidence.sound);
}

TEST(ReadReport, TimelinesThatMakeNoSenseAreRefusedByName) {
  const std::string json = written("json", report_of_recordings());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = json;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    const std::string error = error_of(text.replace(at, from.size(), to));
    const std::string_view prefix = "r: field \"groups[0].pairs[0].evidence.sound.";
    EXPECT_TRUE(error.starts_with(prefix)) << error;
    return error.substr(std::min(error.size(), prefix.size()));
  };
  EXPECT_EQ(with("\"seconds_a\":99.5", "\"seconds_a\":-99.5"),
            "seconds_a\" is not above 0 and at most 1000000000");
  EXPECT_EQ(with("\"speed\":1.25", "\"speed\":0.00"), "speed\" is not above 0 and at most 1000");
  EXPECT_EQ(with("\"pitch\":1.25", "\"pitch\":1001.25"), "pitch\" is not above 0 and at most 1000");
  EXPECT_EQ(with("\"agreement\":0.75", "\"agreement\":1.75"), "agreement\" is not between 0 and 1");
  const std::string odd = "stretches\" holds something that is not [begin_a,end_a,begin_b,end_b]";
  EXPECT_EQ(with("[[20.000000,45", "[[50.000000,45"), odd) << "it ends before it begins";
  EXPECT_EQ(with("[[20.000000,45", "[[-1,45"), odd);
  EXPECT_EQ(with("[[20.000000,45", "[[20.000000,20,45"), odd);
  EXPECT_EQ(with("[[20.000000,", "[[\"x\","), odd);
  EXPECT_EQ(with("[[20.000000,45.000000,0.500000,20.500000]", "[17"), odd);
}

TEST(ReadReport, AReportThatWasCutShortIsRefused) {
  const std::string json = written("json", report_of_recordings());
  for (std::size_t length = 1; length + 1 < json.size(); ++length) {
    EXPECT_FALSE(import_report(std::string_view(json).substr(0, length), "r")) << length;
  }
  std::string ndjson = written("ndjson", own_report());
  ndjson.resize(ndjson.rfind("{\"v\":1,\"type\":\"end\""));
  EXPECT_EQ(error_of(ndjson), "r: has no end; the run that wrote it was cut short");
}

TEST(ReadReport, WhatMakesNoSenseIsRefusedByName) {
  const std::string json = written("json", own_report());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = json;
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return error_of(text.replace(at, from.size(), to));
  };
  EXPECT_EQ(with("\"v\":1", "\"v\":2"), "r: field \"v\" is not 1; a newer twinsift may read it");
  EXPECT_EQ(with("\"a\":0,\"b\":1", "\"a\":0,\"b\":2"),
            "r: field \"groups[0].pairs[0].b\" is not the place of a member");
  EXPECT_EQ(with("\"size\":8123", "\"size\":-1"),
            "r: field \"groups[0].members[0].size\" is not a whole number from 0 on");
  EXPECT_EQ(with("\"relation\":\"contains\"", "\"relation\":\"likes\""),
            "r: field \"groups[0].pairs[0].relation\" is unknown");
  EXPECT_EQ(with("\"threshold\":0.8", "\"threshold\":8"),
            "r: field \"run.threshold\" is not between 0 and 1");
  EXPECT_EQ(with("\"tokens\":\"1204\"", "\"tokens\":1204"),
            "r: field \"groups[0].members[0].facts\" holds something that is not a string");
  EXPECT_EQ(with("\"id\":1", "\"id\":1,\"id\":1"), "r: field \"groups[0].id\" stands there twice");
  EXPECT_EQ(error_of(R"({"v":1,"type":"plan","version":"0.1.0"})"
                     "\n"),
            "r: is a plan, not a report");
}

}  // namespace
}  // namespace twinsift
