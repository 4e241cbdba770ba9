// SPDX-License-Identifier: Apache-2.0
// Writes an HTML report for the browser test to standard output:
//   make_page        a small one with texts in many scripts and hostile names
//   make_page 20000  as many plain groups
//   make_page pictures  a picture, its mirror image with a patch of 40 x 20 pixels, a part, a copy
//   make_page recordings FOLDER  films and songs, whose files may lie in that folder
#include <cstdio>
#include <cstdlib>
#include <string>

#include "recording_groups.h"
#include "stored_png.h"
#include "twinsift/report.h"

namespace twinsift {
namespace {

Member member(std::string path, std::uint64_t size) {
  return {.path = std::move(path),
          .size = size,
          .mtime_ns = 1769860800123456789,
          .digest = std::string(32, 'a'),
          .facts = {{"format", "plain text"}, {"words", "1204"}},
          .links = {}};
}

Group titled(std::uint64_t id, std::string medium, double score) {
  Group group;
  group.id = id;
  group.medium = std::move(medium);
  group.score = score;
  return group;
}

Span span_of(const std::string& text, const std::string& part) {
  return {.begin = text.find(part), .length = part.size()};
}

MemberPair compared(std::string a, std::string b, const std::vector<std::string>& shared) {
  MemberPair pair;
  pair.b = 1;
  pair.score = 0.87;
  pair.text_a = std::move(a);
  pair.text_b = std::move(b);
  for (const std::string& part : shared) {
    pair.evidence.passages.push_back(
        {.a = span_of(pair.text_a, part), .b = span_of(pair.text_b, part), .words = 3});
  }
  pair.evidence.jaccard = 0.87;
  pair.evidence.containment_a = 0.91;
  pair.evidence.containment_b = 0.95;
  pair.evidence.shared = 500;
  pair.evidence.total_a = 550;
  pair.evidence.total_b = 526;
  if (!shared.empty()) pair.evidence.longest = pair.evidence.passages.front();
  return pair;
}

Group many_scripts() {
  const std::vector<std::string> shared = {
      "The quick brown fox \U0001F98A jumps",
      "\u543E\u8F29\u306F\u732B\u3067\u3042\u308B",
      "\u05E9\u05DC\u05D5\u05DD \u05E2\u05D5\u05DC\u05DD, \u0645\u0631\u062D\u0628\u0627",
      "e\u0301te\u0301 \U0001F468\u200D\U0001F469\u200D\U0001F467 \u0E01\u0E33\u0E25\u0E31\u0E07",
  };
  std::string filler;
  for (int i = 0; i < 60; ++i) filler += "Line " + std::to_string(i) + " is only in this text.\n";
  const std::string a = "Start of A.\n" + shared[0] + " over <b>it</b>.\n" + shared[1] +
                        "\u3002\n" + filler + shared[2] + "\n" + shared[3] + "\nEnd & out.\n";
  const std::string b = shared[3] + "\n" + filler.substr(0, 100) + "\n" + shared[2] + "\n" +
                        shared[1] + "\u3002\n</template><script>alert(2)</script>\n" + shared[0] +
                        "\n";
  Group group = titled(1, "text", 0.87);
  group.members = {member("essays/many scripts.txt", 8123),
                   member("drafts/many scripts 2.txt", 7000)};
  group.members[1].links = {"drafts/hard link.txt"};
  group.pairs.push_back(compared(a, b, shared));
  return group;
}

// One line of 300 KB, because browsers find long lines the hardest.
Group long_line() {
  std::string a;
  while (a.size() < 300'000) a += "word" + std::to_string(a.size()) + ' ';
  MemberPair pair = compared(a, a, {});
  for (std::uint64_t at = 0; at + 200 < a.size(); at += 300) {
    pair.evidence.passages.push_back({.a = {at, 200}, .b = {at, 200}, .words = 20});
  }
  Group group = titled(3, "text", 0.99);
  group.members = {member("long/one line.txt", 300'000), member("long/copy.txt", 300'000)};
  group.pairs.push_back(std::move(pair));
  return group;
}

Group hostile_names() {
  Group group = titled(2, "file", 1);
  group.members = {member("</script><script>alert(1)</script><img src=x onerror=alert(3)>", 5),
                   member("quotes \" ' & newline \n escape \x1b[2J", 5),
                   member("photo\u202Egpj.exe", 5), member("caf\xE9\xFF.txt", 5)};
  for (std::uint32_t i = 1; i < 4; ++i) {
    group.pairs.push_back({0, i, 1, true, Relation::kSame, {}, "", ""});
  }
  return group;
}

std::vector<Group> plain_groups(std::uint64_t count) {
  std::vector<Group> groups;
  for (std::uint64_t i = 1; i <= count; ++i) {
    const std::string name =
        "folder " + std::to_string(i % 97) + "/file " + std::to_string(i) + ".txt";
    Group group = titled(i, "text", 0.5 + 0.5 * static_cast<double>(i % 100) / 100);
    group.members = {member(name, 1000 + i), member("copy of " + name, 1000 + i)};
    group.pairs.push_back(compared("", "", {}));
    group.pairs[0].score = group.score;
    groups.push_back(std::move(group));
  }
  return groups;
}

constexpr std::uint32_t kWidth = 240;
constexpr std::uint32_t kHeight = 160;

std::array<std::uint8_t, 3> scene(std::uint32_t x, std::uint32_t y) {
  const bool block = x > 30 && x < 90 && y > 20 && y < 60;
  return {static_cast<std::uint8_t>(block ? 20 : 40 + x / 2),
          static_cast<std::uint8_t>(block ? 60 : 200 - y / 2),
          static_cast<std::uint8_t>(x / 2 + y)};
}

Member picture(std::string path, std::uint32_t width) {
  Member made = member(std::move(path), 9000);
  made.facts = {{"format", "png"},
                {"width", std::to_string(width)},
                {"height", "160"},
                {"camera", "<b>Kamera</b>"}};
  return made;
}

Placement placed(const std::array<double, 9>& a_to_b, const std::array<Point, 4>& frame) {
  Placement placement;
  placement.a_to_b = a_to_b;
  placement.frame_of_b = frame;
  placement.covered_a = placement.covered_b = 1;
  return placement;
}

Group pictures() {
  Group group = titled(1, "image", 0.8);
  group.members = {picture("photos/<img src=x onerror=alert(1)>.png", kWidth),
                   picture("photos/mirror\u202Egnp.png", kWidth), picture("caf\xE9/part.png", 120),
                   picture("copy.png", kWidth)};
  const std::string whole = stored_png(kWidth, kHeight, scene);
  const auto mirrored = [](std::uint32_t x, std::uint32_t y) {
    const bool patch = x >= 150 && x < 190 && y >= 100 && y < 120;
    return patch ? std::array<std::uint8_t, 3>{255, 255, 255} : scene(kWidth - 1 - x, y);
  };
  const auto part = [](std::uint32_t x, std::uint32_t y) { return scene(x + 60, y); };
  for (std::uint32_t b = 1; b < 4; ++b) {
    MemberPair& pair = group.pairs.emplace_back();
    pair.b = b;
    pair.score = 0.8;
    pair.preview_a = whole;
  }
  group.pairs[0].preview_b = stored_png(kWidth, kHeight, mirrored);
  group.pairs[0].evidence.bits = 5;
  group.pairs[0].evidence.placement =
      placed({-1, 0, 1, 0, 1, 0, 0, 0, 1}, {{{1, 0}, {0, 0}, {0, 1}, {1, 1}}});
  group.pairs[0].evidence.placement->mirrored = true;
  group.pairs[1].preview_b = stored_png(kWidth / 2, kHeight, part);
  Placement& crop = group.pairs[1].evidence.placement.emplace(
      placed({2, 0, -0.5, 0, 1, 0, 0, 0, 1}, {{{0.25, 0}, {0.75, 0}, {0.75, 1}, {0.25, 1}}}));
  crop.covered_a = 0.5;
  crop.points = {{{0.5, 0.5}, {0.5, 0.5}}, {{0.25, 0.25}, {0, 0.25}}};
  group.pairs[2].preview_a = "";
  group.pairs[2].identical = true;
  return group;
}

Report sample_report() {
  Report report;
  report.run = {.version = "0.1.0",
                .command = "twinsift find essays drafts",
                .started = "2026-01-31T12:00:00Z",
                .threshold = 0.8,
                .recall = 0.99,
                .level = "same",
                .detectors = {"text.1", "fss1:k=256,seed=7"},
                .guarantee = "k=256, bands=26x8, P(found at 0.80) >= 0.99",
                .threads = 2};
  report.groups = {many_scripts(), hostile_names(), long_line()};
  report.folders.push_back({.a = "holiday",
                            .b = "backup/<holiday>",
                            .relation = Relation::kContained,
                            .jaccard = 0.7,
                            .containment_a = 1,
                            .containment_b = 0.7,
                            .both = 12,
                            .only_b = 5,
                            .both_bytes = 3'400'000,
                            .only_b_bytes = 1'200'000});
  report.skipped.push_back({"secret<i>.txt", "permission denied", "The file could not be opened."});
  report.notes = {"One <b>disk</b> was read only."};
  report.stages = {{"walk", 1204, 9'000'000, 0.25, {}},
                   {"index", 1204, 0, 1.5, {{"candidates", 17}}}};
  return report;
}

}  // namespace
}  // namespace twinsift

int main(int argc, char** argv) {
  twinsift::Report report = twinsift::sample_report();
  if (argc > 1) report.groups = twinsift::plain_groups(std::strtoull(argv[1], nullptr, 10));
  if (argc > 1 && std::string_view(argv[1]) == "pictures") report.groups = {twinsift::pictures()};
  if (argc > 2 && std::string_view(argv[1]) == "recordings") {
    report.groups = {twinsift::film_group(), twinsift::song_group()};
    report.links = {twinsift::film_link()};
    report.run.folder = argv[2];
  }
  auto reporter = twinsift::make_reporter("html", {}, [](std::string_view bytes) {
    return std::fwrite(bytes.data(), 1, bytes.size(), stdout) == bytes.size();
  });
  if (!reporter) return 1;
  (*reporter)->begin(report.run);
  twinsift::write_report(report, **reporter);
  return 0;
}
