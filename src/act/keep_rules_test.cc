// SPDX-License-Identifier: Apache-2.0
#include "act/keep_rules.h"

#include <algorithm>
#include <cstdlib>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

using Candidates = std::vector<KeepCandidate>;

struct Kept {
  std::string path;
  std::string rule;  // of the first of the others
  friend bool operator==(const Kept&, const Kept&) = default;
};
std::ostream& operator<<(std::ostream& out, const Kept& kept) {
  return out << kept.path << " by " << kept.rule;
}

Kept keep(std::string_view rules, const Candidates& candidates, std::string_view medium = "file") {
  const auto parsed = KeepRules::parse(rules);
  EXPECT_TRUE(parsed) << parsed.error().message;
  if (!parsed) return {};
  const auto choice = parsed->choose(medium, candidates);
  EXPECT_TRUE(choice) << choice.error().message;
  if (!choice) return {};
  Kept kept{candidates[choice->keeper].path, ""};
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    EXPECT_EQ(choice->rule[i].empty(), i == choice->keeper);
    if (kept.rule.empty()) kept.rule = choice->rule[i];
  }
  return kept;
}

std::string error_of(std::string_view rules) {
  const auto parsed = KeepRules::parse(rules);
  if (parsed) return "";
  EXPECT_EQ(parsed.error().code, ErrorCode::kInvalidArgument);
  return parsed.error().message;
}

KeepCandidate at(std::string path) { return {.path = std::move(path)}; }
KeepCandidate with(std::string path, std::vector<Fact> facts) {
  return {.path = std::move(path), .facts = std::move(facts)};
}

TEST(KeepRules, EachWordKeepsWhatItSays) {
  KeepCandidate old = at("/d/old");
  old.mtime_ns = -5;
  old.size = 7;
  KeepCandidate young = at("/d/young");
  young.mtime_ns = 5;
  young.size = UINT64_MAX;  // more than a double can tell from its neighbour
  young.links = 3;
  KeepCandidate large = at("/d/large");
  large.size = UINT64_MAX - 1;
  const Candidates three = {large, old, young};
  EXPECT_EQ(keep("oldest", three), (Kept{"/d/old", "oldest"}));
  EXPECT_EQ(keep("newest", three), (Kept{"/d/young", "newest"}));
  EXPECT_EQ(keep("size-max", three), (Kept{"/d/young", "size-max"}));
  EXPECT_EQ(keep("size-min", three), (Kept{"/d/old", "size-min"}));
  EXPECT_EQ(keep("links-max", three), (Kept{"/d/young", "links-max"}));
  EXPECT_EQ(keep("first", three), (Kept{"/d/large", "first"}));

  const Candidates paths = {at("/long/name"), at("/a/b/c"), at("/longest name")};
  EXPECT_EQ(keep("shortest-path", paths), (Kept{"/a/b/c", "shortest-path"}));
  EXPECT_EQ(keep("longest-path", paths), (Kept{"/longest name", "longest-path"}));
  EXPECT_EQ(keep("depth-min", paths), (Kept{"/longest name", "depth-min"}));

  KeepCandidate safe = at("/z");
  safe.is_protected = true;
  EXPECT_EQ(keep("protected", {at("/a"), safe}), (Kept{"/z", "protected"}));
}

TEST(KeepRules, WordsThatNeedFactsReadThem) {
  const auto best = [](std::string_view word, std::string_view fact, std::string_view low,
                       std::string_view high) {
    return keep(word, {with("/a", {{std::string(fact), std::string(low)}}),
                       with("/b", {{std::string(fact), std::string(high)}})})
        .path;
  };
  EXPECT_EQ(best("bitrate", "bitrate", "128", "320"), "/b");
  EXPECT_EQ(best("bitrate", "bitrate", "99 kb/s", "100 kb/s"), "/b");  // numbers, not texts
  EXPECT_EQ(best("bitrate", "bit_rate", "99 kbit/s", "100 kbit/s"), "/b");
  EXPECT_EQ(best("duration", "duration", "12.5", "100.25"), "/b");
  EXPECT_EQ(best("duration", "duration", "9:59", "1:00:00"), "/b");
  EXPECT_EQ(best("duration", "duration", "3:05", "3:50"), "/b");
  EXPECT_EQ(best("quality", "quality", "75", "92"), "/b");
  EXPECT_EQ(best("subtitles", "subtitles", "0", "2"), "/b");
  EXPECT_EQ(best("lossless", "lossless", "no", "yes"), "/b");
  EXPECT_EQ(best("longest-text", "tokens", "99", "100"), "/b");
  EXPECT_EQ(best("longest-text", "words", "99", "100"), "/b");
  EXPECT_EQ(keep("resolution", {with("/a", {{"width", "4000"}, {"height", "10"}}),
                                with("/b", {{"width", "300"}, {"height", "200"}})}),
            (Kept{"/b", "resolution"}));
  EXPECT_EQ(keep("metadata", {with("/a", {{"format", "x"}, {"pages", "3"}, {"bits", "8"}}),
                              with("/b", {{"gps", "48"}})}),
            (Kept{"/b", "metadata"}));
  EXPECT_EQ(keep("tags", {at("/a"), with("/b", {{"artist", "x"}})}), (Kept{"/b", "tags"}));
}

// What has none wins if it shows as much.
TEST(KeepRules, TheBorderOfAPictureDoesNotCount) {
  const KeepCandidate framed =
      with("/framed", {{"width", "100"}, {"height", "100"}, {"border", "36 %"}});
  EXPECT_EQ(keep("resolution", {framed, with("/whole", {{"width", "80"}, {"height", "80"}})}),
            (Kept{"/whole", "resolution"}));
  EXPECT_EQ(keep("resolution", {framed, with("/small", {{"width", "60"}, {"height", "60"}})}),
            (Kept{"/framed", "resolution"}));
}

TEST(KeepRules, ARuleThatLacksAFactDoesNotDecide) {
  const Candidates codecs = {with("/a", {{"bit_rate", "64 kbit/s"}, {"audio_codec", "opus"}}),
                             with("/b", {{"bit_rate", "96 kbit/s"}, {"audio_codec", "mp3"}})};
  EXPECT_EQ(keep("bitrate", codecs), (Kept{"/a", "path"}));
  const Candidates half = {with("/b", {{"bitrate", "320"}}), at("/a")};
  EXPECT_EQ(keep("bitrate", half), (Kept{"/a", "path"}));
  EXPECT_EQ(keep("bitrate, first", half), (Kept{"/b", "first"}));
  EXPECT_EQ(keep("resolution", {with("/b", {{"width", "9"}}), at("/a")}), (Kept{"/a", "path"}));
  EXPECT_EQ(keep("quality", {with("/b", {{"quality", "nan"}}), with("/a", {{"quality", "1"}})}),
            (Kept{"/a", "path"}));
  EXPECT_EQ(
      keep("lossless", {with("/b", {{"lossless", "maybe"}}), with("/a", {{"lossless", "no"}})}),
      (Kept{"/a", "path"}));
}

TEST(KeepRules, PathsAreMatchedByGlobs) {
  const Candidates two = {at("/home/u/Downloads/a.jpg"), at("/home/u/Master/2020/a.jpg")};
  const std::string master = two[1].path;
  const std::string downloads = two[0].path;
  EXPECT_EQ(keep("in:/home/u/Master", two).path, master);
  EXPECT_EQ(keep("in:/home/u/Master/", two).path, master);
  EXPECT_EQ(keep("in:Master", two).path, master);
  EXPECT_EQ(keep("in:Master/20??", two).path, master);
  EXPECT_EQ(keep("in:/home/*/Master/**/*.jpg", two).path, master);
  EXPECT_EQ(keep("not-in:Downloads", two), (Kept{master, "not-in:Downloads"}));
  EXPECT_EQ(keep("not-in:Master", two).path, downloads);
  EXPECT_EQ(keep("in:Mast", two), (Kept{downloads, "path"}));  // a name is matched as a whole
  EXPECT_EQ(keep("in:{x\\,y}, in:Master", two).path, master);
  ::setenv("HOME", "/home/u", 1);
  EXPECT_EQ(keep("in:~/Master", two).path, master);
  ::setenv("HOME", "/home/[u]", 1);  // no pattern, although it looks like one
  EXPECT_EQ(keep("in:~/Master", two), (Kept{downloads, "path"}));
}

TEST(KeepRules, NamesAreMatchedByRegularExpressions) {
  const Candidates two = {at("/IMG_9/copy (2).jpg"), at("/d/IMG_1234.jpg")};
  EXPECT_EQ(keep("name:^IMG_[0-9]{4}", two).path, two[1].path);
  EXPECT_EQ(keep("name:^IMG_[0-9]{4\\,5}\\.", two).path, two[1].path);
  EXPECT_EQ(keep("name:IMG_9", two), (Kept{two[0].path, "path"}));  // that is a folder
  EXPECT_EQ(keep("name:(?i)COPY", two).path, two[0].path);
  EXPECT_EQ(keep("name:caf.\\.txt", {at("/x"), at("/caf\xE9.txt")}).path, "/caf\xE9.txt");
}

TEST(KeepRules, ARegularExpressionThatWouldTakeForEverIsRefused) {
  const auto rules = KeepRules::parse("name:^(a+)+$");
  ASSERT_TRUE(rules);
  const Candidates two = {at("/" + std::string(200, 'a') + "b"), at("/b")};
  const auto choice = rules->choose("file", two);
  ASSERT_FALSE(choice);
  EXPECT_TRUE(choice.error().message.starts_with("keep rule 'name:^(a+)+$': takes too long on '/a"))
      << choice.error().message;
}

TEST(KeepRules, TheFirstRuleThatDecidesWins) {
  KeepCandidate a = with("/a", {{"bitrate", "320"}});
  KeepCandidate b = with("/b", {{"bitrate", "320"}});
  KeepCandidate c = with("/c", {{"bitrate", "128"}});
  a.mtime_ns = 9;
  c.mtime_ns = -9;
  const auto rules = KeepRules::parse("resolution, bitrate, oldest");
  const auto choice = rules->choose("audio", Candidates{a, b, c});
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->keeper, 1U);
  EXPECT_EQ(choice->rule, (std::vector<std::string>{"oldest", "", "bitrate"}));
}

TEST(KeepRules, ProfilesAreLists) {
  KeepCandidate old = with("/old", {{"width", "10"}, {"height", "10"}, {"bitrate", "1"}});
  old.mtime_ns = -9;
  const KeepCandidate sharp = with("/sharp", {{"width", "99"}, {"height", "99"}, {"bitrate", "2"}});
  EXPECT_EQ(keep("photos", {old, sharp}), (Kept{"/sharp", "resolution"}));
  EXPECT_EQ(keep("video", {old, sharp}), (Kept{"/sharp", "resolution"}));
  EXPECT_EQ(keep("music", {old, sharp}), (Kept{"/sharp", "bitrate"}));
  EXPECT_EQ(keep("corpus", {old, sharp}), (Kept{"/old", "first"}));
  EXPECT_EQ(keep("auto", {old, sharp}, "image"), (Kept{"/sharp", "resolution"}));
  EXPECT_EQ(keep("auto", {old, sharp}, "audio"), (Kept{"/sharp", "bitrate"}));
  EXPECT_EQ(keep("auto", {old, sharp}, "video"), (Kept{"/sharp", "resolution"}));
  EXPECT_EQ(keep("auto", {old, sharp}, "text"), (Kept{"/old", "first"}));
  EXPECT_EQ(keep("newest, auto", {old, sharp}, "text"), (Kept{"/sharp", "newest"}));
}

// A re-encoded PNG of a JPEG is larger and worse.
TEST(KeepRules, NoProfileTakesTheBiggestFileForTheBest) {
  KeepCandidate jpeg = at("/IMG_1234.JPG");
  jpeg.size = 1000;
  jpeg.mtime_ns = 1;
  KeepCandidate png = at("/IMG_1234_converted.png");
  png.size = 9000;
  png.mtime_ns = 2;
  for (const std::string_view profile : {"photos", "music", "video", "corpus", "auto"}) {
    EXPECT_EQ(keep(profile, {jpeg, png}, "image").path, jpeg.path) << profile;
  }
  EXPECT_EQ(keep("size-max", {jpeg, png}).path, png.path);  // a visible choice
}

TEST(KeepRules, CamerasGiveNamesOfAKind) {
  for (const std::string_view name :
       {"IMG_1234.JPG", "DSC01234.ARW", "P1010001.JPG", "DSCN0001.jpg", "PXL_20230131_120000.jpg",
        "IMG_20230131_120000.jpg", "20230131_120000.mp4", "PXL_20230131_120000123.MP.jpg"}) {
    EXPECT_EQ(keep("original", {at("/a"), at("/x/" + std::string(name))}).rule, "original") << name;
  }
  for (const std::string_view name : {"IMG_1234 (1).JPG", "IMG_1234-edited.jpg", "holiday.jpg",
                                      "12345678.jpg", "Copy of IMG_1234.JPG", "IMG_12.JPG"}) {
    EXPECT_EQ(keep("original", {at("/a"), at("/x/" + std::string(name))}).rule, "path") << name;
  }
}

TEST(KeepRules, WhatIsWrongIsSaid) {
  EXPECT_TRUE(
      error_of("oldest, biggest").starts_with("keep rule 'biggest': unknown; choose from "));
  EXPECT_TRUE(error_of("In:/x").starts_with("keep rule 'In:/x': unknown; choose from "));
  EXPECT_EQ(error_of(""), "the keep rules '' have an empty one");
  EXPECT_EQ(error_of("oldest,,first"), "the keep rules 'oldest,,first' have an empty one");
  EXPECT_EQ(error_of("in:"), "keep rule 'in:': there is nothing behind the ':'");
  EXPECT_EQ(error_of("in:/x/[a"),
            "keep rule 'in:/x/[a': not a glob; is a ']' or what it is about missing?");
  EXPECT_EQ(error_of("not-in:x\\"),
            "keep rule 'not-in:x\\': not a glob; is a ']' or what it is about missing?");
  EXPECT_TRUE(error_of("name:(").starts_with("keep rule 'name:(': not a regular expression"));
  EXPECT_EQ(error_of(std::string(9000, 'x')), "the keep rules are longer than 8192 bytes");
}

// Whatever the order of the candidates, the same one stays; "first" is the one rule that asks
// for the order.
RC_GTEST_PROP(KeepRules, TheChoiceDoesNotDependOnTheOrder, ()) {
  const auto rules = *rc::gen::container<std::vector<std::string>>(
      3,
      rc::gen::element<std::string>("oldest", "size-max", "shortest-path", "depth-min", "bitrate",
                                    "in:a*", "name:[bc]", "protected", "photos", "longest-text"));
  Candidates candidates;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    KeepCandidate one = at("/" + std::string(1, static_cast<char>('a' + *rc::gen::inRange(0, 3))) +
                           "/" + std::to_string(i));
    one.size = *rc::gen::inRange<std::uint64_t>(1, 4);
    one.mtime_ns = *rc::gen::inRange(0, 3);
    one.is_protected = *rc::gen::arbitrary<bool>();
    if (*rc::gen::arbitrary<bool>()) one.facts = {{"bitrate", std::to_string(i % 2)}};
    candidates.push_back(one);
  }
  const std::string text = rules[0] + "," + rules[1] + "," + rules[2];
  const auto parsed = KeepRules::parse(text);
  RC_ASSERT(parsed.has_value());
  const auto before = parsed->choose("image", candidates);
  const std::string kept = candidates[before->keeper].path;
  std::ranges::reverse(candidates);
  std::ranges::rotate(candidates, candidates.begin() + *rc::gen::inRange(0, count));
  const auto after = parsed->choose("image", candidates);
  RC_ASSERT(candidates[after->keeper].path == kept);
}

}  // namespace
}  // namespace twinsift
