// SPDX-License-Identifier: Apache-2.0
// The middle of find(): which contents duplicate which.
#include <algorithm>
#include <charconv>

#include "feature/visual_words.h"
#include "run/find.h"

namespace twinsift {

namespace {

// As the facts tell it; 0 if they do not.
std::uint64_t pixels_of(const std::vector<Fact>& facts) {
  std::uint64_t pixels = 1;
  for (const std::string_view side : {"width", "height"}) {
    const auto fact = std::ranges::find(facts, side, &Fact::first);
    std::uint32_t length = 0;
    if (fact != facts.end()) {
      std::from_chars(fact->second.data(), fact->second.data() + fact->second.size(), length);
    }
    pixels *= length;
  }
  return pixels;
}

}  // namespace

Result<std::optional<KnownContent>> FindRun::content_of(std::uint32_t content) const {
  if (read_[content] == 0) return std::optional<KnownContent>();
  return contents_->find(digests_[content]);
}

// Counts become weights once all documents are known; those without any are left out.
Status FindRun::weigh(SetDocuments& sets) {
  if (!sets.weights || sets.contents.empty()) return ok();
  DocumentFrequencies frequencies;
  for (const std::uint32_t c : sets.contents) {
    TWINSIFT_TRY(const auto known, content_of(c));
    frequencies.add(as_counts(known->features));
  }
  sets.idf = IdfTable::freeze(frequencies, *sets.weights);
  matched_.specs.push_back(sets.idf->spec());
  std::vector<std::uint32_t> weighty;
  for (const std::uint32_t c : sets.contents) {
    TWINSIFT_TRY(const WeightedSet set, features_of(c));
    if (!set.tokens.empty()) weighty.push_back(c);
  }
  sets.contents = std::move(weighty);
  return ok();
}

const FindRun::SetDocuments& FindRun::sets_of(const KnownContent& known) const {
  const MediaType& medium = *media_[known.medium];
  if (medium.streams()) return recorded_;
  return medium.medium() == "image" ? worded_ : texts_;
}

Result<WeightedSet> FindRun::features_of(std::uint32_t content) const {
  TWINSIFT_TRY(const auto known, content_of(content));
  WeightedSet plain;
  if (!known) return plain;
  if (const auto& idf = sets_of(*known).idf) return idf->weigh(as_counts(known->features));
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
    if (known->features.packed) {
      (recording ? recordings_ : pictures_).push_back(c);
    } else {
      SetDocuments& rest = recording ? recorded_ : texts_;
      (&sets_of(*known) == &worded_ ? worded_ : rest).contents.push_back(c);
    }
  }
  TWINSIFT_TRY([[maybe_unused]] auto weighed, weigh(texts_));
  return weigh(worded_);
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

// Who stays: the longest text, counted in features, because bytes depend on the charset, and the
// picture with the most pixels.
Result<std::uint64_t> FindRun::length_of(std::uint32_t content, const WeightedSet& set) const {
  TWINSIFT_TRY(const auto known, content_of(content));
  if (known && &sets_of(*known) == &worded_) return pixels_of(known->facts);
  return set.tokens.size();
}

Status FindRun::match_sets(SetDocuments& sets) {
  std::vector<std::uint32_t>& documents = sets.contents;
  // References first, so that they stay.
  const auto others = std::stable_partition(documents.begin(), documents.end(),
                                            [&](auto c) { return has_reference(c); });
  Matcher::Task task;
  task.longest_first = true;
  task.references = static_cast<std::uint32_t>(others - documents.begin());
  if (collection_) {
    task.apart = [&](DocId a, DocId b) { return told_apart(documents[a], documents[b]); };
  }
  Matcher::Batch batch(*sets.matcher);
  for (const std::uint32_t c : documents) {
    if (options_.cross) task.labels.push_back(label_of(c));
    TWINSIFT_TRY(WeightedSet set, features_of(c));
    TWINSIFT_TRY(const std::uint64_t length, length_of(c, set));
    batch.add_set(std::move(set), length);
    TWINSIFT_TRY([[maybe_unused]] auto done, sets.matcher->append(batch));
  }
  RunInfo told;
  TWINSIFT_TRY(const Matcher::Outcome outcome,
               match_documents(*sets.matcher, std::move(task), options_.callbacks, told));
  for (DocId d = 0; d < documents.size(); ++d) {
    if (outcome.keeper[d] == d) continue;
    matched_.duplicates.push_back({documents[d], documents[outcome.keeper[d]]});
  }
  for (const DocId d : outcome.stats.capped) matched_.capped.push_back(documents[d]);
  matched_.counts.insert(matched_.counts.end(), outcome.index_counts.begin(),
                         outcome.index_counts.end());
  add_matched(outcome.stats, told.guarantee, told.detectors);
  sets.matcher.reset();  // its copies of the features are not needed any more
  return ok();
}

// What costs more, for those that are left by what costs less.
Status FindRun::match_edited_pictures() {
  if (resolved_.threshold > kEditedThreshold) return ok();
  const bool learned = pictures_by_->learned_radius() > 0;
  if (learned) {
    TWINSIFT_TRY([[maybe_unused]] auto matched, match_learned_pictures());
  }
  TWINSIFT_TRY([[maybe_unused]] auto closer, match_local_pictures());
  if (!learned || resolved_.threshold == kEditedThreshold) return ok();
  return match_similar_pictures();
}

Status FindRun::match() {
  StageClock clock("match");
  TWINSIFT_TRY([[maybe_unused]] auto chosen, choose_documents());
  if (!worded_.contents.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto matched, match_sets(worded_));
    matched_.specs.push_back(shipped_vocabulary().spec());
  }
  if (!texts_.contents.empty() || (pictures_.empty() && recordings_.empty() &&
                                   worded_.contents.empty() && recorded_.contents.empty())) {
    TWINSIFT_TRY([[maybe_unused]] auto matched, match_sets(texts_));
  }
  if (!pictures_.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto matched, match_whole_pictures());
    TWINSIFT_TRY([[maybe_unused]] auto further, match_edited_pictures());
  }
  if (!recorded_.contents.empty()) {
    TWINSIFT_TRY([[maybe_unused]] auto made, make_matcher(recorded_));
    TWINSIFT_TRY([[maybe_unused]] auto matched, match_sets(recorded_));
  }
  if (recordings_.size() > 1) {
    TWINSIFT_TRY([[maybe_unused]] auto matched, match_recordings());
  }
  std::ranges::sort(matched_.duplicates, {}, &Duplicate::content);
  matched_.documents = texts_.contents.size() + worded_.contents.size() +
                       recorded_.contents.size() + pictures_.size() + recordings_.size();
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
