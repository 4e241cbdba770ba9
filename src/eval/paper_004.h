// SPDX-License-Identifier: Apache-2.0
// What the sections on POND share: their sizes, and the recordings they are measured on.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/made_film.h"
#include "eval/made_sound.h"
#include "eval/report.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift::paper_004 {

inline constexpr double kMinSim = 0.9;  // of the paper's linkage
inline constexpr double kNearMinSim = 0.8;

struct Sizes {
  std::uint32_t songs = 24;
  double song_seconds = 92;  // fooid takes 89
  std::uint32_t films = 24;
  double film_seconds = 60;
  std::uint32_t programmes = 7;                     // of each length
  std::vector<double> lengths = {25, 50, 90, 150};  // seconds, of programmes to be split
  std::uint32_t pairs = 300;                        // of sets, for each point of Fig. 4
};

inline constexpr std::uint32_t kSongRate = 11025;  // Hz

// kCancelled if the run is to stop; otherwise tells what comes now.
Status begin(const EvalOptions& options, std::string_view what);

// Sections V and VI-B to VI-D: the choice of k and l, and what it costs.
Result<std::vector<EvalSection>> tuning(const EvalOptions& options, const Sizes& sizes);

// Section III-B on sound: what attacks leave of the fingerprints.  Requires: two songs or more.
Result<EvalSection> sound_attacks(const EvalOptions& options, const std::vector<Sound>& songs);

// Section III-B on films, likewise.  Requires: two films or more.
Result<EvalSection> film_attacks(const EvalOptions& options, const std::vector<Film>& films);

// A film and what it was cut into, all encoded again.
struct Programme {
  Film whole;
  std::vector<std::vector<Film>> splits;  // into 2, 3, 4 parts
};
// Cuts and encodes as the evaluation of Fig. 6 does.
Programme make_programme(Film whole);

// Section VI-E, Fig. 6.  Requires: two programmes or more.
Result<EvalSection> linkage(const EvalOptions& options, const std::vector<Programme>& programmes);

Result<EvalReport> evaluate(const EvalOptions& options, const Sizes& sizes);

}  // namespace twinsift::paper_004
