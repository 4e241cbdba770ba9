// SPDX-License-Identifier: Apache-2.0
// Pictures as texts of visual words, in find, query and compare.
#include <set>

#include "scenes.h"
#include "usual_files.h"

namespace twinsift::cli {
namespace {

class PictureWords : public CommandTest {
 protected:
  simdjson::dom::element json(Words words, int status = 0) {
    words.emplace_back("--json");
    const Outcome outcome = expect(words, status);
    return parser_.parse(simdjson::padded_string(outcome.out));
  }

  // A photo, a smaller cut of it, the same in other light, and strangers.
  void write_photos() {
    write("d/a_cut.ppm", ppm(cropped(scene, 0, 0, 316, 238)));
    write("d/original.ppm", ppm(scene));
    write("d/other_light.ppm", ppm(brighter(scene)));
    for (std::uint64_t seed = 2; seed < 8; ++seed) {
      write("d/other" + std::to_string(seed) + ".ppm", ppm(leaves(seed)));
    }
  }

  static std::set<std::string> detectors_of(const simdjson::dom::element& report) {
    std::set<std::string> specs;
    for (const auto spec : report["run"]["detectors"]) {
      const std::string_view text = spec;
      specs.emplace(text.substr(0, text.find(',')));
    }
    return specs;
  }

  const Scene scene = leaves(1);
  simdjson::dom::parser parser_;
};

TEST_F(PictureWords, SetsAndWeightsFindTheSamePhotoInOtherLight) {
  write_photos();
  for (const std::string features : {"words", "words:tfidf", "words:tfidf:paper"}) {
    SCOPED_TRACE(features);
    const auto report = json({"find", "d", "--pictures", features, "--threshold", "0.3"});
    const auto groups = groups_of(report);
    ASSERT_EQ(groups.size(), 1U);
    // The most pixels stay, and of two with equally many the first.
    EXPECT_EQ(groups[0].front(), "d/original.ppm");
    EXPECT_EQ(std::set<std::string>(groups[0].begin(), groups[0].end()),
              (std::set<std::string>{"d/original.ppm", "d/a_cut.ppm", "d/other_light.ppm"}));
    EXPECT_EQ(std::string_view(report["groups"].at(0)["medium"]), "image");
    for (const auto pair : report["groups"].at(0)["pairs"]) {
      EXPECT_GE(double(pair["score"]), 0.3);
      EXPECT_EQ(double(pair["score"]), double(pair["evidence"]["jaccard"]));
    }
    const auto specs = detectors_of(report);
    EXPECT_TRUE(specs.contains("image1:" + features));
    EXPECT_TRUE(specs.contains("words1:n=8192"));
    EXPECT_EQ(specs.contains("idf1:smooth"), features == "words:tfidf");
    EXPECT_EQ(specs.contains("idf1:paper"), features == "words:tfidf:paper");
  }
}

TEST_F(PictureWords, TextsBesideThemAreComparedAsEver) {
  write_photos();
  std::string text;
  for (int i = 0; i < 60; ++i) text += "word" + std::to_string(i) + ' ';
  write("d/one.txt", text);
  write("d/two.txt", text + "more\n");
  for (const std::string features : {"words:5", "tfidf"}) {
    const Words find = {"find", "d", "--features", features};
    Words by_words = find;
    by_words.insert(by_words.end(), {"--pictures", "words:tfidf", "--threshold", "0.3"});
    const auto groups = groups_of(json(by_words));
    ASSERT_EQ(groups.size(), 2U);
    std::size_t texts = 0;
    for (const Words& group : groups) {
      if (group.front() != "d/two.txt") continue;
      EXPECT_EQ(group, (Words{"d/two.txt", "d/one.txt"}));
      ++texts;
    }
    EXPECT_EQ(texts, 1U);
  }
}

TEST_F(PictureWords, TooFewWordsAreNotCompared) {
  const auto blank = [](std::uint8_t shade) {
    return shaded(200, 100, [&](auto, auto, auto) { return shade; });
  };
  write("d/white.ppm", ppm(blank(255)));
  write("d/grey.ppm", ppm(blank(128)));
  EXPECT_TRUE(groups_of(json({"find", "d", "--pictures", "words", "--threshold", "0.1"})).empty());
}

TEST_F(PictureWords, CompareAsksSketchesToo) {
  write("a.ppm", ppm(scene));
  write("b.ppm", ppm(brighter(scene)));
  write("c.ppm", ppm(leaves(2)));
  const auto score = [&](const std::string& other, const std::string& features) {
    const auto found = json({"compare", "a.ppm", other, "--pictures", features});
    EXPECT_EQ(double(found["score"]), double(found["evidence"]["jaccard"]));
    return double(found["score"]);
  };
  EXPECT_GE(score("b.ppm", "words"), 0.3);
  EXPECT_LT(score("c.ppm", "words"), 0.3);
  EXPECT_NE(score("b.ppm", "words"), score("b.ppm", "words:tfidf"));
  const auto weighted =
      json({"compare", "a.ppm", "b.ppm", "--pictures", "words:tfidf", "--sketch", "dart1:k=1024"});
  // Five standard errors of 1024 samples.
  EXPECT_NEAR(double(weighted["sketch"]["estimate"]), double(weighted["score"]), 5 * 0.5 / 32);
  const Outcome refused =
      expect({"compare", "a.ppm", "b.ppm", "--pictures", "words:tfidf:paper"}, 2);
  EXPECT_NE(refused.err.find("with two documents tfidf:paper leaves no term a weight"),
            std::string::npos)
      << refused.err;
}

TEST_F(PictureWords, ACollectionIsAskedForThem) {
  write_photos();
  expect({"index", "add", "d", "--pictures", "words", "--index", "c"}, 0);
  write("question.ppm", ppm(cropped(scene, 4, 4, 310, 230)));
  const auto answer =
      json({"query", "question.ppm", "--pictures", "words", "--threshold", "0.3", "--index", "c"});
  std::set<std::string> names;
  for (const auto match : answer["matches"]) {
    const std::string_view path = match["places"].at(0)["path"];
    names.emplace(path.substr(path.rfind('/') + 1));
  }
  EXPECT_TRUE(names.contains("original.ppm") && names.contains("a_cut.ppm"));
  for (const std::string& name : names) EXPECT_FALSE(name.starts_with("other") && name < "other_");
  const Outcome weighed =
      expect({"query", "question.ppm", "--pictures", "words:tfidf", "--index", "c"}, 2);
  EXPECT_NE(weighed.err.find("query cannot weigh terms"), std::string::npos) << weighed.err;
}

TEST_F(PictureWords, WhatIsNoWayToCompareIsNamed) {
  write("a.ppm", ppm(scene));
  const Outcome outcome = expect({"find", "a.ppm", "--pictures", "word"}, 2);
  EXPECT_NE(outcome.err.find("pictures cannot be compared by \"word\": try gist, pdq, words, "
                             "words:tfidf or siamese:FILE"),
            std::string::npos)
      << outcome.err;
}

}  // namespace
}  // namespace twinsift::cli
