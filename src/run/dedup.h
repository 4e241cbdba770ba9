// SPDX-License-Identifier: Apache-2.0
// The steps of dedup(): read documents, match them, write what stays.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/spill.h"
#include "feature/shingle.h"
#include "feature/tfidf.h"
#include "group/matcher.h"
#include "ingest/corpus.h"
#include "run/run.h"
#include "twinsift/pipeline.h"

namespace twinsift {

class DedupRun {
 public:
  static Result<std::unique_ptr<DedupRun>> make(const DedupOptions& options);
  ~DedupRun();
  DedupRun(const DedupRun&) = delete;
  DedupRun& operator=(const DedupRun&) = delete;

  Status read();   // ingest, feature, sketch
  Status match();  // index, verify, group
  Status write();  // report
  DedupSummary summary();

 private:
  // Where a document stands, so that it can be read again.
  struct Place {
    std::uint64_t offset = 0;
    std::uint32_t length = 0;
    std::uint32_t input = 0;
    std::uint64_t record = 0;
  };
  struct Source {
    std::string path;
    std::unique_ptr<CorpusReader> reader;
    std::uint64_t first_line = 0;  // lines of the inputs before this one
    bool reference = false;
  };
  struct ReadJob;  // one input being read by all workers
  struct BlockResult;
  struct Bench;  // what a thread needs to read documents again

  explicit DedupRun(const DedupOptions& options);
  Status open_sources();
  Status open_source(const std::string& path, bool reference);
  [[nodiscard]] Result<bool> features_fit() const;
  Status count_documents();
  Status count_source(const Source& source, ProgressMeter& meter, DocumentFrequencies& all);
  Status read_source(std::uint32_t input, ProgressMeter& meter);
  void work(ReadJob& job, ProgressMeter& meter);
  void parse_block(const Block& block, std::uint32_t input, RecordParser& parser,
                   BlockResult& result);
  Status commit(BlockResult& result);
  std::unique_ptr<Bench> take_bench();
  void give_bench(std::unique_ptr<Bench> bench);
  Result<std::string_view> read_again(DocId document, Bench& bench);
  Result<WeightedSet> remake(DocId document);
  Result<bool> same_text(DocId a, DocId b);
  void decide();
  using Files = std::vector<std::unique_ptr<AtomicFile>>;
  Status write_kept(Files& files);
  struct Stretch {
    std::uint64_t offset;
    std::uint64_t length;
  };
  void next_kept(std::uint32_t input, DocId& next, std::vector<Stretch>& out) const;
  Result<std::string_view> read_lines(std::uint32_t input, std::span<const Stretch> stretches,
                                      std::string& buffer) const;
  Status write_source(std::uint32_t input, AtomicFile& file);
  Status write_pairs(Files& files);
  Status write_clusters(Files& files);
  [[nodiscard]] std::string id_of(DocId document) const;
  void note_promises();

  DedupOptions options_;
  Resolved resolved_;
  std::optional<Shingler> shingler_;
  std::optional<IdfTable> idf_;  // if terms are weighed
  std::unique_ptr<Matcher> matcher_;
  std::vector<Source> sources_;
  std::uint64_t total_bytes_ = 0;  // of the input files; 0 if unknown

  SpillVector<Place> places_;
  std::string ids_;  // JSON tokens of all documents, if they are needed
  std::vector<std::uint64_t> id_ends_;
  std::uint32_t references_ = 0;  // documents of the corpora to compare against

  Matcher::Outcome outcome_;
  std::vector<std::uint8_t> stays_;
  std::mutex bench_mutex_;
  std::vector<std::unique_ptr<Bench>> benches_;
  DedupSummary summary_;
};

}  // namespace twinsift
