// SPDX-License-Identifier: Apache-2.0
// Pictures in find, query and compare.
#include <set>

#include "scenes.h"
#include "usual_files.h"

namespace twinsift::cli {
namespace {

class FindPictures : public CommandTest {
 protected:
  simdjson::dom::element json(Words words, int status = 0) {
    words.emplace_back("--json");
    const Outcome outcome = expect(words, status);
    return parser_.parse(simdjson::padded_string(outcome.out));
  }

  // The groups, each as a set.
  std::set<std::set<std::string>> groups(const Words& words, int status = 0) {
    std::set<std::set<std::string>> all;
    for (const Words& group : groups_of(json(words, status))) {
      all.emplace(group.begin(), group.end());
    }
    return all;
  }

  const Scene scene = leaves(1);
  simdjson::dom::parser parser_;
};

using Sets = std::set<std::set<std::string>>;

TEST_F(FindPictures, ShowsTheSamePictureInOtherClothes) {
  write("d/original.ppm", ppm(scene));
  write("d/copy.bmp", bmp(scene));
  write("d/half.ppm", ppm(halved(scene)));
  write("d/brighter.ppm", ppm(brighter(scene)));
  write("d/noisy.bmp", bmp(noisy(scene, 2)));
  write("d/mirrored.ppm", ppm(mirrored(scene)));
  write("d/turned.ppm", ppm(turned(scene)));
  write("d/cropped.ppm", ppm(cropped(scene, 10, 5, 300, 225)));
  for (std::uint64_t seed = 2; seed < 12; ++seed) {
    write("d/other" + std::to_string(seed) + ".ppm", ppm(leaves(seed)));
  }
  EXPECT_EQ(groups({"find", "d"}),
            (Sets{{"d/original.ppm", "d/copy.bmp", "d/half.ppm", "d/brighter.ppm", "d/noisy.bmp",
                   "d/mirrored.ppm", "d/turned.ppm", "d/cropped.ppm"}}));
}

TEST_F(FindPictures, LearnedCodesAreAskedForEditedPicturesOnly) {
  write("d/original.ppm", ppm(scene));
  write("d/other.ppm", ppm(leaves(2)));
  const auto asked = [&](const char* level) {
    const auto run = json({"find", "d", "--level", level}).at_key("run");
    std::string detectors;
    for (const auto spec : run.at_key("detectors")) {
      detectors += std::string(spec.get_string().value()) + " ";
    }
    return detectors.find("siamese1:") != std::string::npos;
  };
  EXPECT_FALSE(asked("same"));
  EXPECT_TRUE(asked("edited"));
  EXPECT_TRUE(asked("similar"));
}

// The network that is shipped has to find something of its own: mirrored copies in a frame, whose
// other codes are too far from those of the originals.
TEST_F(FindPictures, LearnedCodesFindCopiesThatTheOthersMiss) {
  Sets expected;
  for (const std::uint64_t seed : {3U, 9U, 13U, 14U, 16U}) {
    const std::string name = "d/" + std::to_string(seed);
    const Scene photo = leaves(seed);
    write(name + ".ppm", ppm(photo));
    write(name + "_framed.ppm", ppm(halved(bordered(mirrored(photo), 30, 255))));
    expected.insert({name + ".ppm", name + "_framed.ppm"});
  }
  EXPECT_EQ(groups({"find", "d"}), Sets{});
  const auto report = json({"find", "d", "--level", "edited"});
  Sets found;
  std::uint32_t learned = 0;
  for (const Words& group : groups_of(report)) found.emplace(group.begin(), group.end());
  EXPECT_EQ(found, expected);
  for (const auto group : report["groups"]) {
    const auto pair = group["pairs"].at(0);
    EXPECT_GE(double(pair["score"]), 0.6);
    const auto bits = pair["evidence"]["learned_bits"];
    if (bits.error() != simdjson::SUCCESS) continue;
    ++learned;
    EXPECT_LE(int64_t(bits), 64);
    EXPECT_TRUE(bool(pair["evidence"]["placement"]["mirrored"]));
  }
  EXPECT_GE(learned, 3U);
}

// What goes with a picture that learned codes find to be a copy must match the keeper itself.
TEST_F(FindPictures, GroupsByLearnedCodesAreNoChains) {
  const Scene photo = leaves(14);
  write("d/original.ppm", ppm(photo));
  write("d/brighter.ppm", ppm(brighter(photo)));
  write("d/framed.ppm", ppm(doubled(bordered(mirrored(photo), 30, 255))));
  EXPECT_EQ(groups({"find", "d"}), (Sets{{"d/original.ppm", "d/brighter.ppm"}}));
  const auto report = json({"find", "d", "--level", "edited"});
  ASSERT_EQ(report["groups"].get_array().size(), 1U);
  EXPECT_EQ(report["groups"].at(0)["members"].get_array().size(), 3U);
  for (const auto pair : report["groups"].at(0)["pairs"]) {
    EXPECT_EQ(int64_t(pair["a"]), 0);
    EXPECT_GE(double(pair["score"]), 0.6);
    EXPECT_LE(int64_t(pair["evidence"]["learned_bits"]), 64);
  }
}

TEST_F(FindPictures, ThoseWithTheMostPixelsStay) {
  write("d/a_half.ppm", ppm(halved(scene)));
  write("d/b_original.ppm", ppm(scene));
  EXPECT_EQ(groups_of(json({"find", "d"})), (Groups{{"d/b_original.ppm", "d/a_half.ppm"}}));
  // But what is in a reference folder stays in any case.
  write("ref/half.ppm", ppm(halved(scene)));
  EXPECT_EQ(groups_of(json({"find", "d/b_original.ppm", "--ref", "ref"})),
            (Groups{{"ref/half.ppm", "d/b_original.ppm"}}));
}

// It has more pixels, but none that show more.
TEST_F(FindPictures, ACopyWithABorderDoesNotStayForIt) {
  const Scene large = leaves(3, 480, 360);
  write("d/framed.ppm", ppm(bordered(large, 60, 255)));
  write("d/original.ppm", ppm(large));
  write("thin/framed.ppm", ppm(bordered(scene, 12, 0)));
  write("thin/original.ppm", ppm(scene));
  write("thin/small.ppm", ppm(halved(scene)));
  const auto report = json({"find", "d", "--level", "edited"});
  ASSERT_EQ(groups_of(report), (Groups{{"d/original.ppm", "d/framed.ppm"}}));
  const auto member = report["groups"].at(0)["members"].at(1);
  EXPECT_NEAR(std::stod(std::string(std::string_view(member["facts"]["border"]))), 40, 2);
  EXPECT_EQ(std::string_view(member["role"]), "duplicate");
  EXPECT_EQ(groups_of(json({"find", "thin"})),
            (Groups{{"thin/original.ppm", "thin/framed.ppm", "thin/small.ppm"}}));
  for (const std::string where : {"d", "thin"}) {
    write("r.json", expect({"find", where, "--level", "edited", "--json"}, 0).out);
    const std::string plan = expect({"plan", "r.json"}, 0).out;
    const std::size_t keeper = plan.find("\"keeper\"");
    ASSERT_NE(keeper, std::string::npos) << plan;
    EXPECT_GT(plan.find("original.ppm"), keeper) << plan;  // not as the one that goes
    EXPECT_NE(plan.find("\"rule\":\"resolution\""), std::string::npos) << plan;
  }
}

TEST_F(FindPictures, ABorderAroundMorePixelsStays) {
  const Scene large = leaves(3, 480, 360);
  write("d/framed.ppm", ppm(bordered(large, 60, 255)));
  write("d/small.ppm", ppm(halved(large)));
  EXPECT_EQ(groups_of(json({"find", "d", "--level", "edited"})),
            (Groups{{"d/framed.ppm", "d/small.ppm"}}));
  // And so does what is in a reference folder.
  write("ref/framed.ppm", ppm(bordered(large, 60, 255)));
  write("e/original.ppm", ppm(large));
  EXPECT_EQ(groups_of(json({"find", "e", "--ref", "ref", "--level", "edited"})),
            (Groups{{"ref/framed.ppm", "e/original.ppm"}}));
}

TEST_F(FindPictures, TheWholeNeverGoesForAnEnlargedPart) {
  const Scene large = leaves(3, 480, 360);
  write("d/part.ppm", ppm(doubled(cropped(large, 40, 60, 300, 225))));
  write("d/whole.ppm", ppm(large));
  const auto report = json({"find", "d", "--level", "edited"});
  ASSERT_EQ(groups_of(report), (Groups{{"d/part.ppm", "d/whole.ppm"}}));
  EXPECT_EQ(std::string_view(report["groups"].at(0)["members"].at(1)["role"]), "related");
  write("r.json", expect({"find", "d", "--level", "edited", "--json"}, 0).out);
  const Outcome planned = expect({"plan", "r.json"}, 0);
  EXPECT_EQ(planned.out.find("\"loser\""), std::string::npos) << planned.out;
  EXPECT_NE(planned.err.find("shows more than the keeper"), std::string::npos) << planned.err;
}

TEST_F(FindPictures, BlankOnesAreNobodysDuplicateUnlessTheirPixelsAreEqual) {
  const auto blank = [](std::uint32_t width, std::uint8_t shade) {
    return shaded(width, 100, [&](auto, auto, auto) { return shade; });
  };
  write("d/white.ppm", ppm(blank(200, 255)));
  write("d/white.bmp", bmp(blank(200, 255)));
  write("d/white_wider.ppm", ppm(blank(201, 255)));
  write("d/nearly_white.ppm", ppm(blank(200, 254)));
  write("d/black.ppm", ppm(blank(200, 0)));
  write("d/dot.ppm", ppm(cropped(scene, 0, 0, 9, 9)));
  write("d/dot.bmp", bmp(cropped(brighter(scene), 0, 0, 9, 9)));
  EXPECT_EQ(groups({"find", "d", "--level", "similar"}), (Sets{{"d/white.ppm", "d/white.bmp"}}));
}

TEST_F(FindPictures, PartsAreFoundAtLevelEdited) {
  const Scene large = leaves(3, 480, 360);
  write("d/whole.ppm", ppm(large));
  write("d/part.ppm", ppm(cropped(large, 40, 60, 240, 180)));  // a quarter
  write("d/part_mirrored.ppm", ppm(mirrored(cropped(large, 140, 90, 320, 250))));
  for (std::uint64_t seed = 4; seed < 9; ++seed) {
    write("d/other" + std::to_string(seed) + ".ppm", ppm(leaves(seed, 480, 360)));
  }
  EXPECT_EQ(groups({"find", "d"}), Sets{});
  const auto report = json({"find", "d", "--level", "edited"});
  ASSERT_EQ(groups_of(report), (Groups{{"d/whole.ppm", "d/part.ppm", "d/part_mirrored.ppm"}}));
  for (const auto pair : report["groups"].at(0)["pairs"]) {
    const auto placement = pair["evidence"]["placement"];
    const bool mirror = int64_t(pair["b"]) == 2;
    EXPECT_EQ(bool(placement["mirrored"]), mirror);
    EXPECT_NEAR(double(placement["covered_a"]), mirror ? 0.463 : 0.25, 0.02);
    EXPECT_NEAR(double(placement["covered_b"]), 1, 0.02);
    EXPECT_GE(double(pair["score"]), 0.6);
    EXPECT_GT(int64_t(placement["matched"]), 10);
    EXPECT_EQ(std::string_view(pair["relation"]), "contains");
    EXPECT_FALSE(placement["points"].error() == simdjson::SUCCESS);  // nobody has asked for them
  }
}

// What goes with a picture that turns out to be a part must match the whole itself.
TEST_F(FindPictures, GroupsOfPartsAreNoChains) {
  const Scene large = leaves(3, 480, 360);
  const Scene part = cropped(large, 40, 60, 300, 220);
  write("d/whole.ppm", ppm(large));
  write("d/part.ppm", ppm(part));
  write("d/part_brighter.ppm", ppm(brighter(part)));
  EXPECT_EQ(groups({"find", "d"}), (Sets{{"d/part.ppm", "d/part_brighter.ppm"}}));
  const auto report = json({"find", "d", "--level", "edited"});
  ASSERT_EQ(report["groups"].get_array().size(), 1U);
  EXPECT_EQ(report["groups"].at(0)["members"].get_array().size(), 3U);
  for (const auto pair : report["groups"].at(0)["pairs"]) {
    EXPECT_EQ(int64_t(pair["a"]), 0);
    EXPECT_GE(double(pair["score"]), 0.6);
  }
}

TEST_F(FindPictures, ACollectionRemembersThem) {
  const Scene large = leaves(3, 480, 360);
  write("d/whole.ppm", ppm(large));
  write("d/half.ppm", ppm(halved(large)));
  write("d/part.ppm", ppm(cropped(large, 40, 60, 300, 220)));
  write("d/broken.ppm", "P6\n100 100\n255\nxx");
  const Words find = {"find", "d", "--level", "edited", "--index", "c"};
  const auto first = groups(find, 3);
  EXPECT_EQ(first, (Sets{{"d/whole.ppm", "d/half.ppm", "d/part.ppm"}}));
  EXPECT_EQ(groups(find, 3), first);  // from the outcome
  write("d/new.ppm", ppm(brighter(cropped(large, 40, 60, 300, 220))));
  const auto again = json(find, 3);  // from the features
  EXPECT_EQ(again["groups"].at(0)["members"].get_array().size(), 4U);
  for (const auto stage : again["stats"]["stages"]) {
    if (std::string_view(stage["name"]) != "read") continue;
    EXPECT_EQ(int64_t(stage["items"]), 1);
  }
  EXPECT_EQ(again["skipped"].get_array().size(), 1U);

  write("question.ppm", ppm(mirrored(halved(large))));
  const auto answer = json({"query", "question.ppm", "--index", "c"});
  EXPECT_EQ(answer["matches"].get_array().size(), 2U);
  write("question.ppm", ppm(cropped(large, 180, 120, 260, 220)));
  EXPECT_EQ(json({"query", "question.ppm", "--index", "c"})["matches"].get_array().size(), 0U);
  const auto parts = json({"query", "question.ppm", "--index", "c", "--level", "edited"});
  EXPECT_GE(parts["matches"].get_array().size(), 1U);
  expect({"index", "mark", "d/whole.ppm", "d/half.ppm", "--as", "not-duplicate", "--index", "c"},
         0);
  for (const auto& group : groups({"find", "d", "--index", "c"}, 3)) {
    EXPECT_FALSE(group.contains("d/whole.ppm") && group.contains("d/half.ppm"));
  }
  expect({"index", "verify", "--index", "c"}, 0);
}

TEST_F(FindPictures, CompareSaysHowOneLiesInTheOther) {
  write("a.ppm", ppm(scene));
  write("b.ppm", ppm(turned(scene)));
  write("c.ppm", ppm(leaves(2)));
  const auto turn = json({"compare", "a.ppm", "b.ppm"});
  EXPECT_EQ(std::string_view(turn["medium"]), "image");
  EXPECT_GE(double(turn["score"]), 0.95);
  EXPECT_NEAR(double(turn["evidence"]["placement"]["turned"]), 90, 1);
  EXPECT_LT(double(json({"compare", "a.ppm", "c.ppm"})["score"]), 0.4);
}

TEST_F(FindPictures, NothingElseIsNeededToPlanAndApply) {
  write("d/a.ppm", ppm(scene));
  write("d/b.ppm", ppm(brighter(scene)));
  write("r.json", expect({"find", "d", "--json"}, 0).out);
  write("plan.ndjson", expect({"plan", "r.json"}, 0).out);
  const Variables home = {{"HOME", folder.path().string()}};
  expect({"apply", "plan.ndjson", "--yes", "--unreviewed"}, 0, {}, home);
  EXPECT_FALSE(exists("d/b.ppm"));
  expect({"undo"}, 0, {}, home);
  EXPECT_TRUE(exists("d/b.ppm"));
}

}  // namespace
}  // namespace twinsift::cli
