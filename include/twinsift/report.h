// SPDX-License-Identifier: Apache-2.0
// What a run found, and SEAM 4: where output formats plug in.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/recording.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// One file of a group.
struct Member {
  std::string path;  // real bytes, perhaps not UTF-8
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  std::string digest;                // XXH3-128 of the content, 32 hex digits
  std::vector<Fact> facts{};         // format, charset, words, ...
  std::vector<std::string> links{};  // other names of the very same file (hard links)
  bool reference = false;            // found below FindOptions::references: it always stays
};

// What a is to b.  kLinked: two recordings share stretches of time, and each has others besides, so
// that neither stands for the other.
enum class Relation : std::uint8_t { kSame, kContains, kContained, kLinked };

// Two members of a group, by their places in Group::members.
struct MemberPair {
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  double score = 0;
  bool identical = false;  // the same bytes
  Relation relation = Relation::kSame;
  Evidence evidence;   // passages only if FindOptions::explain
  std::string text_a;  // the decoded texts, only if FindOptions::explain
  std::string text_b;
  std::string preview_a{};  // small pictures as JPEG or PNG, only if FindOptions::explain
  std::string preview_b{};
  RecordingStrip strip_a{};  // the recordings at a glance, only if FindOptions::explain
  RecordingStrip strip_b{};
};

// Near-duplicates.  Every member matches members[0], the one to keep, directly and by exact
// computation; `pairs` holds these comparisons, in the order of the members.
struct Group {
  std::uint64_t id = 0;  // 1, 2, ... in the order of the report
  std::string medium;    // "text", ..., or "file" if only the bytes were compared
  double score = 1;      // the lowest score of its pairs
  std::vector<Member> members;
  std::vector<MemberPair> pairs;

  [[nodiscard]] const Member& representative() const { return members.front(); }
};

// Two folders that share content.  A folder is the set of its files' contents, at any depth;
// equal files count once.
struct FolderPair {
  std::string a;
  std::string b;
  Relation relation = Relation::kSame;  // kContains: a holds (nearly) all of b
  double jaccard = 0;
  double containment_a = 0;  // share of a's contents that b has
  double containment_b = 0;
  std::uint64_t both = 0, only_a = 0, only_b = 0;                    // contents
  std::uint64_t both_bytes = 0, only_a_bytes = 0, only_b_bytes = 0;  // bytes
};

// Two recordings that share stretches of time and are not compared in one group: the film of one
// group whose end is the beginning of the film of another.
struct RecordingLink {
  std::string a;  // paths, real bytes
  std::string b;
  std::string medium;  // "audio" or "video"
  double score = 0;
  Relation relation = Relation::kLinked;
  std::optional<Timeline> sound{};
  std::optional<Timeline> film{};
};

struct RunInfo {
  std::string version;
  std::string command;  // as typed
  std::string started;  // 2026-01-31T12:00:00Z
  double threshold = 0;
  double recall = 0;
  std::string level;  // "same", "edited", "similar", or empty if a number was given
  std::vector<std::string> detectors;  // specs: media, sketch, index, filter
  std::string guarantee;               // "k=256, bands=26x8, P(found at 0.80) >= 0.99"
  unsigned threads = 0;
  std::string folder{};  // where relative paths begin; empty if unknown
};

// What one stage did: how many items and bytes went in, how long it took, and its own counts.
struct StageStats {
  std::string name;
  std::uint64_t items = 0;
  std::uint64_t bytes = 0;
  double seconds = 0;
  std::vector<std::pair<std::string, std::uint64_t>> counts;  // {"candidates", 1204}, ...
};

struct Report {
  RunInfo run;
  std::vector<Group> groups;           // most bytes to gain first, then by path
  std::vector<RecordingLink> links{};  // by the paths of a, then b
  std::vector<FolderPair> folders;
  std::vector<Skipped> skipped;
  std::vector<std::string> notes;  // promises not kept, with the reason; contents removed before
  std::vector<StageStats> stages;
  std::uint64_t peak_rss = 0;  // bytes

  [[nodiscard]] auto begin() const { return groups.begin(); }
  [[nodiscard]] auto end() const { return groups.end(); }
};

// Where a run is now.  Totals are 0 while unknown.
struct Progress {
  std::string_view stage;
  std::uint64_t items = 0, total_items = 0;
  std::uint64_t bytes = 0, total_bytes = 0;
  std::string_view current;  // the item that has been in work the longest
};

struct ReportOptions {
  bool colour = false;
  bool null_separated = false;  // fdupes and text lists with NUL instead of newline
};

// Writes one format, piece by piece, into a sink.  Calls come in this order and from one
// thread at a time: begin, then progress and skip at any time, then groups, links, folders, end.  A
// run that is watched live calls begin before all is known: end has the final RunInfo.
// Not thread-safe.
class TWINSIFT_EXPORT Reporter {
 public:
  virtual ~Reporter() = default;
  virtual void begin(const RunInfo& run) = 0;
  virtual void progress(const Progress& progress) = 0;
  virtual void skip(const Skipped& skipped) = 0;
  virtual void group(const Group& group) = 0;
  virtual void link(const RecordingLink& link) = 0;
  virtual void folder(const FolderPair& pair) = 0;
  // The whole report once more: the run, notes, stages and totals.
  virtual void end(const Report& report) = 0;
};

// Takes bytes; returns false if they could not be written, after which nothing more comes.
using Sink = std::function<bool(std::string_view)>;

// "text", "json", "ndjson", "csv", "fdupes" or "html".
TWINSIFT_EXPORT Result<std::unique_ptr<Reporter>> make_reporter(std::string_view format,
                                                                ReportOptions options, Sink sink);

// Sends the groups, links, folders and end of a finished report to a reporter that has had begin().
TWINSIFT_EXPORT void write_report(const Report& report, Reporter& reporter);

}  // namespace twinsift
