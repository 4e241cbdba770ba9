// SPDX-License-Identifier: Apache-2.0
// One recording against many, one after another: what of each does it share?
//
// The same steps as in sound_matcher.h; only the candidates come from a SoundProbe, so that nothing
// but the question is in memory, and whatever has no candidate is laid against the question at
// once.
//
// Cost:    measured in bench_sound: a quarter of what it takes to unpack and compare, and less.
#pragma once

#include <optional>

#include "index/sound_plan.h"
#include "index/sound_probe.h"
#include "verify/sound_match.h"

namespace twinsift {

// Threads may ask at the same time.
class SoundQuestion {
 public:
  // Requires: 0 < recall < 1.
  SoundQuestion(SoundPrint asked, double recall);

  // What match_sound(item, asked) tells, or nothing if there is no candidate.
  [[nodiscard]] std::optional<Timeline> match(const SoundPrint& item) const;

  // What is promised of the candidates.
  [[nodiscard]] const SoundPlan& plan() const { return plan_; }

 private:
  SoundPrint asked_;
  SoundPlan plan_;
  SoundProbe probe_;
};

}  // namespace twinsift
