// SPDX-License-Identifier: Apache-2.0
// The persistent collection: what was seen once is known for good.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "twinsift/pipeline.h"
#include "twinsift/report.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct IndexOptions {
  std::string collection;  // a folder; it is made if need be
  MatchOptions match;      // of which features, threads and memory count
  std::string sketch;      // of features the collection has none of yet; empty: the default
  WalkOptions walk;
  bool retry_failed = false;
  std::string text_field = "text";  // of corpora
  std::string id_field;
  std::string format;  // of corpora: "jsonl", "csv"; empty: by name and content
  Callbacks callbacks;
};

struct IndexSummary {
  std::uint64_t items = 0;      // files or documents that were looked at
  std::uint64_t known = 0;      // of these, known and unchanged
  std::uint64_t forgotten = 0;  // paths that are no longer there
  std::uint64_t bytes = 0;      // that were read
  std::vector<Skipped> skipped;
  std::vector<StageStats> stages;
};

// Makes the collection know every file below the paths, as find() would.
TWINSIFT_EXPORT Result<IndexSummary> index_files(const std::vector<std::string>& paths,
                                                 const IndexOptions& options);

// Makes it know every document of JSON Lines or CSV files.
TWINSIFT_EXPORT Result<IndexSummary> index_corpora(const std::vector<std::string>& paths,
                                                   const IndexOptions& options);

// Makes it forget these paths and everything below them; how many it knew.
TWINSIFT_EXPORT Result<std::uint64_t> index_remove(const std::vector<std::string>& paths,
                                                   const IndexOptions& options);

// What a person says of the contents of two files: "not-duplicate", "related" or "none", which
// takes it back.  find() never groups what was told apart.
TWINSIFT_EXPORT Status set_verdict(const std::string& a, const std::string& b,
                                   std::string_view verdict, const std::string& collection);

struct IndexStat {
  std::uint64_t files = 0;     // and documents of corpora
  std::uint64_t contents = 0;  // with features
  std::uint64_t failures = 0;  // contents that could not be decoded
  std::uint64_t verdicts = 0;
  std::uint64_t removed = 0;  // contents that were seen before and removed
  std::uint64_t data_bytes = 0;
  std::uint64_t segment_bytes = 0;
  std::uint64_t dead_bytes = 0;  // that compacting would free
  std::uint64_t segments = 0;
  std::uint64_t unsorted = 0;        // records that no segment covers yet
  std::uint64_t largest_bucket = 0;  // contents that one look into one table brings
  std::vector<std::pair<std::string, std::uint64_t>> detectors;  // spec, contents
};
TWINSIFT_EXPORT Result<IndexStat> index_stat(const std::string& collection);

// What is wrong, one sentence each; nothing if all is well.
TWINSIFT_EXPORT Result<std::vector<std::string>> index_verify(const std::string& collection);
// Makes the best of a damaged collection; says what was lost.
TWINSIFT_EXPORT Result<std::vector<std::string>> index_repair(const std::string& collection);
// Frees what is no longer needed; how many bytes.  A sketch that is not empty replaces all others.
TWINSIFT_EXPORT Result<std::uint64_t> index_compact(const std::string& collection,
                                                    const std::string& sketch = {});

struct QueryOptions {
  std::string collection;
  MatchOptions match;
  std::size_t limit = 20;  // the best so many contents; 0: all
};

// Where a content was seen.
struct QueryPlace {
  std::string path;        // real bytes
  std::uint64_t part = 0;  // document of a corpus, from 1; 0: the file itself
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;
  bool offline = false;  // on a volume that is not there at the moment
};

struct QueryMatch {
  double score = 0;        // by exact computation, unless the question was a signature
  double std_error = 0;    // of the score, if it is an estimate
  bool identical = false;  // the same bytes
  std::string digest;
  std::vector<Fact> facts{};
  std::vector<QueryPlace> places{};
};

struct QueryAnswer {
  Member item;
  std::string medium;
  std::vector<QueryMatch> matches;  // best first
  std::string guarantee;
  std::string removed_path;  // "seen before, removed": where it was then; empty if not
  std::string signature;     // by which the same question can be asked without the item
  std::uint64_t candidates = 0;
  std::uint64_t survivors = 0;
  double seconds = 0;  // of the search alone
};

// What in the collection resembles these bytes.
TWINSIFT_EXPORT Result<QueryAnswer> query(const Input& item, const QueryOptions& options);
// The same for a file, which may be larger than memory if it is a recording.
TWINSIFT_EXPORT Result<QueryAnswer> query_file(const std::string& path,
                                               const QueryOptions& options);
// The same for a signature that an earlier answer had; scores are estimates.
TWINSIFT_EXPORT Result<QueryAnswer> query_signature(std::string_view signature,
                                                    const QueryOptions& options);

}  // namespace twinsift
