// SPDX-License-Identifier: Apache-2.0
#include "run/recorder.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/test_dir.h"

namespace twinsift {
namespace {

using Mode = CollectionOptions::Mode;

Digest digest(std::uint64_t i) { return {.low = i, .high = 7}; }

LearntContent content(std::uint64_t i, DetectorId detector) {
  Description description;
  description.features.push_back({TokenSet{i, i + 1, i + 2}});
  description.facts = {{"number", std::to_string(i)}};
  return {.digest = digest(i), .detector = detector, .description = std::move(description)};
}

FileRecord file(std::uint64_t i) {
  return {.key = {.path = "/d/" + std::to_string(i)}, .size = i, .digest = digest(i)};
}

Status refuse(const LearntContent& /*content*/) {
  return Error{ErrorCode::kInvalidArgument, "nobody takes it"};
}

TEST(Recorder, WhatManyThreadsPutIsThereAndInTheCollectionOfTheNextRun) {
  const TestDir dir;
  constexpr std::uint64_t kEach = 500;
  {
    const auto collection = *Collection::open(dir / "c", {.mode = Mode::kCreate});
    const DetectorId detector = *collection->add_detector("text1:words:5");
    Recorder recorder(*collection, refuse);
    std::vector<std::jthread> threads;
    for (std::uint64_t t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        for (std::uint64_t i = t * kEach; i < (t + 1) * kEach; ++i) {
          recorder.put(content(i, detector));
          recorder.put(file(i));
        }
      });
    }
    threads.clear();
    ASSERT_TRUE(recorder.wait());
    EXPECT_EQ(recorder.trouble(), "");
    EXPECT_EQ(*collection->content_state(detector, digest(1999)), ContentState::kFeatures);
  }
  const auto collection = *Collection::open(dir / "c", {.mode = Mode::kRead});
  for (std::uint64_t i = 0; i < 4 * kEach; ++i) {
    const auto stored = *collection->content(*collection->detector("text1:words:5"), digest(i));
    ASSERT_TRUE(stored) << i;
    EXPECT_EQ(stored->facts[0].second, std::to_string(i));
    EXPECT_EQ(stored->features.ids[0], i);
    ASSERT_TRUE(*collection->file(file(i).key)) << i;
  }
}

// The process may be killed between two records: nobody has to wait for the last one.
TEST(Recorder, WritesOfItsOwnAccord) {
  const TestDir dir;
  const auto collection = *Collection::open(dir / "c", {.mode = Mode::kCreate});
  const DetectorId detector = *collection->add_detector("d");
  Recorder recorder(*collection, refuse);
  recorder.put(content(1, detector));
  for (int i = 0; i < 2000; ++i) {
    if (*collection->content_state(detector, digest(1))) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  FAIL() << "not written within ten seconds";
}

TEST(Recorder, OneThreadClaimsAContent) {
  const TestDir dir;
  const auto collection = *Collection::open(dir / "c", {.mode = Mode::kCreate});
  const DetectorId detector = *collection->add_detector("d");
  Recorder recorder(*collection, refuse);
  std::atomic<std::uint64_t> claims = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::uint64_t i = 0; i < 1000; ++i) {
        if (!*recorder.claim(detector, digest(i))) continue;
        ++claims;
        recorder.put(content(i, detector));
      }
    });
  }
  threads.clear();
  ASSERT_TRUE(recorder.wait());
  EXPECT_EQ(claims, 1000U);
  EXPECT_FALSE(*recorder.claim(detector, digest(5)));
}

// A collection without the detector refuses the content, but not those beside it.
TEST(Recorder, WhatCannotBeStoredGoesElsewhereAndTheRestIsStored) {
  const TestDir dir;
  const auto collection = *Collection::open(dir / "c", {.mode = Mode::kCreate});
  const DetectorId detector = *collection->add_detector("d");
  std::vector<std::uint64_t> elsewhere;
  Recorder recorder(*collection, [&](const LearntContent& learnt) {
    elsewhere.push_back(learnt.digest.low);
    return ok();
  });
  recorder.put(content(1, detector));
  recorder.put(content(2, detector + 1));
  recorder.put(content(3, detector));
  recorder.put(file(1));
  ASSERT_TRUE(recorder.wait());
  EXPECT_EQ(recorder.trouble(), "");
  EXPECT_EQ(elsewhere, std::vector<std::uint64_t>{2});
  EXPECT_TRUE(*collection->content_state(detector, digest(1)));
  EXPECT_TRUE(*collection->content_state(detector, digest(3)));
  EXPECT_TRUE(*collection->file(file(1).key));
}

// A limit on the size of files is a disk that is full.
TEST(Recorder, AFullDiskCostsNoContent) {
  const TestDir dir;
  const auto collection = *Collection::open(dir / "c", {.mode = Mode::kCreate});
  const DetectorId detector = *collection->add_detector("d");
  std::uint64_t elsewhere = 0;
  Recorder recorder(*collection, [&](const LearntContent&) {
    ++elsewhere;
    return ok();
  });
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 20'000, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    recorder.put(content(i, detector));
    if (i % 100 == 0) {
      EXPECT_TRUE(recorder.wait());
    }
  }
  EXPECT_TRUE(recorder.wait());
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_NE(recorder.trouble(), "");
  std::uint64_t stored = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    stored += *collection->content_state(detector, digest(i)) ? 1U : 0U;
  }
  EXPECT_GT(stored, 0U);
  EXPECT_EQ(stored + elsewhere, 1000U);
}

TEST(Recorder, TellsWhatNobodyTook) {
  const TestDir dir;
  const auto collection = *Collection::open(dir / "c", {.mode = Mode::kCreate});
  Recorder recorder(*collection, refuse);
  recorder.put(content(1, 99));
  const Status done = recorder.wait();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "nobody takes it");
}

}  // namespace
}  // namespace twinsift
