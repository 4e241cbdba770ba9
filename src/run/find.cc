// SPDX-License-Identifier: Apache-2.0
#include "run/find.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/cancel.h"
#include "base/parallel.h"
#include "feature/word_bag.h"
#include "group/folders.h"
#include "ingest/file_system.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kMaxRead = std::uint64_t{1} << 30U;  // as media/text.cc

// The stages tell of skipped files one after another, in the order of their threads; here they
// are told of once, in the order of their paths.
Callbacks without_skipped(Callbacks callbacks) {
  callbacks.skipped = nullptr;
  return callbacks;
}

// Names and versions of the media, not their features: those change nothing about what they
// recognise.  24 bits, not 0.
std::uint32_t id_of(const std::vector<std::unique_ptr<MediaType>>& media) {
  std::string names;
  for (const auto& medium : media) {
    const std::string spec = medium->spec();
    names += spec.substr(0, spec.find(':')) + ' ';
  }
  return static_cast<std::uint32_t>(digest_of(std::as_bytes(std::span(names))).low >> 40U) | 1U;
}

}  // namespace

Result<std::unique_ptr<FindRun>> FindRun::make(const std::vector<std::string>& paths,
                                               const FindOptions& options) {
  std::unique_ptr<FindRun> run(new FindRun(paths, options));  // NOLINT: private constructor
  if (paths.empty()) return Error{ErrorCode::kInvalidArgument, "find needs a path to look at"};
  TWINSIFT_TRY(run->resolved_, resolve(options.match));
  TWINSIFT_TRY(run->media_, make_media_types(options.match));
  TWINSIFT_TRY(run->pictures_by_, make_picture_detector(options.match.pictures,
                                                        learned_look(run->resolved_.threshold)));
  run->media_id_ = id_of(run->media_);
  TWINSIFT_TRY(const Shingler shingler, Shingler::make(options.match.features));
  run->texts_.weights = shingler.weights();
  TWINSIFT_TRY([[maybe_unused]] auto made, run->make_matcher(run->texts_));
  if (const auto words = parse_word_bag(options.match.pictures)) {
    run->worded_.weights = words->weights;
    TWINSIFT_TRY([[maybe_unused]] auto also, run->make_matcher(run->worded_));
  }
  run->report_.run = make_run_info(options.match, run->resolved_, options.command);
  for (const auto& medium : run->media_) run->report_.run.detectors.push_back(medium->spec());
  TWINSIFT_TRY([[maybe_unused]] auto opened, run->open_collection());
  if (options.callbacks.started) options.callbacks.started(run->report_.run);
  return run;
}

Status FindRun::make_matcher(SetDocuments& sets) const {
  const MatchOptions& match = options_.match;
  TWINSIFT_TRY(const GeneratorOptions generator, parse_generator(match.candidates));
  TWINSIFT_TRY(Matcher matcher, Matcher::make({.threshold = resolved_.threshold,
                                               .recall = match.recall,
                                               .sketch = sketch_of(match, sets.weights.has_value()),
                                               .filter = match.filter,
                                               .generator = generator,
                                               .store_features = true,
                                               .weighted = sets.weights.has_value(),
                                               .threads = resolved_.threads,
                                               .memory = resolved_.memory,
                                               .temp_dir = match.temp_dir}));
  sets.matcher = std::make_unique<Matcher>(std::move(matcher));
  return ok();
}

void FindRun::skip(Skipped skipped) {
  if (options_.callbacks.skipped) options_.callbacks.skipped(skipped);
  report_.skipped.push_back(std::move(skipped));
}

Status FindRun::walk_files() {
  StageClock clock("walk");
  // Reference folders come first: a file reached both ways counts as a reference.
  arguments_ = options_.references;
  first_path_ = static_cast<std::uint32_t>(arguments_.size());
  arguments_.insert(arguments_.end(), paths_.begin(), paths_.end());
  TWINSIFT_TRY(WalkResult walked, walk(arguments_, options_.walk,
                                       without_skipped(options_.callbacks), resolved_.threads));
  files_ = std::move(walked.files);
  for (Skipped& skipped : walked.skipped) skip(std::move(skipped));
  clock.stats().items = files_.size();
  for (const FileEntry& file : files_) clock.stats().bytes += file.size;
  clock.stats().counts = {{"directories", walked.directories}, {"special", walked.special}};
  clock.finish(report_.stages);
  read_.assign(files_.size(), 0);
  remembered_.assign(files_.size(), 0);
  known_.resize(files_.size());
  digests_.resize(files_.size());
  return ok();
}

bool FindRun::is_reference(std::uint32_t file) const { return files_[file].argument < first_path_; }

bool FindRun::unread(std::uint32_t file, const Error& error) {
  const std::scoped_lock lock(mutex_);
  unread_.emplace(file, error);
  return false;
}

// The first error that concerns not one file but the run.
void FindRun::give_up(const Error& error) {
  const std::scoped_lock lock(mutex_);
  if (!broken_) broken_ = error;
}

// Reads one file if a medium recognises it; whoever sees a content first decodes it.  False if
// the file itself could not be read.
Result<bool> FindRun::read_file(std::uint32_t file) {
  const FileEntry& entry = files_[file];
  Result<FileReader> reader = FileReader::open(entry);
  if (!reader) return unread(file, reader.error());
  const auto medium = std::ranges::find_if(
      media_, [&](const auto& type) { return type->recognises(reader->head()); });
  if (medium == media_.end()) return true;
  if ((*medium)->streams()) return read_stream(file, *reader, **medium);
  const Result<std::vector<std::byte>> bytes = reader->read_all(kMaxRead);
  if (!bytes) return unread(file, bytes.error());
  digests_[file] = digest_of(*bytes);
  read_[file] = 1;
  const auto number = static_cast<std::uint32_t>(medium - media_.begin());
  TWINSIFT_TRY(const bool mine, contents_->claim(digests_[file], number));
  if (mine) {
    TWINSIFT_TRY(
        [[maybe_unused]] auto learnt,
        contents_->learn(digests_[file], number, (*medium)->extract({entry.path, *bytes})));
  }
  return true;
}

// What may be larger than memory is read twice, once for its digest.  If it has changed in between,
// nobody knows what was decoded.
Result<bool> FindRun::read_stream(std::uint32_t file, FileReader& reader, const MediaType& medium) {
  const std::stop_token& stop = options_.callbacks.stop;
  const Result<Digest> digest =
      reader.digest([&](std::uint64_t /*bytes*/) { return !stop.stop_requested(); });
  if (!digest) return unread(file, digest.error());
  const auto number = static_cast<std::uint32_t>(
      std::ranges::find(media_, &medium, &std::unique_ptr<MediaType>::get) - media_.begin());
  digests_[file] = *digest;
  read_[file] = 1;
  TWINSIFT_TRY(const bool mine, contents_->claim(*digest, number));
  if (!mine) return true;
  auto description = medium.extract(
      {.uri = files_[file].path, .bytes = reader.head(), .file = reader.file(), .stop = stop});
  if (const Status same = reader.check_unchanged(); !same) {
    read_[file] = 0;
    return unread(file, same.error());
  }
  if (!description && description.error().code == ErrorCode::kCancelled) return true;
  TWINSIFT_TRY([[maybe_unused]] auto learnt,
               contents_->learn(*digest, number, std::move(description)));
  return true;
}

Status FindRun::read_files() {
  std::vector<std::uint32_t> unknown;
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (!known_[file].known) unknown.push_back(file);
  }
  return read_some(unknown);
}

Status FindRun::read_again_if_needed() {
  if (!collection_ || options_.exact_only) return ok();
  TWINSIFT_TRY(const auto again, files_to_look_at_again());
  if (again.empty()) return ok();
  for (const std::uint32_t file : again) {
    known_[file] = {};
    read_[file] = 0;
  }
  return read_some(again);
}

Status FindRun::read_some(std::span<const std::uint32_t> files) {
  if (options_.exact_only) return ok();
  StageClock clock("read");
  std::uint64_t bytes = 0;
  for (const std::uint32_t file : files) bytes += files_[file].size;
  ProgressMeter meter(options_.callbacks, "reading", files.size(), bytes);
  parallel_for(files.size(), resolved_.threads, options_.callbacks.stop,
               [&](std::size_t i, unsigned /*worker*/) {
                 const std::uint32_t file = files[i];
                 const Result<bool> good = read_file(file);
                 if (!good) return give_up(good.error());
                 if (read_[file] != 0) remember_file(file);
                 meter.add(1, files_[file].size, files_[file].path);
               });
  if (recorder_) {
    if (const Status done = recorder_->wait(); !done) give_up(done.error());
  }
  if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  if (broken_) return *broken_;
  for (const std::uint32_t file : files) {
    if (const auto found = unread_.find(file); found != unread_.end()) {
      skip(to_skipped(files_[file].path, found->second));
    }
    if (read_[file] == 0) continue;
    ++clock.stats().items;
    clock.stats().bytes += files_[file].size;
  }
  if (collection_) clock.stats().counts = {{"known", files_.size() - files.size()}};
  clock.finish(report_.stages);
  skipped_before_ = report_.skipped.size();
  return ok();
}

Status FindRun::compare_bytes(bool all) {
  StageClock clock("exact");
  std::vector<std::uint8_t> digested = read_;
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (known_[file].digested) digested[file] = 1;
  }
  const EqualFilesOptions how{
      .threads = resolved_.threads,
      .all = all,
      .digested = [this](auto file, const Digest& digest) { remember_digest(file, digest); }};
  TWINSIFT_TRY(ContentIds ids, find_equal_files(files_, digested, digests_, how,
                                                without_skipped(options_.callbacks)));
  for (Skipped& skipped : ids.skipped) {
    const auto file = std::ranges::lower_bound(files_, skipped.path, {}, &FileEntry::path);
    // What could not be read the first time has been told of.
    if (!unread_.contains(static_cast<std::uint32_t>(file - files_.begin()))) {
      skip(std::move(skipped));
      ++unequal_;
    }
  }
  digests_ = std::move(ids.digest);
  content_ = std::move(ids.content);
  TWINSIFT_TRY([[maybe_unused]] auto recorded, remember_unrecognised());
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

// The outcome that is remembered has the key points; a report has them if somebody wants to see
// them.
void FindRun::leave_out_points() {
  if (options_.explain) return;
  for (Group& group : report_.groups) {
    for (MemberPair& pair : group.pairs) {
      if (pair.evidence.placement) pair.evidence.placement->points.clear();
    }
  }
}

Report FindRun::report() {
  leave_out_points();
  note_trouble();
  note_removed();
  report_.peak_rss = peak_rss();
  return std::move(report_);
}

}  // namespace twinsift
