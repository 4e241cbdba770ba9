// SPDX-License-Identifier: Apache-2.0
// find(), compare() and dedup(): the whole way of the data, one call each.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/report.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// "0.1.0"
TWINSIFT_EXPORT std::string_view version();

enum class Level : std::uint8_t { kSame, kEdited, kSimilar };

// How alike two items must be, and how sure the run must be to find them.
struct MatchOptions {
  Level level = Level::kSame;
  double threshold = 0;  // 0: what `level` means for the medium; text: 0.8, 0.6, 0.4
  double recall = 0.99;  // each pair at or above the threshold is found with this probability
  std::string features = "words:5";  // what of a text is compared
  std::string pictures = "gist";     // what of a picture is compared; see make_image_media()
  std::string sketch;  // see sketch.h; empty: fss1, or dart1 if features have weights; k is chosen
                       // by the tuner unless given
  std::string filter = "gs1";       // which stops comparing sketches early; see docs/algorithms
  std::string candidates = "auto";  // how pairs are found: auto, banding1, prefix1, sortmerge1; see
                                    // docs/algorithms
  unsigned threads = 0;             // 0: all cores
  std::uint64_t memory = 0;         // bytes the run may use; 0: half of the machine's
  std::string temp_dir;             // for what does not fit; empty: $TMPDIR or /tmp
};

struct WalkOptions {
  bool hidden = false;        // look into names that begin with a dot
  bool follow_links = false;  // symbolic links below the arguments
  bool one_file_system = false;
  int max_depth = -1;                // -1: no limit; 0: the arguments themselves
  std::uint64_t min_size = 1;        // bytes
  std::uint64_t max_size = 0;        // bytes; 0: no limit
  std::vector<std::string> names;    // globs of file names to look at; empty: all
  std::vector<std::string> exclude;  // globs of names or paths to leave out
};

// Called from one thread at a time, never after the call they were given to has returned.
struct Callbacks {
  std::function<void(const Progress&)> progress;
  std::function<void(const Skipped&)> skipped;
  std::function<void(const RunInfo&)> started;  // once, before any other
  std::stop_token stop;                         // ask the run to end early: kCancelled
};

struct FindOptions {
  MatchOptions match;
  WalkOptions walk;
  std::vector<std::string> references;  // folders to compare against, whose files always stay
  bool cross = false;                   // only pairs from different arguments
  bool exact_only = false;              // equal bytes only
  bool folders = true;                  // look for similar folders, too
  bool explain = false;                 // passages, texts, key points and previews in the evidence
  // Nanoseconds since 1970: only groups with a member, and pairs of folders with a file below, that
  // was modified then or later.  Everything is compared with everything all the same.
  std::optional<std::int64_t> new_since_ns;
  std::string collection;  // folder that remembers what was seen; empty: nothing is remembered
  std::string collection_sketch;  // of features it has none of yet; empty: the default
  bool retry_failed = false;      // decode again what the collection knows could not be decoded
  std::string command;            // for the report
  Callbacks callbacks;
};

TWINSIFT_EXPORT Result<Report> find(const std::vector<std::string>& paths,
                                    const FindOptions& options);
TWINSIFT_EXPORT Result<Report> find(std::string_view path, const FindOptions& options);

struct CompareOptions {
  MatchOptions match;
  bool explain = false;  // passages, texts, key points and previews in the evidence
  bool sketch = false;   // also say what sketch and filter make of the two
};

// What a run that looks at sketches would have known of two items.
struct SketchOpinion {
  std::string sketch;  // both specs in full
  std::string filter;
  Estimate estimate;
  Verdict verdict = Verdict::kOpen;
  std::uint32_t components_read = 0;  // until the verdict
  std::uint32_t components = 0;
};

struct Comparison {
  Member a;
  Member b;
  std::string medium;  // "file" if only bytes could be compared
  double score = 0;
  bool identical = false;
  Evidence evidence;
  std::optional<SketchOpinion> sketch;  // if asked for and both have something to sketch
  std::string text_a;                   // decoded texts, if explain
  std::string text_b;
  std::string preview_a;  // small pictures as JPEG or PNG, if explain
  std::string preview_b;
};

TWINSIFT_EXPORT Result<Comparison> compare(const std::string& a, const std::string& b,
                                           const CompareOptions& options);

enum class Keep : std::uint8_t { kFirst, kLongest };
enum class Drop : std::uint8_t { kExtra, kAll };  // kAll: every member of a group, none stays

struct DedupOptions {
  MatchOptions match;
  std::vector<std::string> inputs;   // "-": standard input
  std::vector<std::string> against;  // corpora whose documents must not come again
  std::string output;                // "-": standard output; empty: none
  std::string pairs;                 // path for {"a","b","score"}; empty: none
  std::string clusters;              // path for {"id","cluster","keeper"}; empty: none
  std::string text_field = "text";
  std::string id_field;  // empty: the 0-based line number
  std::string format;    // "jsonl", "csv"; empty: by name and content
  Keep keep = Keep::kFirst;
  Drop drop = Drop::kExtra;
  std::string command;
  Callbacks callbacks;
};

struct DedupSummary {
  RunInfo run;
  std::uint64_t documents = 0;
  std::uint64_t kept = 0;
  std::uint64_t dropped = 0;
  std::uint64_t clusters = 0;    // with two or more documents
  std::uint64_t pairs = 0;       // verified; all of them only if a pairs file was asked for
  std::uint64_t malformed = 0;   // lines passed over
  std::uint64_t repaired = 0;    // lines with invalid UTF-8 or surrogates, read with U+FFFD
  std::uint64_t bytes = 0;       // of input, uncompressed
  std::vector<Skipped> skipped;  // the first 1,000 malformed lines and unreadable inputs
  std::vector<std::string> notes;
  std::vector<StageStats> stages;
  std::uint64_t peak_rss = 0;
};

TWINSIFT_EXPORT Result<DedupSummary> dedup(const DedupOptions& options);

}  // namespace twinsift
