// SPDX-License-Identifier: Apache-2.0
// What two recordings share, in one plain line.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/report.h"

namespace twinsift {

// "0:07", "3:05", "1:02:03".
TWINSIFT_EXPORT std::string clock_time(double seconds);
// "0:30-1:00".
TWINSIFT_EXPORT std::string clock_span(double begin, double end);

// How the line calls the two: "is 0:30-1:00 of it", or "is 0:30-1:00 of A".
struct RecordingNames {
  std::string_view a = "it";
  std::string_view b = "this one";
};

// Whether a recording with these facts has sound, or film.
bool has_sound(std::span<const Fact> facts);
bool has_film(std::span<const Fact> facts);

// The timeline that says what the two are to each other: that of the film, or, if there is none,
// that of the sound; null if there is neither.
TWINSIFT_EXPORT const Timeline* main_timeline(const Evidence& evidence);

// How much time they share, and what that makes a to b: see time_score.h.
struct SharedTime {
  double seconds_a = 0;  // by the clock of a
  double share_a = 0;    // of their time
  double share_b = 0;
  Relation relation = Relation::kLinked;
};
SharedTime shared_time(const Timeline& timeline);

// What b is to a: "the same, 3:05, begins 0:12 later", "is 0:30-1:00 of it, runs 3 % faster and
// higher", "shares 1:05 with it: 0:10-0:40 and 1:00-1:35, which is 40 % of it and 62 % of this
// one", and whether sound and film agree.  Empty if there is no evidence of recordings.
// Exported for `twinsift compare`.
TWINSIFT_EXPORT std::string recording_words(const Evidence& evidence, const Member& a,
                                            const Member& b, const RecordingNames& names = {});

// The same of a link between groups, to be put behind the name of b.
std::string link_words(const RecordingLink& link, const RecordingNames& names);

// What was done to b: "3 % faster and higher", "pitch +1.0 semitones", "mirrored".  In the page
// these are badges.
std::vector<std::string> change_words(const Evidence& evidence);

}  // namespace twinsift
