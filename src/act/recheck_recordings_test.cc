// SPDX-License-Identifier: Apache-2.0
// A plan about recordings is a claim: just before one goes, both are heard and seen again.
#include <functional>

#include <gtest/gtest.h>

#include "act/test_tree.h"
#include "media/av/test_contents.h"
#include "twinsift/media.h"

namespace twinsift {
namespace {

// Seconds [begin, end) of a film, as frames of 25 a second.
struct Part {
  std::uint64_t film = 1;
  double begin = 0;
  double end = 0;
};

TestFilm film_of(const std::vector<Part>& parts) {
  TestFilm film = {.frames = 0};
  for (const Part& part : parts) film.frames += static_cast<int>((part.end - part.begin) * 25);
  film.luma = [parts](int frame, int x, int y) {
    double t = frame / 25.0;
    for (const Part& part : parts) {
      const double length = part.end - part.begin;
      if (t < length) return spots(part.film, part.begin + t, x / 64.0, y / 48.0);
      t -= length;
    }
    return 0;
  };
  return film;
}

class RecheckedRecordings : public ActTest {
 protected:
  std::string film(const std::string& name, const std::vector<Part>& parts) {
    return make(name, make_recording({.films = {film_of(parts)}}));
  }
  std::string sound(const std::string& name, const TestSound& tune) {
    return make(name, make_recording({.container = "wav", .sounds = {tune}}));
  }

  // What somebody claims who calls the loser an excerpt of the keeper.
  static Plan claim(const std::string& loser, const std::string& keeper) {
    PlannedAction action = action_for(loser, keeper);
    action.reviewed = true;
    action.score = 0.79;
    const auto media = make_media_types({});
    for (const auto& medium : *media) {
      if (medium->medium() == "audio") action.detector = medium->spec();
    }
    EXPECT_TRUE(contains(action.detector, "av"));
    Plan plan = plan_of({action});
    plan.header.threshold = 0.6;
    return plan;
  }

  // Nothing may happen to the tree, whether the plan as a whole or its line is refused.
  void expect_kept(const Plan& plan, std::string_view part) {
    const Snapshot before = tree();
    std::string reasons;
    ApplyOptions options;
    options.act = true;
    options.item = [&](const ItemReport& item) { reasons += item.reason; };
    const auto summary = apply_plan(plan, options);
    ASSERT_TRUE(summary) << summary.error().message;
    for (const std::string& refusal : summary->refusals) reasons += refusal;
    EXPECT_EQ(summary->done, 0U);
    EXPECT_TRUE(contains(reasons, part)) << reasons;
    EXPECT_EQ(tree(), before);
  }

  // Overwrites a file so that size, times and inode stay the same.
  static void overwrite(const std::string& path, const std::function<void(std::string&)>& change) {
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    std::string bytes = read_file(path);
    change(bytes);
    const Fd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_TRUE(write_all(file.get(), bytes, path));
    const timespec times[2] = {status.st_atim, status.st_mtim};
    ASSERT_EQ(::futimens(file.get(), times), 0);
  }
};

TEST_F(RecheckedRecordings, AnExcerptGoesWhenTheWholeIsStillThere) {
  const std::string whole = film("whole", {{1, 0, 14}});
  const std::string part = film("part", {{1, 2, 10}});
  EXPECT_EQ(applied(claim(part, whole)).done, 1U);
  const std::string song = sound("song", tune_of(1, 14));
  const std::string bars = sound("bars", tune_of(1, 8, 2));
  EXPECT_EQ(applied(claim(bars, song)).done, 1U);
}

TEST_F(RecheckedRecordings, TheWholeStaysThoughThePlanCallsItTheExcerpt) {
  const std::string whole = film("whole", {{1, 0, 14}});
  const std::string part = film("part", {{1, 2, 10}});
  expect_kept(claim(whole, part), part + " is only a part of it");
  const std::string song = sound("song", tune_of(1, 14));
  const std::string bars = sound("bars", tune_of(1, 8, 2));
  expect_kept(claim(song, bars), bars + " is only a part of it");
}

// Two episodes with the same recap of twelve seconds.
TEST_F(RecheckedRecordings, WhatIsOnlyLinkedStays) {
  const std::string one = film("one", {{1, 0, 12}, {2, 0, 6}});
  const std::string two = film("two", {{1, 0, 12}, {3, 0, 6}});
  expect_kept(claim(one, two), "it shares stretches of time with " + two);
}

TEST_F(RecheckedRecordings, AFilmStaysIfOnlyItsSoundIsKept) {
  const auto clip = [&](const std::string& name, std::uint64_t seed) {
    return make(name, make_recording({.films = {spots_of(seed, 6)}, .sounds = {tune_of(1, 6)}}));
  };
  const std::string one = clip("one", 1);
  const std::string two = clip("two", 2);
  expect_kept(claim(one, two), "its pictures were not found to be those of " + two);
}

TEST_F(RecheckedRecordings, NothingGoesOnceTheWholeIsGoneOrAnother) {
  const std::string whole = film("whole", {{1, 0, 14}});
  const std::string part = film("part", {{1, 2, 10}});
  const Plan plan = claim(part, whole);
  // The last pictures are overwritten, so that it still contains the other, and then it is cut.
  overwrite(whole, [](std::string& bytes) { bytes[bytes.size() - 2000] ^= '\x55'; });
  expect_kept(plan, whole + ": changed: its content is not what the plan says");
  ASSERT_EQ(::truncate(whole.c_str(), 5000), 0);
  expect_kept(plan, whole + ": changed: it has another size");
  std::filesystem::rename(whole, whole + "2");
  expect_kept(plan, whole + ": vanished");
  film("whole", {{1, 2, 6}});
  expect_kept(plan, whole + ": changed: it is another file");
}

// A plan whose proofs are of today, and whose claim is of yesterday.
TEST_F(RecheckedRecordings, ANewProofOfTheKeeperDoesNotMakeItTheWhole) {
  film("whole", {{1, 0, 14}});
  const std::string part = film("part", {{1, 2, 10}});
  const std::string whole = film("whole", {{1, 2, 5}});
  expect_kept(claim(part, whole), whole + " is only a part of it");
  film("whole", {{2, 0, 14}});
  expect_kept(claim(part, whole), "nothing shows which of its stretches");
}

TEST_F(RecheckedRecordings, WithoutADecoderNothingGoes) {
  const std::string whole = film("whole", {{1, 0, 14}});
  const std::string part = film("part", {{1, 2, 10}});
  ::setenv("TWINSIFT_AV_DECODER", "/nonexistent", 1);
  expect_kept(claim(part, whole), "recordings are not supported by this build");
  ::unsetenv("TWINSIFT_AV_DECODER");
}

}  // namespace
}  // namespace twinsift
