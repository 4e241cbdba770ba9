// SPDX-License-Identifier: Apache-2.0
// The first step of dedup(): documents are read, counted if terms are weighed, and sketched.
#include <condition_variable>
#include <utility>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/parallel.h"
#include "run/dedup.h"

namespace twinsift {
namespace {

constexpr std::size_t kListedSkips = 1000;

}  // namespace

// Workers take blocks in turn and give back their documents in the same order.
struct DedupRun::ReadJob {
  CorpusReader* reader = nullptr;
  std::uint32_t input = 0;
  std::mutex read_mutex;
  std::uint64_t next_block = 0;
  bool ended = false;
  std::mutex commit_mutex;
  std::condition_variable committed;
  std::uint64_t next_commit = 0;
  std::uint64_t records = 0;
  std::optional<Error> error;
};

// What one block gave.
struct DedupRun::BlockResult {
  explicit BlockResult(const Matcher& matcher) : batch(matcher) {}
  Matcher::Batch batch;
  std::vector<Place> places;
  std::string ids;
  std::vector<std::uint64_t> id_ends;
  std::vector<Skipped> skipped;
  std::uint64_t malformed = 0;
  std::uint64_t repaired = 0;
};

void DedupRun::parse_block(const Block& block, std::uint32_t input, RecordParser& parser,
                           BlockResult& result) {
  const bool want_ids = !options_.pairs.empty() || !options_.clusters.empty();
  Shingles shingles;
  parser.parse(
      block,
      [&](const Document& document) {
        result.places.push_back({document.offset, static_cast<std::uint32_t>(document.raw.size()),
                                 input, document.record});
        result.repaired += document.repaired ? 1U : 0U;
        if (want_ids) {
          result.ids += document.id;
          result.id_ends.push_back(result.ids.size());
        }
        shingler_->shingle(document.text, shingles);
        result.batch.add(shingles, document.text, idf_ ? &*idf_ : nullptr);
      },
      [&](std::uint64_t record, std::string_view reason) {
        ++result.malformed;
        if (result.skipped.size() >= kListedSkips) return;
        result.skipped.push_back({fmt::format("{}:{}", sources_[input].path, record + 1),
                                  "malformed", std::string(reason)});
      });
}

Status DedupRun::commit(BlockResult& result) {
  TWINSIFT_TRY([[maybe_unused]] auto appended, matcher_->append(result.batch));
  TWINSIFT_TRY([[maybe_unused]] auto placed, places_.append(result.places));
  if (matcher_->spilled()) {
    TWINSIFT_TRY([[maybe_unused]] auto spilled, places_.spill(options_.match.temp_dir));
    places_.release();
  }
  const std::uint64_t base = ids_.size();
  ids_ += result.ids;
  for (const std::uint64_t end : result.id_ends) id_ends_.push_back(base + end);
  summary_.malformed += result.malformed;
  summary_.repaired += result.repaired;
  for (Skipped& skip : result.skipped) {
    if (options_.callbacks.skipped) options_.callbacks.skipped(skip);
    if (summary_.skipped.size() < kListedSkips) summary_.skipped.push_back(std::move(skip));
  }
  return ok();
}

void DedupRun::work(ReadJob& job, ProgressMeter& meter) {
  RecordParser parser(*job.reader);
  Block block;
  while (true) {
    std::uint64_t turn = 0;
    {
      const std::scoped_lock lock(job.read_mutex);
      if (job.ended || options_.callbacks.stop.stop_requested()) return;
      const Result<bool> more = job.reader->next(block);
      job.ended = !more || !*more;
      if (!more) job.error = more.error();
      if (job.ended) return;
      turn = job.next_block++;
      job.records = block.first_record + block.ends.size();
    }
    BlockResult result(*matcher_);
    parse_block(block, job.input, parser, result);
    meter.add(result.places.size(), block.bytes().size(), sources_[job.input].path);

    std::unique_lock lock(job.commit_mutex);
    job.committed.wait(lock, [&] { return job.next_commit == turn; });
    const Status done = commit(result);
    summary_.bytes += block.bytes().size();
    ++job.next_commit;
    job.committed.notify_all();
    if (done) continue;
    const std::scoped_lock read_lock(job.read_mutex);
    job.error = done.error();
    job.ended = true;
  }
}

Status DedupRun::read_source(std::uint32_t input, ProgressMeter& meter) {
  ReadJob job;
  job.reader = sources_[input].reader.get();
  job.input = input;
  parallel_for(resolved_.threads, resolved_.threads, options_.callbacks.stop,
               [&](std::size_t, unsigned) { work(job, meter); });
  if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  // Lines are numbered through all inputs, as if they were one file.
  if (!sources_[input].reference && input + 1 < sources_.size()) {
    sources_[input + 1].first_line = sources_[input].first_line + job.records;
  }
  if (!job.error) return ok();
  if (job.error->code != ErrorCode::kCorrupt) return *job.error;
  // Damaged compressed data: what came before the damage is good.
  const Skipped skipped{sources_[input].path, "damaged", job.error->message};
  if (options_.callbacks.skipped) options_.callbacks.skipped(skipped);
  summary_.skipped.push_back(skipped);
  return ok();
}

// Counts the documents that have each term, in one source, by all threads.
Status DedupRun::count_source(const Source& source, ProgressMeter& meter,
                              DocumentFrequencies& all) {
  std::mutex mutex;
  std::optional<Error> error;
  const auto next = [&](Block& block) {
    const std::scoped_lock lock(mutex);
    const Result<bool> more = source.reader->next(block);
    // Damage is told of in the second pass.
    if (!more && more.error().code != ErrorCode::kCorrupt) error = more.error();
    return more && *more && !options_.callbacks.stop.stop_requested();
  };
  const auto count = [&](std::size_t, unsigned) {
    RecordParser parser(*source.reader);
    DocumentFrequencies mine;
    Shingles shingles;
    const auto add = [&](const Document& document) {
      shingler_->shingle(document.text, shingles);
      mine.add(count_terms(std::move(shingles.ids)));
    };
    for (Block block; next(block);) {
      parser.parse(block, add, [](std::uint64_t, std::string_view) {});
      meter.add(block.ends.size(), block.bytes().size(), source.path);
    }
    const std::scoped_lock lock(mutex);
    all.merge(mine);
  };
  parallel_for(resolved_.threads, resolved_.threads, options_.callbacks.stop, count);
  if (error) return *error;
  return source.reader->rewind();
}

// The first of two passes that weights need.
Status DedupRun::count_documents() {
  const auto variant = shingler_->weights();
  if (!variant) return ok();
  StageClock clock("count");
  ProgressMeter meter(options_.callbacks, "counting", 0, total_bytes_);
  DocumentFrequencies frequencies;
  for (const Source& source : sources_) {
    TWINSIFT_TRY([[maybe_unused]] auto done, count_source(source, meter, frequencies));
    if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  }
  idf_ = IdfTable::freeze(frequencies, *variant);
  summary_.run.detectors.push_back(idf_->spec());
  clock.stats().items = frequencies.documents();
  clock.finish(summary_.stages);
  return ok();
}

Status DedupRun::read() {
  TWINSIFT_TRY([[maybe_unused]] auto counted, count_documents());
  StageClock clock("read");
  ProgressMeter meter(options_.callbacks, "reading", 0, total_bytes_);
  for (std::uint32_t input = 0; input < sources_.size(); ++input) {
    TWINSIFT_TRY([[maybe_unused]] auto done, read_source(input, meter));
    if (sources_[input].reference) references_ = matcher_->documents();
  }
  clock.stats().items = matcher_->documents();
  clock.stats().bytes = summary_.bytes;
  clock.finish(summary_.stages);
  return ok();
}

}  // namespace twinsift
