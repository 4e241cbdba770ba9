// SPDX-License-Identifier: Apache-2.0
#include "run/dedup.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "feature/token_set.h"

namespace twinsift {
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
  TWINSIFT_TRY(const GeneratorOptions generator, parse_generator(options.match.candidates));
  bool store = generator.kind == GeneratorKind::kPrefix;
  if (!store) {
    TWINSIFT_TRY(store, run->features_fit());
  }
  const bool weighted = run->shingler_->weights().has_value();
  TWINSIFT_TRY(Matcher matcher, Matcher::make({.threshold = run->resolved_.threshold,
                                               .recall = options.match.recall,
                                               .sketch = sketch_of(options.match, weighted),
                                               .filter = options.match.filter,
                                               .generator = generator,
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
  summary_.stages.push_back({.name = "index",
                             .items = matcher_->documents() - outcome_.collapsed,
                             .seconds = outcome_.seconds_index,
                             .counts = {{"collapsed", outcome_.collapsed}}});
  auto& counts = summary_.stages.back().counts;
  counts.insert(counts.end(), outcome_.index_counts.begin(), outcome_.index_counts.end());
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
