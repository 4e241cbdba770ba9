// SPDX-License-Identifier: Apache-2.0
// What the sections on POND share: their sizes, and what the methods see of recordings.
//
// Recordings are made up (paper_004_made.h), or those of a folder (paper_004_real.h).  Either way a
// section gets what the methods, the paper's and ours, keep of them.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/made_film.h"
#include "eval/made_sound.h"
#include "eval/report.h"
#include "feature/film_print.h"
#include "feature/fooid.h"
#include "feature/hsv_frames.h"
#include "feature/sound_print.h"
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
  std::uint32_t peers = 100'000;                    // of the paper's network
  std::uint32_t documents = 802'253;                // that they publish
  std::uint32_t searches = 100'000;                 // at most, for near duplicates
  std::uint32_t texts = 50'000;                     // of a corpus, at most
  std::uint32_t sample = 2000;                      // of these, compared with all others
  std::uint32_t configurations = 400;               // of networks, for the optimiser
  std::uint32_t virtual_peers = 100;                // in virtual time
  std::uint32_t virtual_texts = 1200;               // that they publish
  std::uint32_t virtual_questions = 500;            // at most
  std::uint32_t virtual_seeds = 4;                  // of networks
};

inline constexpr std::uint32_t kSongRate = 11025;  // Hz

// kCancelled if the run is to stop; otherwise tells what comes now.
Status begin(const EvalOptions& options, std::string_view what);

// Sections V and VI-B: the choice of k and l, and what it costs.
Result<std::vector<EvalSection>> tuning(const EvalOptions& options, const Sizes& sizes);

// Sections VI-C and VI-D: lookups, recall and messages in a network, and our labels.
Result<std::vector<EvalSection>> network(const EvalOptions& options, const Sizes& sizes);

// Section VI-C again with peers of ours in virtual time, which a program of its own runs.
// kNotFound: there is none.
Result<std::vector<EvalSection>> virtual_peers(const EvalOptions& options, const Sizes& sizes);

// A song as each method hears it.
struct Heard {
  std::optional<FooidPrint> fooid;  // none of less than 10 s
  TokenSet strings;                 // POND's
  std::vector<std::uint32_t> codes;
  TokenSet code_set;
  SoundPrint print;  // ours
};

// At kSongRate.  Our print is made of the same samples.
Result<Heard> hear(const Sound& sound);

inline constexpr std::array<std::uint32_t, 2> kTops = {3, 5};  // m

// A film as each method sees it.
struct Seen {
  double seconds = 0;
  std::array<TokenSet, kTops.size()> sets;  // POND's, for each m
  std::array<std::vector<HsvSegment>, kTops.size()> segments;
  FilmPrint print;  // ours
};

// Our print is made of the same few small frames.
Seen see(const Film& film);

// What find() makes of the time that two recordings share: 0 if none.
double our_score(const std::optional<Timeline>& timeline);
// From this score on they are linked or one contains the other: the level edited.
inline constexpr double kOurLeast = 0.6;

struct Attack {
  std::string name;
  bool codec = false;  // nothing else was changed
};

// Originals, and what attacks make of them: copies(a) has the copies of all originals under attack
// a, or nothing for one that could not be made.
template <class Described>
struct Trial {
  std::vector<Described> originals;
  std::vector<Attack> attacks;
  std::function<Result<std::vector<std::optional<Described>>>(std::size_t attack)> copies;
};

// Section III-B on sound: what attacks leave of the fingerprints.  Requires: two songs or more.
Result<EvalSection> sound_attacks(const EvalOptions& options, const Trial<Heard>& songs);

// Section III-B on films, likewise.  Requires: two films or more.
Result<EvalSection> film_attacks(const EvalOptions& options, const Trial<Seen>& films);

// A part of a film.
struct Part {
  Seen seen;
  double begin = 0;  // seconds of the whole
  double end = 0;
};

// A film and what it was cut into, all encoded again.
struct Programme {
  Seen whole;
  std::vector<std::vector<Part>> splits;  // into 2, 3, 4 parts
  std::vector<std::string> clips{};       // what it was joined from
};

// What a program, given all films and all parts, answered for one part: the films that it named,
// by their places among the programmes, and the time of the own one that it said to be shared.
struct Answer {
  std::vector<std::size_t> films;
  std::optional<double> begin;
  std::optional<double> end;
};
// In the order of the programmes, their splits and parts.
struct Answers {
  std::string name;
  std::vector<Answer> answers;
};

// Section VI-E, Fig. 6.  `others` have been asked elsewhere.  Requires: two programmes or more.
Result<EvalSection> linkage(const EvalOptions& options, const std::vector<Programme>& programmes,
                            const std::vector<Answers>& others = {});

Result<EvalReport> evaluate(const EvalOptions& options, const Sizes& sizes);

}  // namespace twinsift::paper_004
