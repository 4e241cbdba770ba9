// SPDX-License-Identifier: Apache-2.0
#include "report/recording_text.h"

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace twinsift {
namespace {

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

TEST(RecordingText, StretchesAreListedAndDrawnToScale) {
  const Timeline timeline{.seconds_a = 100,
                          .seconds_b = 60,
                          .stretches = {{20, 40, 0, 20}, {60, 100, 20, 60}},
                          .agreement = 0.9375};
  EXPECT_EQ(timeline_text("film", timeline, 38),
            R"(film         2 stretches, 1:00 of A, agreement 94 %
  1          A 0:20-0:40        B 0:00-0:20        lasts 0:20  offset +20.0 s
  2          A 1:00-1:40        B 0:20-1:00        lasts 0:40  offset +40.0 s
A            ....1111....22222222 1:40
B            111122222222         1:00
)");
}

TEST(RecordingText, AFasterCopyIsDrawnAsLongAsWhatItShows) {
  const Timeline timeline{.seconds_a = 100,
                          .seconds_b = 80,
                          .stretches = {{0, 100, 0, 80}},
                          .speed = 1.25,
                          .agreement = 1};
  EXPECT_EQ(timeline_text("sound", timeline, 28),
            R"(sound        1 stretch, 1:40 of A, agreement 100 %
  1          A 0:00-1:40        B 0:00-1:20        lasts 1:40  offset +0.0 s
A            1111111111 1:40
B            1111111111 1:20
)");
}

TEST(RecordingText, ManyStretchesAreNotAllListed) {
  Timeline timeline{.seconds_a = 600, .seconds_b = 600, .stretches = {}};
  for (int i = 0; i < 60; ++i) {
    timeline.stretches.push_back({10.0 * i, 10.0 * i + 9, 10.0 * i, 10.0 * i + 9});
  }
  const std::string text = timeline_text("film", timeline, 80);
  EXPECT_NE(text.find("\n             and 10 more\n"), std::string::npos);
  const std::string drawing = text.substr(text.find("\nA ") + 1);
  EXPECT_TRUE(drawing.starts_with("A            1")) << drawing;
  EXPECT_NE(drawing.find("9a"), std::string::npos) << "letters follow numbers";
  EXPECT_NE(drawing.find("##"), std::string::npos) << "and there are not letters enough";
}

// PROPERTY: whatever a report claims, the drawing has two lines of the same width, which fits.
RC_GTEST_PROP(RecordingText, TheDrawingFits, ()) {
  const auto number = [] { return *rc::gen::inRange(0, 5000) / 10.0; };
  Timeline timeline{.seconds_a = number(), .seconds_b = number(), .stretches = {}};
  timeline.speed = 0.1 + number() / 100;
  const auto count = *rc::gen::inRange<std::size_t>(0, 5);
  for (std::size_t i = 0; i < count; ++i) {
    timeline.stretches.push_back({number(), number(), number(), number()});
  }
  const auto width = *rc::gen::inRange<std::size_t>(0, 300);
  const std::string text = timeline_text("film", timeline, width);
  const std::string drawing = text.substr(text.rfind("\nA ") + 1);
  RC_ASSERT(std::ranges::count(drawing, '\n') == 2);
  RC_ASSERT(longest_line(drawing) <= std::max<std::size_t>(width, 32));
}

}  // namespace
}  // namespace twinsift
