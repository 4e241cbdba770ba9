// SPDX-License-Identifier: Apache-2.0
// The papers behind twinsift, measured again: their tables and figures beside their claims.  And
// what find() itself makes of photos and recordings and their copies.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/pipeline.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct EvalOptions {
  bool quick = false;   // small sizes, under two minutes in all
  std::string corpus;   // JSON Lines with "text"; empty: documents are generated
  std::string images;   // a folder of pictures; empty: what depends on them is generated
  std::string vectors;  // a file of vectors, .fvecs or lines of numbers, instead of pictures
  // Of paper 001: networks that were trained (`train siamese`), one for each length of codes, and
  // that which they began with; pictures in folders of classes, those stored and those asked.
  std::vector<std::string> models{};
  std::string backbone{};
  std::string labelled{};
  std::string asked{};
  std::string recordings;  // a folder of sound and films for paper 004; empty: they are made up
  std::string part;        // of paper 004: tuning, network, audio, video or linkage; empty: all
  std::uint64_t seed = 1;  // of everything random
  // Further competitors beside the paper's own.  kInvalidArgument if one makes no sense there.
  std::vector<std::string> sketches{};
  std::vector<std::string> filters{};
  std::stop_token stop{};
  std::function<void(std::string_view what)> progress{};  // what is measured now
};

// One table or figure of a paper.
struct EvalClaim {
  std::string id;  // "table2", "fig5": the name of its file, too
  std::string title;
  std::string claim;    // what the paper says
  std::string verdict;  // what was measured, in a sentence
  bool holds = false;
};

// Regenerates the tables and figures of a paper ("000" to "004") into `directory`, which is
// made if it is missing: ID.tsv for each, and one page index.html with all of them.
TWINSIFT_EXPORT Result<std::vector<EvalClaim>> eval_paper(std::string_view paper,
                                                          const std::string& directory,
                                                          const EvalOptions& options);

enum class Half : std::uint8_t { kAll, kEven, kOdd };

struct ImageEvalOptions {
  std::uint32_t originals = 157;  // at most so many photos get copies
  Half half = Half::kAll;         // of them, those that are judged
  std::string same;      // file of pairs of photos that show the same; empty: equal bytes alone do
  std::string output;    // folder that keeps copies and lists; empty: nothing is kept
  std::string temp_dir;  // for the copies otherwise; empty: $TMPDIR or /tmp
  unsigned threads = 0;  // 0: all cores
  Callbacks callbacks{};
};

// How many copies were found, and how many of the reported pairs of a copy and a photo are right.
struct CopyScore {
  std::uint64_t copies = 0;
  std::uint64_t found = 0;  // with the photo they were made of
  std::uint64_t right = 0;  // pairs
  std::uint64_t wrong = 0;

  // Of nothing: 0.
  [[nodiscard]] double recall() const;
  // Of nothing: 1, for nothing was wrong.
  [[nodiscard]] double precision() const;
  CopyScore& operator+=(const CopyScore& other);
};

// At the levels "same" and "edited".
struct LevelScores {
  CopyScore same;
  CopyScore edited;
};

struct VersionScores {
  std::string name;  // "jpeg75", ...
  bool hard = false;
  LevelScores scores;
};

// Copies of one photo or recording that were reported with another: errors, unless a person who
// looks at the two sees that they are one.
struct WrongMatch {
  std::string level;
  std::string original;
  std::string other;
  std::uint64_t copies = 0;
};

struct ImageEval {
  LevelScores standard;
  LevelScores hard;
  std::vector<VersionScores> versions;
  std::vector<WrongMatch> wrong;  // most copies first
  std::uint64_t originals = 0;    // that were judged
  std::uint64_t distractors = 0;  // the other photos that could be read
  std::vector<std::string> notes;
  std::vector<Skipped> skipped;
  double seconds_copies = 0;  // by the clock
  double seconds_same = 0;
  double seconds_edited = 0;
};

// Makes 27 copies (src/eval/copies/versions.h) of photos below `folder` whose longer side has 400
// pixels or more, looks for them among all photos there by find() as it is shipped, and counts.
// Which photos are taken follows from their bytes, not from their names.  No file below `folder`
// is changed.
TWINSIFT_EXPORT Result<ImageEval> eval_images(const std::string& folder,
                                              const ImageEvalOptions& options);

struct RecordingEvalOptions {
  std::uint32_t originals = 40;  // at most so many recordings get copies
  Half half = Half::kAll;        // of them, those that are judged
  std::string sound = "print";   // what is compared, as in MatchOptions
  std::string film = "codes";
  std::string same;      // file of pairs of recordings that are the same; empty: equal bytes alone
  std::string output;    // folder that keeps copies and lists; empty: nothing is kept
  std::string temp_dir;  // for the copies otherwise; empty: $TMPDIR or /tmp
  unsigned threads = 0;  // 0: all cores
  Callbacks callbacks{};
};

// Of the copies that were found with their originals: whether the longest shared stretch is where
// it should be, and how much of the copies the stretches cover.
struct PlaceScore {
  std::uint64_t judged = 0;
  std::uint64_t right = 0;
  double covered = 0;  // sum of shares

  // Of nothing: 0.
  [[nodiscard]] double offset_ok() const;
  [[nodiscard]] double coverage() const;
};

struct AttackScores {
  std::string name;  // "mp3_96", ...
  LevelScores scores;
  PlaceScore places;  // at the level "edited"
};

struct RecordingEval {
  LevelScores all;
  std::vector<AttackScores> attacks;
  std::vector<WrongMatch> wrong;  // most copies first
  std::uint64_t originals = 0;    // that were judged
  std::uint64_t distractors = 0;  // the other recordings that could be read
  std::vector<std::string> notes;
  std::vector<Skipped> skipped;
  double seconds_copies = 0;  // by the clock
  double seconds_same = 0;
  double seconds_edited = 0;
};

// Makes attacked copies (src/eval/av_copies/attacks.h) of recordings below `folder`: of music and
// speech that lasts 20 to 300 seconds, or of films that last 4 to 180; looks for them among
// everything there by find() as it is shipped, and counts.  Which recordings are taken follows from
// their bytes, not from their names.  No file below `folder` is changed.
TWINSIFT_EXPORT Result<RecordingEval> eval_audio(const std::string& folder,
                                                 const RecordingEvalOptions& options);
TWINSIFT_EXPORT Result<RecordingEval> eval_video(const std::string& folder,
                                                 const RecordingEvalOptions& options);

}  // namespace twinsift
