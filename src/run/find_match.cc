// SPDX-License-Identifier: Apache-2.0
// The middle of find(): which contents duplicate which.
#include <algorithm>

#include "run/find.h"

namespace twinsift {

Result<std::optional<KnownContent>> FindRun::content_of(std::uint32_t content) const {
  if (read_[content] == 0) return std::optional<KnownContent>();
  return contents_->find(digests_[content]);
}

// Counts of terms become weights once all texts are known.
Status FindRun::freeze_idf(IdfVariant variant) {
  DocumentFrequencies frequencies;
  for (const std::uint32_t c : documents_) {
    TWINSIFT_TRY(const auto known, content_of(c));
    frequencies.add(as_counts(known->features));
  }
  idf_ = IdfTable::freeze(frequencies, variant);
  matched_.specs.push_back(idf_->spec());
  return ok();
}

Result<WeightedSet> FindRun::features_of(std::uint32_t content) const {
  TWINSIFT_TRY(const auto known, content_of(content));
  WeightedSet plain;
  if (!known) return plain;
  if (idf_) return idf_->weigh(as_counts(known->features));
  plain.tokens.assign(known->features.ids.begin(), known->features.ids.end());
  return plain;
}

// The contents that can be compared: pictures, recordings, and texts with features that weigh
// something.
Status FindRun::choose_documents() {
  for (std::uint32_t c = 0; c < files_.size(); ++c) {
    if (content_[c] != c || read_[c] == 0) continue;
    TWINSIFT_TRY(const auto known, content_of(c));
    if (known && known->failure) matched_.failed.push_back(c);
    if (!known || known->features.ids.empty()) continue;
    const bool recording = media_[known->medium]->streams();
    auto& packed = recording ? recordings_ : pictures_;
    (known->features.packed ? packed : documents_).push_back(c);
  }
  if (!weights_) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto frozen, freeze_idf(*weights_));
  std::vector<std::uint32_t> weighty;
  for (const std::uint32_t c : documents_) {
    TWINSIFT_TRY(const WeightedSet set, features_of(c));
    if (!set.tokens.empty()) weighty.push_back(c);
  }
  documents_ = std::move(weighty);
  return ok();
}

bool FindRun::has_reference(std::uint32_t content) const {
  return std::ranges::any_of(files_of_[content], [&](auto file) { return is_reference(file); });
}

bool FindRun::told_apart(std::uint32_t a, std::uint32_t b) const {
  return collection_ && collection_->verdict(digests_[a], digests_[b]) != VerdictKind::kNone;
}

// What the matching of one medium came to.
void FindRun::add_matched(const MatchStats& stats, const std::string& guarantee,
                          const std::vector<std::string>& specs) {
  matched_.candidates += stats.candidates;
  matched_.survivors += stats.survivors;
  matched_.matches += stats.matches;
  if (!matched_.guarantee.empty()) matched_.guarantee += "; ";
  matched_.guarantee += guarantee;
  matched_.specs.insert(matched_.specs.end(), specs.begin(), specs.end());
}

Status FindRun::match_texts() {
  // References first, so that they stay.
  const auto others = std::stable_partition(documents_.begin(), documents_.end(),
                                            [&](auto c) { return has_reference(c); });
  Matcher::Task task;
  task.longest_first = true;
  task.references = static_cast<std::uint32_t>(others - documents_.begin());
  if (collection_) {
    task.apart = [&](DocId a, DocId b) { return told_apart(documents_[a], documents_[b]); };
  }
  Matcher::Batch batch(*matcher_);
  for (const std::uint32_t c : documents_) {
    if (options_.cross) task.labels.push_back(label_of(c));
    // The longest text stays: counted in features, because bytes depend on the charset.
    TWINSIFT_TRY(WeightedSet set, features_of(c));
    const std::uint64_t length = set.tokens.size();
    batch.add_set(std::move(set), length);
    TWINSIFT_TRY([[maybe_unused]] auto done, matcher_->append(batch));
  }
  RunInfo told;
  TWINSIFT_TRY(const Matcher::Outcome outcome,
               match_documents(*matcher_, std::move(task), options_.callbacks, told));
  for (DocId d = 0; d < documents_.size(); ++d) {
    if (outcome.keeper[d] == d) continue;
    matched_.duplicates.push_back({documents_[d], documents_[outcome.keeper[d]]});
  }
  for (const DocId d : outcome.stats.capped) matched_.capped.push_back(documents_[d]);
  matched_.counts = outcome.index_counts;
  add_matched(outcome.stats, told.guarantee, told.detectors);
  matcher_.reset();  // its copies of the features are not needed any more
  return ok();
}

Status FindRun::match() {
  StageClock clock("match");
  TWINSIFT_TRY([[maybe_unused]] auto chosen, choose_documents());
  if (!documents_.empty() || (pictures_.empty() && recordings_.empty())) {
    TWINSIFT_TRY([[maybe_unused]] auto matched, match_texts());
  }
  if (!pictures_.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto matched, match_whole_pictures());
    if (resolved_.threshold <= kEditedThreshold) {
      TWINSIFT_TRY([[maybe_unused]] auto closer, match_local_pictures());
    }
  }
  if (recordings_.size() > 1) {
    TWINSIFT_TRY([[maybe_unused]] auto matched, match_recordings());
  }
  std::ranges::sort(matched_.duplicates, {}, &Duplicate::content);
  matched_.documents = documents_.size() + pictures_.size() + recordings_.size();
  TWINSIFT_TRY([[maybe_unused]] auto told, tell_failures());
  report_.run.guarantee = matched_.guarantee;
  report_.run.detectors.insert(report_.run.detectors.end(), matched_.specs.begin(),
                               matched_.specs.end());
  clock.stats().items = matched_.documents;
  clock.stats().counts = {{"candidates", matched_.candidates},
                          {"survivors", matched_.survivors},
                          {"matches", matched_.matches}};
  auto& counts = clock.stats().counts;
  counts.insert(counts.begin(), matched_.counts.begin(), matched_.counts.end());
  clock.finish(report_.stages);
  return ok();
}

Status FindRun::tell_all_failures() {
  for (std::uint32_t c = 0; c < files_.size(); ++c) {
    if (content_[c] != c || read_[c] == 0) continue;
    TWINSIFT_TRY(const auto known, content_of(c));
    if (known && known->failure) matched_.failed.push_back(c);
  }
  return tell_failures();
}

Status FindRun::tell_failures() {
  for (const std::uint32_t c : matched_.failed) {
    TWINSIFT_TRY(const auto known, content_of(c));
    if (!known || !known->failure) continue;
    for (const std::uint32_t file : files_of_[c]) {
      skip(to_skipped(files_[file].path, *known->failure));
    }
  }
  return ok();
}

}  // namespace twinsift
