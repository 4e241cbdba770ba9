// SPDX-License-Identifier: Apache-2.0
// How alike two recordings are.
//
// What is seen decides where both have a film, for the same song under other pictures is not the
// same video; their sound is looked at as well, and told.  What is heard decides where neither has
// one.  A film and a mere sound are not compared.
#pragma once

#include <optional>

#include "feature/recording_print.h"
#include "twinsift/report.h"
#include "twinsift/result.h"
#include "twinsift/types.h"
#include "verify/time_score.h"

namespace twinsift {

struct RecordingMatch {
  TimeScore time{};
  std::optional<Timeline> sound{};
  std::optional<Timeline> film{};
};

// By what was found to be the same; `by_film`: both have films.
RecordingMatch recording_match_of(std::optional<Timeline> sound, std::optional<Timeline> film,
                                  bool by_film);

// The same, seen from the other.
RecordingMatch reversed(const RecordingMatch& match);

// kCorrupt if either print is damaged.
Result<RecordingMatch> match_recordings(const RecordingView& a, const RecordingView& b);

// What both have to be heard, film or not; nothing if that is nothing.
Result<std::optional<Timeline>> match_sounds_of(const RecordingView& a, const RecordingView& b);

Evidence evidence_of(RecordingMatch match);

}  // namespace twinsift
