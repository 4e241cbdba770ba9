// SPDX-License-Identifier: Apache-2.0
// index_corpora(): every document of a corpus file becomes an item of the collection, known as the
// part of that file whose number it has, from 1.
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/cancel.h"
#include "base/parallel.h"
#include "feature/shingle.h"
#include "feature/token_set.h"
#include "ingest/corpus.h"
#include "ingest/file_system.h"
#include "run/known_files.h"
#include "run/recorder.h"
#include "run/run.h"
#include "store/collection.h"
#include "twinsift/media.h"
#include "twinsift/store.h"

namespace twinsift {
namespace {

constexpr std::size_t kListedSkips = 1000;
// The record that says how the file was when all of its documents had been taken; its digest is
// that of how they were read, because other fields or features need another look.
constexpr std::uint64_t kWhole = std::numeric_limits<std::uint64_t>::max();

// The same path on another volume is another corpus.
bool is_document_of(const FileRecord& whole, const FileView& file) {
  return file.path == whole.key.path && file.volume == whole.key.volume && file.part != 0 &&
         file.part != kWhole;
}

class CorpusIndexer {
 public:
  static Result<std::unique_ptr<CorpusIndexer>> make(const IndexOptions& options);
  Status add(const std::string& path);
  Result<IndexSummary> finish();

 private:
  struct Source {
    FileRecord whole;  // of the file as it is now
    std::optional<CorpusReader> reader;
    std::mutex mutex;  // guards the reader and the error
    std::optional<Error> error;
  };

  Result<bool> is_known(const FileRecord& whole);
  [[nodiscard]] Digest how_read() const;
  void work(Source& source, ProgressMeter& meter);
  bool next(Source& source, Block& block);
  Status put(const Source& source, const Document& document, Shingles& shingles);
  Description describe(std::string_view text, Shingles& shingles) const;
  [[nodiscard]] Status in_order() const;
  void malformed(const std::string& path, std::uint64_t record, std::string_view reason);
  Status forget_parts(const Source& source);

  IndexOptions options_;
  Resolved resolved_;
  std::optional<Shingler> shingler_;
  std::unique_ptr<Collection> collection_;
  std::string spec_;
  DetectorId detector_ = 0;
  std::unique_ptr<Recorder> recorder_;
  std::mutex mutex_;  // guards the summary
  IndexSummary summary_;
};

Result<std::unique_ptr<CorpusIndexer>> CorpusIndexer::make(const IndexOptions& options) {
  auto indexer = std::make_unique<CorpusIndexer>();
  indexer->options_ = options;
  TWINSIFT_TRY(indexer->resolved_, resolve(options.match));
  TWINSIFT_TRY(indexer->shingler_, Shingler::make(options.match.features));
  TWINSIFT_TRY(const auto medium, make_text_media(options.match.features));
  TWINSIFT_TRY(indexer->collection_,
               Collection::open(options.collection, {.mode = CollectionOptions::Mode::kCreate,
                                                     .sketch = options.sketch}));
  indexer->spec_ = medium->spec();
  TWINSIFT_TRY(indexer->detector_, indexer->collection_->add_detector(indexer->spec_));
  indexer->recorder_ =
      std::make_unique<Recorder>(*indexer->collection_, [](const LearntContent&) -> Status {
        return Error{ErrorCode::kInvalidArgument, "a document is too long for a collection"};
      });
  return indexer;
}

Digest CorpusIndexer::how_read() const {
  const std::string how =
      fmt::format("{}\n{}\n{}\n{}", spec_, options_.format, options_.text_field, options_.id_field);
  return digest_of(std::as_bytes(std::span(how)));
}

// The documents of a corpus that has not changed, and was read in the same way, are known, every
// one.
Result<bool> CorpusIndexer::is_known(const FileRecord& whole) {
  TWINSIFT_TRY(const auto known, collection_->file(whole.key));
  if (!known || known->digest != whole.digest || !is_unchanged(*known, whole)) return false;
  std::uint64_t documents = 0;
  const auto take = [&](const FileView& file) -> Status {
    documents += is_document_of(whole, file) ? 1U : 0U;
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto listed, collection_->files_below(whole.key.path, take));
  summary_.items += documents;
  summary_.known += documents;
  return true;
}

bool CorpusIndexer::next(Source& source, Block& block) {
  const std::scoped_lock lock(source.mutex);
  if (source.error || options_.callbacks.stop.stop_requested()) return false;
  const Result<bool> more = source.reader->next(block);
  if (!more) source.error = more.error();
  return more && *more;
}

Status CorpusIndexer::put(const Source& source, const Document& document, Shingles& shingles) {
  FileRecord file = source.whole;
  file.key.part = document.record + 1;
  file.size = document.text.size();
  file.digest = digest_of(std::as_bytes(std::span(document.text)));
  TWINSIFT_TRY(const bool mine, recorder_->claim(detector_, *file.digest));
  if (mine) {
    recorder_->put(LearntContent{.digest = *file.digest,
                                 .detector = detector_,
                                 .description = describe(document.text, shingles)});
  }
  recorder_->put(std::move(file));
  return in_order();
}

Description CorpusIndexer::describe(std::string_view text, Shingles& shingles) const {
  shingler_->shingle(text, shingles);
  Description description;
  description.facts = {{"tokens", std::to_string(shingles.tokens)}};
  if (shingles.tiny) return description;
  if (shingler_->weights()) {
    description.features.push_back({as_weights(count_terms(std::move(shingles.ids)))});
  } else {
    make_set(shingles.ids);
    description.features.push_back({std::exchange(shingles.ids, {})});
  }
  return description;
}

// Whoever fills a collection wants to know at once that it takes no more.
Status CorpusIndexer::in_order() const {
  std::string trouble = recorder_->trouble();
  if (trouble.empty()) return ok();
  return Error{ErrorCode::kIo, std::move(trouble)};
}

void CorpusIndexer::malformed(const std::string& path, std::uint64_t record,
                              std::string_view reason) {
  const std::scoped_lock lock(mutex_);
  const Skipped skipped{fmt::format("{}:{}", path, record + 1), "malformed", std::string(reason)};
  if (options_.callbacks.skipped) options_.callbacks.skipped(skipped);
  if (summary_.skipped.size() < kListedSkips) summary_.skipped.push_back(skipped);
}

void CorpusIndexer::work(Source& source, ProgressMeter& meter) {
  RecordParser parser(*source.reader);
  Shingles shingles;
  std::uint64_t documents = 0;
  std::optional<Error> error;
  for (Block block; !error && next(source, block);) {
    const auto take = [&](const Document& document) {
      if (error) return;
      const Status done = put(source, document, shingles);
      if (!done) error = done.error();
      ++documents;
    };
    parser.parse(block, take, [&](std::uint64_t record, std::string_view reason) {
      malformed(source.whole.key.path, record, reason);
    });
    meter.add(block.ends.size(), block.bytes().size(), source.whole.key.path);
  }
  const std::scoped_lock lock(source.mutex, mutex_);
  if (error && !source.error) source.error = error;
  summary_.items += documents;
}

// Documents that the file no longer has: those that this run has not put.
Status CorpusIndexer::forget_parts(const Source& source) {
  std::vector<ItemKey> keys;
  const auto take = [&](const FileView& file) -> Status {
    if (is_document_of(source.whole, file) && file.seen_ns != source.whole.seen_ns) {
      keys.push_back({std::string(file.path), file.part, file.volume});
    }
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] auto listed, collection_->files_below(source.whole.key.path, take));
  for (const ItemKey& key : keys) {
    TWINSIFT_TRY([[maybe_unused]] auto put,
                 collection_->put(FileRecord{.key = key, .dropped = true}));
  }
  summary_.forgotten += keys.size();
  return ok();
}

Status CorpusIndexer::add(const std::string& path) {
  struct stat status {};
  if (const int error = stat_path(path, true, status); error != 0) return errno_error(path, error);
  Source source;
  source.whole = record_of_file(absolute_path(path), status);
  source.whole.key.part = kWhole;
  source.whole.digest = how_read();
  TWINSIFT_TRY(const bool known, is_known(source.whole));
  if (known) return ok();
  CorpusOptions how{.format = options_.format,
                    .text_field = options_.text_field,
                    .id_field = options_.id_field,
                    .temp_dir = options_.match.temp_dir,
                    .stop = options_.callbacks.stop};
  TWINSIFT_TRY(source.reader, CorpusReader::open(path, how));
  ProgressMeter meter(options_.callbacks, "reading", 0, 0);
  parallel_for(resolved_.threads, resolved_.threads, options_.callbacks.stop,
               [&](std::size_t, unsigned) { work(source, meter); });
  const Status recorded = recorder_->wait();
  if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  summary_.bytes += source.whole.size;
  if (source.error && source.error->code == ErrorCode::kCorrupt) {
    // Damaged compressed data: what came before the damage is good.
    summary_.skipped.push_back({path, "damaged", source.error->message});
    return ok();
  }
  if (source.error) return *source.error;
  TWINSIFT_TRY([[maybe_unused]] auto good, in_order());
  TWINSIFT_TRY([[maybe_unused]] auto all, recorded);
  TWINSIFT_TRY([[maybe_unused]] auto forgotten, forget_parts(source));
  return collection_->put(source.whole);
}

Result<IndexSummary> CorpusIndexer::finish() {
  TWINSIFT_TRY([[maybe_unused]] auto flushed, collection_->flush());
  return std::move(summary_);
}

}  // namespace

Result<IndexSummary> index_corpora(const std::vector<std::string>& paths,
                                   const IndexOptions& options) {
  TWINSIFT_TRY(const auto indexer, CorpusIndexer::make(options));
  for (const std::string& path : paths) {
    TWINSIFT_TRY([[maybe_unused]] auto added, indexer->add(path));
  }
  return indexer->finish();
}

}  // namespace twinsift
