// SPDX-License-Identifier: Apache-2.0
#include "feature/recording_print.h"

#include <gtest/gtest.h>

namespace twinsift {
namespace {

const RecordingPrint kPrint{
    .seconds = 12.5, .width = 640, .height = 360, .sound = {1, 2, 3}, .film = {4, 5}};

TEST(RecordingPrint, ComesBackAsItWas) {
  const Packed packed = pack(kPrint);
  const auto view = view_recording(packed);
  ASSERT_TRUE(view);
  EXPECT_EQ((RecordingPrint{.seconds = view->seconds,
                            .width = view->width,
                            .height = view->height,
                            .sound = {view->sound.begin(), view->sound.end()},
                            .film = {view->film.begin(), view->film.end()}}),
            kPrint);
}

TEST(RecordingPrint, RefusesEveryOtherLength) {
  const std::size_t right = pack(kPrint).words.size();
  for (std::size_t length = 0; length < right + 3; ++length) {
    if (length == right) continue;
    Packed packed = pack(kPrint);
    packed.words.resize(length);
    const auto view = view_recording(packed);
    ASSERT_FALSE(view) << length;
    EXPECT_EQ(view.error().code, ErrorCode::kCorrupt);
  }
}

TEST(RecordingPrint, RefusesCountsAndTimesThatCannotBe) {
  for (const std::size_t word : {std::size_t{0}, std::size_t{2}}) {
    Packed packed = pack(kPrint);
    packed.words[word] = UINT64_MAX;
    EXPECT_FALSE(view_recording(packed)) << word;
  }
}

TEST(RecordingPrint, RefusesSets) {
  const Packed packed = pack(kPrint);
  EXPECT_FALSE(view_recording(SetView(packed.words)));
}

}  // namespace
}  // namespace twinsift
