// SPDX-License-Identifier: Apache-2.0
#include "run/dedup.h"

#include <algorithm>
#include <condition_variable>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/parallel.h"

namespace twinsift {
namespace {

constexpr std::size_t kListedSkips = 1000;

}  // namespace

// What a thread needs to read documents of any input again.
struct DedupRun::Bench {
  std::vector<std::unique_ptr<RecordParser>> parsers;
  std::string raw;
  Shingles shingles;
};

DedupRun::DedupRun(const DedupOptions& options) : options_(options) {}
DedupRun::~DedupRun() = default;

Result<std::unique_ptr<DedupRun>> DedupRun::make(const DedupOptions& options) {
  std::unique_ptr<DedupRun> run(new DedupRun(options));  // NOLINT: the constructor is private
  if (options.inputs.empty()) {
    return Error{ErrorCode::kInvalidArgument, "dedup needs at least one input"};
  }
  TWINSIFT_TRY(run->resolved_, resolve(options.match));
  TWINSIFT_TRY(run->shingler_, Shingler::make(options.match.features));
  run->summary_.run = make_run_info(options.match, run->resolved_, options.command);
  TWINSIFT_TRY([[maybe_unused]] auto opened, run->open_sources());
  TWINSIFT_TRY(const bool store, run->features_fit());
  const bool weighted = run->shingler_->weights().has_value();
  TWINSIFT_TRY(Matcher matcher, Matcher::make({.threshold = run->resolved_.threshold,
                                               .recall = options.match.recall,
                                               .sketch = sketch_of(options.match, weighted),
                                               .filter = options.match.filter,
                                               .store_features = store,
                                               .weighted = weighted,
                                               .threads = run->resolved_.threads,
                                               .memory = run->resolved_.memory,
                                               .temp_dir = options.match.temp_dir}));
  run->matcher_ = std::make_unique<Matcher>(std::move(matcher));
  run->summary_.run.detectors = {"text1:" + run->shingler_->spec()};
  if (options.callbacks.started) options.callbacks.started(run->summary_.run);
  return run;
}

Status DedupRun::open_sources() {
  for (const std::string& path : options_.against) {
    TWINSIFT_TRY([[maybe_unused]] auto done, open_source(path, true));
  }
  for (const std::string& path : options_.inputs) {
    TWINSIFT_TRY([[maybe_unused]] auto done, open_source(path, false));
  }
  const Source* first = nullptr;
  for (const Source& source : sources_) {
    if (source.reference) continue;
    if (first == nullptr) first = &source;
    if (source.reader->header() != first->reader->header()) {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("{} and {} have different columns: dedup them one by one",
                               first->path, source.path)};
    }
  }
  return ok();
}

Status DedupRun::open_source(const std::string& path, bool reference) {
  TWINSIFT_TRY(CorpusReader reader, CorpusReader::open(path, {.format = options_.format,
                                                              .text_field = options_.text_field,
                                                              .id_field = options_.id_field,
                                                              .temp_dir = options_.match.temp_dir,
                                                              .spool = true,
                                                              .stop = options_.callbacks.stop}));
  struct stat info {};
  if (path != "-" && stat(path.c_str(), &info) == 0) {
    total_bytes_ += static_cast<std::uint64_t>(info.st_size);
  }
  sources_.push_back({.path = path,
                      .reader = std::make_unique<CorpusReader>(std::move(reader)),
                      .first_line = 0,
                      .reference = reference});
  return ok();
}

// Small corpora and those of short documents are compared by their features themselves: the
// exact join needs them.
Result<bool> DedupRun::features_fit() const {
  constexpr std::uint64_t kSmall = std::uint64_t{3} << 20U;  // compressed, perhaps, to an eighth
  constexpr std::uint64_t kShort = 40;  // features; below that the exact join is quicker
  constexpr std::uint64_t kSample = 500;
  if (total_bytes_ > 0 && total_bytes_ < kSmall) return true;
  CorpusReader& reader = *sources_.front().reader;
  RecordParser parser(reader);
  Block block;
  std::uint64_t documents = 0;
  std::uint64_t features = 0;
  Shingles shingles;
  TWINSIFT_TRY(const bool more, reader.next(block));
  if (more) {
    parser.parse(
        block,
        [&](const Document& document) {
          if (++documents > kSample) return;
          shingler_->shingle(document.text, shingles);
          features += shingles.ids.size();
        },
        [](std::uint64_t, std::string_view) {});
  }
  TWINSIFT_TRY([[maybe_unused]] auto rewound, reader.rewind());
  return features < kShort * std::min(documents, kSample);
}

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

// The first of two passes that weights need: how many documents have each term.
Status DedupRun::count_documents() {
  const auto variant = shingler_->weights();
  if (!variant) return ok();
  StageClock clock("count");
  ProgressMeter meter(options_.callbacks, "counting", 0, total_bytes_);
  DocumentFrequencies all;
  for (const Source& source : sources_) {
    std::mutex mutex;
    std::optional<Error> error;
    const auto count = [&](std::size_t, unsigned) {
      RecordParser parser(*source.reader);
      DocumentFrequencies mine;
      Block block;
      Shingles shingles;
      const auto add = [&](const Document& document) {
        shingler_->shingle(document.text, shingles);
        mine.add(count_terms(std::move(shingles.ids)));
      };
      while (!options_.callbacks.stop.stop_requested()) {
        {
          const std::scoped_lock lock(mutex);
          const Result<bool> more = source.reader->next(block);
          if (!more && more.error().code != ErrorCode::kCorrupt) error = more.error();
          if (!more || !*more) break;
        }
        parser.parse(block, add, [](std::uint64_t, std::string_view) {});
        meter.add(block.ends.size(), block.bytes().size(), source.path);
      }
      const std::scoped_lock lock(mutex);
      all.merge(mine);
    };
    parallel_for(resolved_.threads, resolved_.threads, options_.callbacks.stop, count);
    if (options_.callbacks.stop.stop_requested()) return cancelled_error();
    if (error) return *error;
    TWINSIFT_TRY([[maybe_unused]] auto rewound, source.reader->rewind());
  }
  idf_ = IdfTable::freeze(all, *variant);
  summary_.run.detectors.push_back(idf_->spec());
  clock.stats().items = all.documents();
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

std::unique_ptr<DedupRun::Bench> DedupRun::take_bench() {
  {
    const std::scoped_lock lock(bench_mutex_);
    if (!benches_.empty()) {
      auto bench = std::move(benches_.back());
      benches_.pop_back();
      return bench;
    }
  }
  auto bench = std::make_unique<Bench>();
  for (const Source& source : sources_) {
    bench->parsers.push_back(std::make_unique<RecordParser>(*source.reader));
  }
  return bench;
}

void DedupRun::give_bench(std::unique_ptr<Bench> bench) {
  const std::scoped_lock lock(bench_mutex_);
  benches_.push_back(std::move(bench));
}

// What it gives lives in the bench.
Result<std::string_view> DedupRun::read_again(DocId document, Bench& bench) {
  const Place& place = places_[document];
  bench.raw.resize(place.length);
  TWINSIFT_TRY([[maybe_unused]] auto done,
               sources_[place.input].reader->read_at(place.offset, bench.raw));
  TWINSIFT_TRY(const Document parsed,
               bench.parsers[place.input]->parse_one(bench.raw, place.record));
  return parsed.text;
}

Result<WeightedSet> DedupRun::remake(DocId document) {
  auto bench = take_bench();
  TWINSIFT_TRY(const std::string_view text, read_again(document, *bench));
  shingler_->shingle(text, bench->shingles);
  WeightedSet set;
  if (idf_) {
    set = idf_->weigh(count_terms(bench->shingles.ids));
  } else {
    set.tokens = bench->shingles.ids;
    make_set(set.tokens);
  }
  give_bench(std::move(bench));
  return set;
}

Result<bool> DedupRun::same_text(DocId a, DocId b) {
  auto bench_a = take_bench();
  auto bench_b = take_bench();
  TWINSIFT_TRY(const std::string_view text_a, read_again(a, *bench_a));
  TWINSIFT_TRY(const std::string_view text_b, read_again(b, *bench_b));
  const bool same = text_a == text_b;
  give_bench(std::move(bench_a));
  give_bench(std::move(bench_b));
  return same;
}

Status DedupRun::match() {
  Matcher::Task task;
  task.longest_first = options_.keep == Keep::kLongest;
  task.references = references_;
  task.references_only = references_ > 0;
  task.all_pairs = !options_.pairs.empty() || options_.drop == Drop::kAll;
  task.remake = [this](DocId document) { return remake(document); };
  task.same_text = [this](DocId a, DocId b) { return same_text(a, b); };
  TWINSIFT_TRY(outcome_,
               match_documents(*matcher_, std::move(task), options_.callbacks, summary_.run));
  summary_.stages.push_back(
      {.name = "index",
       .items = matcher_->documents() - outcome_.collapsed,
       .seconds = outcome_.seconds_index,
       .counts = {{"collapsed", outcome_.collapsed}, {"largest_bucket", outcome_.largest_bucket}}});
  summary_.stages.push_back({.name = "verify",
                             .items = outcome_.stats.candidates,
                             .seconds = outcome_.seconds_verify,
                             .counts = {{"candidates", outcome_.stats.candidates},
                                        {"survivors", outcome_.stats.survivors},
                                        {"matches", outcome_.stats.matches}}});
  decide();
  note_promises();
  return ok();
}

// Which documents stay, and the figures of the summary.
void DedupRun::decide() {
  const std::uint32_t count = matcher_->documents();
  std::vector<std::uint32_t> members(count, 0);
  for (DocId d = 0; d < count; ++d) {
    if (outcome_.keeper[d] != d) ++members[outcome_.keeper[d]];
  }
  stays_.resize(count);
  for (DocId d = 0; d < count; ++d) stays_[d] = outcome_.keeper[d] == d ? 1 : 0;
  if (options_.drop == Drop::kAll) {
    for (const twinsift::Match& m : outcome_.pairs) {
      if (m.a >= references_) stays_[m.a] = 0;
      stays_[m.b] = 0;
    }
  }
  for (DocId d = 0; d < count; ++d) {
    if (members[d] > 0) ++summary_.clusters;
    if (d >= references_) ++(stays_[d] != 0 ? summary_.kept : summary_.dropped);
  }
  summary_.documents = count - references_;
  summary_.pairs = options_.pairs.empty() ? outcome_.stats.matches : outcome_.pairs.size();
  const auto largest = std::ranges::max_element(members);
  if (largest != members.end() && *largest >= 20 && *largest > summary_.documents / 100) {
    summary_.notes.push_back(
        fmt::format("one group holds {} of {} documents ({:.1f} %): look at {} before you trust it",
                    *largest + 1, summary_.documents,
                    100.0 * (*largest + 1.0) / static_cast<double>(summary_.documents),
                    id_of(static_cast<DocId>(largest - members.begin()))));
  }
}

// Items whose buckets were too full: for them alone the recall is not promised, and they are
// named.
void DedupRun::note_promises() {
  if (outcome_.stats.capped.empty()) return;
  std::string names;
  for (const DocId d : outcome_.stats.capped) {
    names += fmt::format(" {}", id_of(d));
    if (names.size() > 4000) {
      names += " ...";
      break;
    }
  }
  summary_.notes.push_back(
      fmt::format("{} documents share boilerplate with so many others that not all were compared; "
                  "for these the recall is not promised:{}",
                  outcome_.stats.capped.size(), names));
}

DedupSummary DedupRun::summary() {
  summary_.peak_rss = peak_rss();
  return std::move(summary_);
}

}  // namespace twinsift
