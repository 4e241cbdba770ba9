// SPDX-License-Identifier: Apache-2.0
// Groups of pictures in text, json and html.
#include <gtest/gtest.h>
#include <simdjson.h>

#include "base/escape.h"
#include "twinsift/report.h"

namespace twinsift {
namespace {

using std::string_literals::operator""s;

const std::string kHostile = "</script><img src=x onerror=alert(1)>\".jpg";
const std::string kNotUnicode = "caf\xE9/\xFF.jpg";

// The head and the tail of a PNG of this size with `filler` bytes between; nobody decodes it here.
std::string png(unsigned width, unsigned height, std::size_t filler) {
  const auto number = [](unsigned value) {
    return std::string{static_cast<char>(value >> 24U), static_cast<char>(value >> 16U),
                       static_cast<char>(value >> 8U), static_cast<char>(value)};
  };
  return "\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR"s + number(width) + number(height) +
         std::string(9 + filler, 'x') + "\0\0\0\0IEND\xAE\x42\x60\x82"s;
}

Group picture_group() {
  Group group;
  group.id = 7;
  group.medium = "image";
  group.score = 0.81;
  const auto member = [&](const std::string& path, const std::string& width) {
    Member& added = group.members.emplace_back();
    added.path = path;
    added.size = 1000;
    added.facts = {{"format", "jpeg"}, {"width", width}, {"height", "600"}};
  };
  member(kHostile, "800");
  member(kNotUnicode, "400");
  member("copy.jpg", "800");
  MemberPair part;
  part.b = 1;
  part.score = 0.81;
  part.preview_a = png(512, 384, 10);
  part.preview_b = png(300, 384, 20);
  part.evidence.bits = 120;
  part.evidence.placement = {.a_to_b = {2, 0, -0.5, 0, 1, 0, 0, 0, 1},
                             .frame_of_b = {{{0.25, 0}, {0.75, 0}, {0.75, 1}, {0.25, 1}}},
                             .mirrored = true,
                             .turned = 0,
                             .scale = 1,
                             .covered_a = 0.5,
                             .covered_b = 1,
                             .matched = 143,
                             .points = {}};
  MemberPair identical;
  identical.b = 2;
  identical.score = 1;
  identical.identical = true;
  group.pairs = {part, identical};
  return group;
}

std::string written(std::string_view format, const std::vector<Group>& groups) {
  Report report;
  report.groups = groups;
  std::string out;
  auto reporter = make_reporter(format, {}, [&](std::string_view bytes) {
    out += bytes;
    return true;
  });
  (*reporter)->begin(report.run);
  write_report(report, **reporter);
  return out;
}

std::size_t count_of(std::string_view needle, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(needle); at != text.npos; at = text.find(needle, at + 1)) ++count;
  return count;
}

// The JSON of the first island of this part.
std::string island(const std::string& page, std::string_view part) {
  const std::string opening = "data-part=\"" + std::string(part) + "\">";
  const std::size_t begin = page.find(opening) + opening.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

TEST(PictureReport, TextSaysWhyInOneLine) {
  EXPECT_EQ(written("text", {picture_group()}),
            R"(image, 81.0 % alike, 3 files, 2.0 kB could go
  keep         1.0 kB  </script><img src=x onerror=alert(1)>".jpg
  81.0 %       1.0 kB  caf\xe9/\xff.jpg
                       shows 50 % of it, mirrored, 143 key points agree, 800x600 -> 400x600
  identical    1.0 kB  copy.jpg

1 group, 3 files, 2.0 kB could go.
)");
}

TEST(PictureReport, JsonHasThePlacementAndPointsOnlyIfTheyAreThere) {
  Group group = picture_group();
  simdjson::dom::parser parser;
  const std::string json = written("json", {group});
  const simdjson::dom::element root = parser.parse(json);
  const auto evidence = root.at_pointer("/groups/0/pairs/0/evidence");
  EXPECT_EQ(evidence.at_key("bits").get_uint64().value(), 120U);
  const auto placement = evidence.at_key("placement");
  EXPECT_TRUE(placement.at_key("mirrored").get_bool().value());
  EXPECT_EQ(placement.at_pointer("/frame_of_b/1/0").get_double().value(), 0.75);
  EXPECT_EQ(placement.at_pointer("/a_to_b/2").get_double().value(), -0.5);
  EXPECT_EQ(placement.at_key("matched").get_uint64().value(), 143U);
  EXPECT_NE(placement.at_key("points").error(), simdjson::SUCCESS);
  EXPECT_NE(evidence.at_key("same_pixels").error(), simdjson::SUCCESS);
  EXPECT_EQ(json.find("iVBOR"), std::string::npos) << "previews are for the page only";
  EXPECT_EQ(json.find("placement", json.find("\"b\":2")), std::string::npos);
  group.pairs[0].evidence.placement->points = {{{0.5, 0.25}, {0.125, 1}}};
  EXPECT_NE(written("json", {group})
                .find(R"("points":[{"a":[0.500000,0.250000],"b":[0.125000,1.000000]}])"),
            std::string::npos);
}

TEST(PictureReport, HtmlHoldsEachPreviewOnceAndWhyInWords) {
  Group group = picture_group();
  group.pairs.push_back(group.pairs[0]);  // brings the preview of the first member once more
  group.pairs.back().b = 2;
  const std::string page = written("html", {group});
  EXPECT_EQ(count_of("<template id=\"picture-", page), 3U);
  EXPECT_NE(page.find("<template id=\"picture-7-0\"><img alt=\"\" width=\"512\" height=\"384\" "
                      "decoding=\"async\" src=\"data:image/png;base64," +
                      base64(group.pairs[0].preview_a) + "\"></template>"),
            std::string::npos);
  simdjson::dom::parser parser;
  const std::string groups = island(page, "groups");
  const simdjson::dom::element root = parser.parse(groups);
  EXPECT_EQ(root.at_pointer("/0/words/0").get_string().value(),
            "shows 50 % of A, mirrored, 143 key points agree, 800x600 -> 400x600");
  EXPECT_EQ(root.at_pointer("/0/words/1").get_string().value(), "");
}

TEST(PictureReport, HtmlShowsHostileNamesAsTextOnly) {
  const std::string page = written("html", {picture_group()});
  EXPECT_EQ(page.find("<img src=x"), std::string::npos);
  EXPECT_TRUE(is_utf8(page));
  EXPECT_EQ(page.find("http://"), std::string::npos);
}

TEST(PictureReport, HtmlTakesOnlyPicturesForPreviews) {
  Group group = picture_group();
  group.pairs[0].preview_a = "<svg onload=\"alert(1)\"/>";
  group.pairs[0].preview_b.pop_back();
  EXPECT_EQ(count_of("<template id=\"picture-", written("html", {group})), 0U);
  group = picture_group();
  group.medium = "text";
  EXPECT_EQ(count_of("<template id=\"picture-", written("html", {group})), 0U);
  group.medium = "image";
  group.pairs[0].b = 9;  // no such member
  EXPECT_EQ(count_of("<template id=\"picture-", written("html", {group})), 0U);
}

TEST(PictureReport, HtmlLimitsGroupsWithPreviewsAndSaysSo) {
  std::vector<Group> groups(302, picture_group());
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].id = i + 1;
  const std::string page = written("html", groups);
  EXPECT_EQ(count_of("<template id=\"picture-", page), 600U);
  EXPECT_NE(page.find("picture-300-1"), std::string::npos);
  EXPECT_EQ(page.find("picture-301-0"), std::string::npos);
  EXPECT_NE(island(page, "rest").find(R"("pictures":{"shown":600,"left_out":4})"),
            std::string::npos);
}

TEST(PictureReport, HtmlLimitsTheBytesOfPreviews) {
  Group group = picture_group();
  group.pairs[0].preview_a = png(512, 512, 30'000'000);
  group.pairs[0].preview_b = png(512, 512, 20'000'000);
  std::vector<Group> groups = {group, picture_group()};
  groups[1].id = 8;
  const std::string page = written("html", groups);
  EXPECT_NE(page.find("picture-7-0"), std::string::npos);
  EXPECT_EQ(page.find("picture-7-1"), std::string::npos);
  EXPECT_NE(page.find("picture-8-1"), std::string::npos) << "what still fits is shown";
  EXPECT_LT(page.size(), 60'000'000U);
  EXPECT_NE(island(page, "rest").find(R"("pictures":{"shown":3,"left_out":1})"), std::string::npos);
}

}  // namespace
}  // namespace twinsift
