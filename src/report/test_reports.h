// SPDX-License-Identifier: Apache-2.0
// Reports for tests, written and read again.
#pragma once

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "report/import.h"
#include "report/test_evidence.h"

namespace twinsift {

inline Report imported(std::string_view bytes) {
  auto report = import_report(bytes, "r");
  EXPECT_TRUE(report) << report.error().message;
  return report ? *std::move(report) : Report{};
}

inline std::string error_of(std::string_view bytes) {
  const auto report = import_report(bytes, "r");
  return report ? "" : report.error().message;
}

inline std::string written(std::string_view format, const Report& report) {
  std::string out;
  auto reporter = make_reporter(format, {}, [&](std::string_view bytes) {
    out += bytes;
    return true;
  });
  (*reporter)->begin(report.run);
  write_report(report, **reporter);
  return out;
}

inline Report own_report() {
  Report report;
  report.run = {.version = "0.1.0",
                .command = "twinsift find 'a b'",
                .started = "2026-01-31T12:00:00Z",
                .threshold = 0.8,
                .recall = 0.99,
                .level = "same",
                .detectors = {"text1:words:5", "fss1:k=256"},
                .guarantee = "P(found at 0.80) >= 0.99",
                .threads = 2,
                .folder = "/home/caf\xE9"};
  Group group{.id = 1, .medium = "text", .score = 0.9, .members = {}, .pairs = {}};
  group.members = {
      {.path = "docs/a \"b\"\n.txt",
       .size = 8123,
       .mtime_ns = 1'769'860'800'123'456'789,
       .digest = std::string(32, 'a'),
       .facts = {{"tokens", "1204"}, {"charset", "UTF-8"}},
       .links = {"docs/\xFF"},
       .reference = true},
      {.path = "caf\xE9", .size = 8000, .mtime_ns = -1, .digest = std::string(32, 'b')}};
  MemberPair pair;
  pair.b = 1;
  pair.score = 0.9;
  pair.relation = Relation::kContains;
  pair.evidence = {0.9, 0.95, 1, 700, 714, 707, {}, {}};
  group.pairs = {pair};
  report.groups = {group};
  report.folders.push_back(
      {"holiday", "back\xFF/", Relation::kContained, 0.5, 1, 0.5, 12, 0, 5, 3400000, 0, 999999});
  report.skipped.push_back({"secret\n.txt", "permission denied", "It could not be opened."});
  report.notes = {"One disk was read only."};
  report.stages = {{"walk", 1204, 9000000, 0.25, {}},
                   {"index", 1204, 0, 1.5, {{"candidates", 17}}}};
  report.peak_rss = 123456;
  return report;
}

}  // namespace twinsift
