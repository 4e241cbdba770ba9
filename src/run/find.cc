// SPDX-License-Identifier: Apache-2.0
#include "run/find.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/cancel.h"
#include "base/parallel.h"
#include "group/folders.h"
#include "ingest/file_system.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kMaxRead = std::uint64_t{1} << 30U;  // as media/text.cc
constexpr std::uint32_t kNone = UINT32_MAX;

// The stages tell of skipped files one after another, in the order of their threads; here they
// are told of once, in the order of their paths.
Callbacks without_skipped(Callbacks callbacks) {
  callbacks.skipped = nullptr;
  return callbacks;
}

}  // namespace

Result<std::unique_ptr<FindRun>> FindRun::make(const std::vector<std::string>& paths,
                                               const FindOptions& options) {
  std::unique_ptr<FindRun> run(new FindRun(paths, options));  // NOLINT: private constructor
  if (paths.empty()) return Error{ErrorCode::kInvalidArgument, "find needs a path to look at"};
  TWINSIFT_TRY(run->resolved_, resolve(options.match));
  TWINSIFT_TRY(run->media_, make_media_types(options.match.features));
  TWINSIFT_TRY(const Shingler shingler, Shingler::make(options.match.features));
  run->weights_ = shingler.weights();
  TWINSIFT_TRY(const GeneratorOptions generator, parse_generator(options.match.candidates));
  TWINSIFT_TRY(Matcher matcher,
               Matcher::make({.threshold = run->resolved_.threshold,
                              .recall = options.match.recall,
                              .sketch = sketch_of(options.match, run->weights_.has_value()),
                              .filter = options.match.filter,
                              .generator = generator,
                              .store_features = true,
                              .weighted = run->weights_.has_value(),
                              .threads = run->resolved_.threads,
                              .memory = run->resolved_.memory,
                              .temp_dir = options.match.temp_dir}));
  run->matcher_ = std::make_unique<Matcher>(std::move(matcher));
  run->report_.run = make_run_info(options.match, run->resolved_, options.command);
  for (const auto& medium : run->media_) run->report_.run.detectors.push_back(medium->spec());
  if (options.callbacks.started) options.callbacks.started(run->report_.run);
  return run;
}

void FindRun::skip(Skipped skipped) {
  if (options_.callbacks.skipped) options_.callbacks.skipped(skipped);
  report_.skipped.push_back(std::move(skipped));
}

Status FindRun::walk_files() {
  StageClock clock("walk");
  // Reference folders come first: a file reached both ways counts as a reference.
  std::vector<std::string> arguments = options_.references;
  first_path_ = static_cast<std::uint32_t>(arguments.size());
  arguments.insert(arguments.end(), paths_.begin(), paths_.end());
  TWINSIFT_TRY(WalkResult walked,
               walk(arguments, options_.walk, without_skipped(options_.callbacks)));
  files_ = std::move(walked.files);
  for (Skipped& skipped : walked.skipped) skip(std::move(skipped));
  clock.stats().items = files_.size();
  for (const FileEntry& file : files_) clock.stats().bytes += file.size;
  clock.stats().counts = {{"directories", walked.directories}, {"special", walked.special}};
  clock.finish(report_.stages);
  read_.assign(files_.size(), 0);
  digests_.resize(files_.size());
  return ok();
}

bool FindRun::is_reference(std::uint32_t file) const { return files_[file].argument < first_path_; }

void FindRun::unread(std::uint32_t file, const Error& error) {
  const std::scoped_lock lock(mutex_);
  unread_.emplace(file, error);
}

// Reads one file if a medium recognises it; whoever sees a content first decodes it.
void FindRun::read_file(std::uint32_t file) {
  const FileEntry& entry = files_[file];
  Result<FileReader> reader = FileReader::open(entry);
  if (!reader) return unread(file, reader.error());
  const auto medium = std::ranges::find_if(
      media_, [&](const auto& type) { return type->recognises(reader->head()); });
  if (medium == media_.end()) return;
  const Result<std::vector<std::byte>> bytes = reader->read_all(kMaxRead);
  if (!bytes) return unread(file, bytes.error());
  digests_[file] = digest_of(*bytes);
  read_[file] = 1;
  Content* content = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    const auto [place, inserted] = contents_.try_emplace(digests_[file]);
    if (!inserted) return;
    content = &place->second;  // a map does not move its elements
  }
  content->medium = (*medium)->medium();
  Result<Description> description = (*medium)->extract({entry.path, *bytes});
  if (!description) {
    content->failure = description.error();
    return;
  }
  content->facts = std::move(description->facts);
  if (description->features.empty()) return;
  const SetView set = view_of(description->features.front());
  if (set.ids.empty()) return;
  if (const Status stored = store(*content, set); !stored) content->failure = stored.error();
}

// A quarter of the memory is for features that wait for the comparison; then they live on disk.
Status FindRun::store(Content& content, SetView set) {
  const std::scoped_lock lock(mutex_);
  content.features = features_.size();
  TWINSIFT_TRY([[maybe_unused]] auto added, features_.add(set));
  unreleased_ += set.ids.size_bytes() + set.weights.size_bytes();
  if (unreleased_ < resolved_.memory / 4) return ok();
  unreleased_ = 0;
  TWINSIFT_TRY([[maybe_unused]] auto spilled, features_.spill(options_.match.temp_dir));
  features_.release();
  return ok();
}

Status FindRun::read_files() {
  if (options_.exact_only) return ok();
  StageClock clock("read");
  std::uint64_t bytes = 0;
  for (const FileEntry& file : files_) bytes += file.size;
  ProgressMeter meter(options_.callbacks, "reading", files_.size(), bytes);
  parallel_for(files_.size(), resolved_.threads, options_.callbacks.stop,
               [&](std::size_t file, unsigned /*worker*/) {
                 read_file(static_cast<std::uint32_t>(file));
                 meter.add(1, files_[file].size, files_[file].path);
               });
  if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (const auto found = unread_.find(file); found != unread_.end()) {
      skip(to_skipped(files_[file].path, found->second));
    }
    if (read_[file] == 0) continue;
    ++clock.stats().items;
    clock.stats().bytes += files_[file].size;
    const Content& content = contents_.at(digests_[file]);
    if (content.failure) skip(to_skipped(files_[file].path, *content.failure));
  }
  clock.finish(report_.stages);
  return ok();
}

Status FindRun::compare_bytes() {
  StageClock clock("exact");
  TWINSIFT_TRY(ContentIds ids, find_equal_files(files_, read_, digests_, resolved_.threads,
                                                without_skipped(options_.callbacks)));
  for (Skipped& skipped : ids.skipped) {
    const auto file = std::ranges::lower_bound(files_, skipped.path, {}, &FileEntry::path);
    // What could not be read the first time has been told of.
    if (!unread_.contains(static_cast<std::uint32_t>(file - files_.begin()))) {
      skip(std::move(skipped));
    }
  }
  digests_ = std::move(ids.digest);
  content_ = std::move(ids.content);
  files_of_.resize(files_.size());
  std::uint64_t distinct = 0;
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    distinct += content_[file] == file ? 1U : 0U;
    files_of_[content_[file]].push_back(file);
  }
  clock.stats().items = files_.size();
  clock.stats().counts = {{"distinct", distinct}};
  clock.finish(report_.stages);
  return ok();
}

// With --cross, contents match if they come from different arguments; one that several arguments
// have may match any.
std::uint32_t FindRun::label_of(std::uint32_t content) const {
  const std::uint32_t argument = files_[content].argument;
  const bool several = std::ranges::any_of(
      files_of_[content], [&](auto file) { return files_[file].argument != argument; });
  return several ? UINT32_MAX - content : argument;
}

// Counts of terms become weights once all texts are known.
void FindRun::freeze_idf(IdfVariant variant) {
  DocumentFrequencies frequencies;
  for (const std::uint32_t c : documents_) {
    frequencies.add(as_counts(features_.set(*contents_.at(digests_[c]).features)));
  }
  idf_ = IdfTable::freeze(frequencies, variant);
  report_.run.detectors.push_back(idf_->spec());
}

WeightedSet FindRun::features_of(std::uint32_t content) const {
  const SetView set = features_.set(*contents_.at(digests_[content]).features);
  if (idf_) return idf_->weigh(as_counts(set));
  WeightedSet plain;
  plain.tokens.assign(set.ids.begin(), set.ids.end());
  return plain;
}

// The contents that can be compared: those with features that weigh something.
void FindRun::choose_documents() {
  for (std::uint32_t c = 0; c < files_.size(); ++c) {
    if (content_[c] != c || read_[c] == 0) continue;
    if (contents_.at(digests_[c]).features) documents_.push_back(c);
  }
  if (!weights_) return;
  freeze_idf(*weights_);
  std::erase_if(documents_, [&](std::uint32_t c) { return features_of(c).tokens.empty(); });
}

Status FindRun::match() {
  StageClock clock("match");
  document_of_.assign(files_.size(), kNone);
  const auto reference = [&](std::uint32_t c) {
    return std::ranges::any_of(files_of_[c], [&](auto file) { return is_reference(file); });
  };
  choose_documents();
  // References first, so that they stay.
  const auto others = std::stable_partition(documents_.begin(), documents_.end(), reference);
  Matcher::Task task;
  task.longest_first = true;
  task.references = static_cast<std::uint32_t>(others - documents_.begin());
  Matcher::Batch batch(*matcher_);
  for (std::uint32_t d = 0; d < documents_.size(); ++d) {
    const std::uint32_t c = documents_[d];
    document_of_[c] = d;
    if (options_.cross) task.labels.push_back(label_of(c));
    // The longest text stays: counted in features, because bytes depend on the charset.
    WeightedSet set = features_of(c);
    const std::uint64_t length = set.tokens.size();
    batch.add_set(std::move(set), length);
    TWINSIFT_TRY([[maybe_unused]] auto done, matcher_->append(batch));
  }
  features_ = {};
  TWINSIFT_TRY(outcome_,
               match_documents(*matcher_, std::move(task), options_.callbacks, report_.run));
  clock.stats().items = documents_.size();
  clock.stats().counts = {{"candidates", outcome_.stats.candidates},
                          {"survivors", outcome_.stats.survivors},
                          {"matches", outcome_.stats.matches}};
  auto& counts = clock.stats().counts;
  counts.insert(counts.begin(), outcome_.index_counts.begin(), outcome_.index_counts.end());
  clock.finish(report_.stages);
  return ok();
}

Report FindRun::report() {
  report_.peak_rss = peak_rss();
  return std::move(report_);
}

}  // namespace twinsift
