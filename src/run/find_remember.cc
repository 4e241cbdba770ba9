// SPDX-License-Identifier: Apache-2.0
// What find() takes from the collection and leaves there.
#include <algorithm>

#include <fmt/format.h>

#include "base/parallel.h"
#include "run/find.h"
#include "run/outcome.h"
#include "store/bytes.h"

namespace twinsift {

// Somebody else may be writing it, or the disk may be full: then what is there is used, and nothing
// is added.  But a collection that is damaged or too new is for the person to decide about.
Status FindRun::open_collection() {
  in_memory_ = contents_in_memory(resolved_.memory / 4, options_.match.temp_dir);
  contents_ = in_memory_.get();
  if (options_.collection.empty()) return ok();
  const auto passing = [](const Error& error) {
    return error.code == ErrorCode::kIo || error.code == ErrorCode::kNotFound;
  };
  auto opened = Collection::open(options_.collection, {.mode = CollectionOptions::Mode::kCreate,
                                                       .sketch = options_.collection_sketch});
  const bool writable = opened.has_value();
  if (!opened && passing(opened.error())) {
    trouble_ = opened.error().message;
    opened = Collection::open(options_.collection, {.mode = CollectionOptions::Mode::kRead});
    if (!opened && passing(opened.error())) return ok();
  }
  TWINSIFT_TRY(collection_, std::move(opened));
  known_files_ = std::make_unique<KnownFiles>(*collection_);
  if (writable) {
    recorder_ = std::make_unique<Recorder>(*collection_, [this](LearntContent content) {
      return in_memory_->learn(content.digest, content.medium, std::move(content.description));
    });
  }
  std::vector<DetectorId> detectors;
  for (const auto& medium : media_) {
    detectors.push_back(collection_->detector(medium->spec()).value_or(0));
    if (detectors.back() != 0 || !writable) continue;
    const auto added = collection_->add_detector(medium->spec());
    if (added) detectors.back() = *added;
    if (!added) recorder_->give_up(added.error().message);
  }
  in_collection_ = contents_in_collection({.collection = collection_.get(),
                                           .recorder = recorder_.get(),
                                           .retry_failed = options_.retry_failed,
                                           .detectors = std::move(detectors)},
                                          *in_memory_);
  contents_ = in_collection_.get();
  return ok();
}

Status FindRun::recall_files() {
  if (!collection_) return ok();
  StageClock clock("recall");
  TWINSIFT_TRY([[maybe_unused]] auto done,
               known_files_->recall(files_, arguments_, can_be_written(), known_, digests_));
  if (known_files_->failure()) recorder_->give_up(known_files_->failure()->message);
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    KnownFile& known = known_[file];
    const bool recognised = known.unrecognised_by == 0;
    // Media that have come since may recognise it.
    if (!recognised && known.unrecognised_by != media_id_) known.known = false;
    if (!known.known) continue;
    ++clock.stats().items;
    read_[file] = recognised && known.digested && !options_.exact_only ? 1 : 0;
  }
  clock.stats().counts = {{"forgotten", known_files_->forgotten()}};
  clock.finish(report_.stages);
  return ok();
}

// The content of a file may be known, but not what the media of this run see in it, or it may be
// lost: such files are read again.
Result<std::vector<std::uint32_t>> FindRun::files_to_look_at_again() const {
  std::vector<std::uint32_t> recalled;
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (known_[file].known && read_[file] != 0) recalled.push_back(file);
  }
  std::vector<std::uint8_t> missing(recalled.size(), 0);
  std::mutex mutex;
  std::optional<Error> failed;
  parallel_for(recalled.size(), resolved_.threads, options_.callbacks.stop,
               [&](std::size_t i, unsigned /*worker*/) {
                 const Result<bool> knows = contents_->knows(digests_[recalled[i]]);
                 if (knows) {
                   missing[i] = *knows ? 0 : 1;
                   return;
                 }
                 const std::scoped_lock lock(mutex);
                 failed = knows.error();
               });
  if (failed) return *failed;
  std::vector<std::uint32_t> again;
  for (std::size_t i = 0; i < recalled.size(); ++i) {
    if (missing[i] != 0) again.push_back(recalled[i]);
  }
  return again;
}

// At once, because the digests of large files take hours.
void FindRun::remember_digest(std::uint32_t file, const Digest& digest) {
  if (!recorder_ || unread_.contains(file)) return;
  FileRecord record = known_files_->record_of(files_[file]);
  // If nobody has tried to recognise it, whoever needs to know that will read it again.
  record.unrecognised_by = options_.exact_only ? known_[file].unrecognised_by : media_id_;
  record.digest = digest;
  recorder_->put(std::move(record));
  remembered_[file] = 1;
}

void FindRun::remember_file(std::uint32_t file) {
  if (!recorder_) return;
  FileRecord record = known_files_->record_of(files_[file]);
  record.unrecognised_by = read_[file] != 0 ? 0 : media_id_;
  if (digests_[file] != Digest{}) record.digest = digests_[file];
  recorder_->put(std::move(record));
}

bool FindRun::can_be_written() const { return recorder_ && recorder_->trouble().empty(); }

// Files that no medium recognises and whose digest was not needed: next time not even their first
// bytes are read.
Status FindRun::remember_unrecognised() {
  if (!recorder_) return ok();
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (options_.exact_only) break;  // nobody has tried to recognise anything
    if (read_[file] != 0 || remembered_[file] != 0 || unread_.contains(file)) continue;
    if (!known_[file].known) remember_file(file);
  }
  return recorder_->wait();
}

// Everything that decides what comparing gives: a digest of the options and of what there is to
// compare, taken bit by bit, because a million files have a hundred megabytes of it.
Digest FindRun::inputs() const {
  constexpr std::size_t kAtOnce = std::size_t{1} << 16U;
  const MatchOptions& match = options_.match;
  std::string all = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n", version(),
                                resolved_.threshold, match.recall, match.features, match.pictures,
                                match.sketch, match.filter, match.candidates, match.memory,
                                options_.cross, options_.folders, first_path_);
  for (const auto& medium : media_) all.append(medium->spec()).push_back('\n');
  if (pictures_by_ && pictures_by_->learned_radius() > 0) all += shipped_network().spec() + '\n';
  for (const VerdictRecord& verdict : collection_->verdicts()) {
    append(all, verdict.a);
    append(all, verdict.b);
  }
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    const FileEntry& entry = files_[file];
    append(all, digests_[file]);
    append(all, entry.size);
    append(all, entry.mtime_ns);
    append(all, entry.argument);
    append(all, entry.root);
    append(all, static_cast<std::uint32_t>(read_[file] + (unread_.contains(file) ? 2 : 0)));
    all.append(entry.path).push_back('\0');
    for (const std::string& link : entry.links) all.append(link).push_back('\0');
    if (all.size() < kAtOnce) continue;
    const Digest so_far = digest_of(as_bytes(all));
    all.clear();
    append(all, so_far);
  }
  return digest_of(as_bytes(all));
}

// A file that has changed and that no medium recognises has no digest yet, so that inputs() cannot
// tell it from what it was.
bool FindRun::inputs_tell_all() const {
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (!known_[file].known && read_[file] == 0 && !unread_.contains(file)) return false;
  }
  return true;
}

// Whether the collection has it that these cannot be decoded; if not, that may be otherwise now.
Result<bool> FindRun::have_failed(std::span<const std::uint32_t> files) const {
  for (const std::uint32_t file : files) {
    bool failed = false;
    for (const auto& medium : media_) {
      const auto detector = collection_->detector(medium->spec());
      if (!detector) continue;
      TWINSIFT_TRY(const auto state, collection_->content_state(*detector, digests_[file]));
      failed = failed || state == ContentState::kFailed;
    }
    if (!failed) return false;
  }
  return true;
}

Result<bool> FindRun::recall_outcome() {
  if (!collection_ || options_.exact_only || options_.retry_failed) return false;
  if (!inputs_tell_all()) return false;
  StageClock clock("outcome");
  TWINSIFT_TRY(const auto bytes, collection_->result(inputs()));
  if (!bytes) return false;
  auto outcome = decode_outcome(*bytes, static_cast<std::uint32_t>(files_.size()));
  if (!outcome) return false;
  TWINSIFT_TRY(const bool still, have_failed(outcome->failed));
  if (!still) return false;
  for (std::size_t g = 0; g < outcome->groups.size(); ++g) {
    for (std::size_t i = 0; i < outcome->files[g].size(); ++i) {
      Member& member = outcome->groups[g].members[i];
      std::vector<Fact> facts = std::move(member.facts);
      member = plain_member(outcome->files[g][i]);
      member.facts = std::move(facts);
    }
  }
  report_.groups = std::move(outcome->groups);
  report_.links = std::move(outcome->links);
  report_.folders = std::move(outcome->folders);
  for (Skipped& skipped : outcome->skipped) skip(std::move(skipped));
  for (std::string& note : outcome->notes) report_.notes.push_back(std::move(note));
  report_.run.guarantee = std::move(outcome->guarantee);
  for (std::string& spec : outcome->specs) report_.run.detectors.push_back(std::move(spec));
  clock.stats().items = report_.groups.size();
  clock.finish(report_.stages);
  return true;
}

// Not if a file could be read at first and then not: that may be otherwise next time.
void FindRun::remember_outcome() {
  if (!recorder_ || options_.exact_only || unequal_ != 0) return;
  Outcome outcome{
      .guarantee = matched_.guarantee,
      .specs = matched_.specs,
      .notes = report_.notes,
      .skipped = {report_.skipped.begin() + static_cast<std::ptrdiff_t>(skipped_before_),
                  report_.skipped.end()},
      .failed = matched_.failed,
      .links = report_.links,
      .folders = report_.folders,
      .groups = report_.groups,
      .files = {}};
  for (const Group& group : report_.groups) {
    auto& members = outcome.files.emplace_back();
    for (const Member& member : group.members) {
      const auto file = std::ranges::lower_bound(files_, member.path, {}, &FileEntry::path);
      members.push_back(static_cast<std::uint32_t>(file - files_.begin()));
    }
  }
  Status done = recorder_->wait();
  if (!recorder_->trouble().empty()) return;
  const Result<bool> lasting = have_failed(outcome.failed);
  if (!lasting || !*lasting) return;
  if (done) done = collection_->put_result(inputs(), encode(outcome));
  if (done) done = collection_->flush();
  if (!done) trouble_ = done.error().message;
}

Status FindRun::require_writable() const {
  if (can_be_written()) return ok();
  const std::string why = recorder_ ? recorder_->trouble() : trouble_;
  return Error{ErrorCode::kIo, why.empty() ? "no collection was named" : why};
}

Result<IndexSummary> FindRun::index_summary() {
  TWINSIFT_TRY([[maybe_unused]] auto recorded, recorder_->wait());
  TWINSIFT_TRY([[maybe_unused]] auto flushed, collection_->flush());
  TWINSIFT_TRY([[maybe_unused]] auto told, tell_all_failures());
  trouble_ = recorder_->trouble();
  if (!trouble_.empty()) return Error{ErrorCode::kIo, trouble_};
  IndexSummary summary{.items = files_.size(),
                       .forgotten = known_files_->forgotten(),
                       .skipped = std::move(report_.skipped),
                       .stages = std::move(report_.stages)};
  for (std::uint32_t file = 0; file < files_.size(); ++file) {
    if (known_[file].known) {
      ++summary.known;
    } else {
      summary.bytes += files_[file].size;
    }
  }
  return summary;
}

void FindRun::note_trouble() {
  if (recorder_ && trouble_.empty()) trouble_ = recorder_->trouble();
  if (trouble_.empty()) return;
  report_.notes.push_back("this run will not be remembered: " + trouble_);
}

}  // namespace twinsift
