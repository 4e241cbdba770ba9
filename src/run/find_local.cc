// SPDX-License-Identifier: Apache-2.0
// The last look of find() at pictures, at level `edited` and below: which of those that stay as
// wholes show a part of another.
//
// Key points cost thirty times as much as a code, so that only pictures that stay get them; that
// loses nothing, because one that goes is found with the one that it goes with.  If the latter
// turns out to be a part of a third, each of its duplicates is compared with that directly
// (find_join.cc).
#include <algorithm>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/parallel.h"
#include "feature/local_print.h"
#include "group/picture_local.h"
#include "run/find.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kMaxRead = std::uint64_t{1} << 30U;  // as of the first look

}  // namespace

Status FindRun::open_local() {
  local_media_ = make_local_media();
  local_in_memory_ = contents_in_memory(resolved_.memory / 4, options_.match.temp_dir);
  local_ = local_in_memory_.get();
  if (!collection_) return ok();
  DetectorId detector = collection_->detector(local_media_->spec()).value_or(0);
  if (can_be_written()) {
    TWINSIFT_TRY(detector, collection_->add_detector(local_media_->spec()));
    local_recorder_ = std::make_unique<Recorder>(*collection_, [this](LearntContent content) {
      return local_in_memory_->learn(content.digest, 0, std::move(content.description));
    });
  }
  local_in_collection_ = contents_in_collection({.collection = collection_.get(),
                                                 .recorder = local_recorder_.get(),
                                                 .retry_failed = options_.retry_failed,
                                                 .detectors = {detector}},
                                                *local_in_memory_);
  local_ = local_in_collection_.get();
  return ok();
}

// A file that has changed since it was first read has no key points: it is the other content that
// is being compared.
Status FindRun::learn_local(std::uint32_t content) {
  TWINSIFT_TRY(const bool mine, local_->claim(digests_[content], 0));
  if (!mine) return ok();
  const FileEntry& entry = files_[content];
  Result<FileReader> reader = FileReader::open(entry);
  if (!reader) return ok();
  const Result<std::vector<std::byte>> bytes = reader->read_all(kMaxRead);
  if (!bytes || digest_of(*bytes) != digests_[content]) return ok();
  return local_->learn(digests_[content], 0, local_media_->extract({entry.path, *bytes}));
}

Status FindRun::learn_local(std::span<const std::uint32_t> contents) {
  ProgressMeter meter(options_.callbacks, "looking closer", contents.size(), 0);
  parallel_for(contents.size(), resolved_.threads, options_.callbacks.stop,
               [&](std::size_t i, unsigned /*worker*/) {
                 const Status learnt = learn_local(contents[i]);
                 if (!learnt) return give_up(learnt.error());
                 meter.add(1, files_[contents[i]].size, files_[contents[i]].path);
               });
  if (local_recorder_) {
    TWINSIFT_TRY([[maybe_unused]] auto recorded, local_recorder_->wait());
  }
  if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  if (broken_) return *broken_;
  return ok();
}

// No words if there are none, or if they could not be had.
Result<LocalPrint> FindRun::local_print_of(std::uint32_t content) const {
  TWINSIFT_TRY(const auto known, local_->find(digests_[content]));
  if (!known || known->features.ids.empty()) return LocalPrint{};
  return unpack_local_print(known->features);
}

Result<Widths> FindRun::widths_of(std::uint32_t a, std::uint32_t b) const {
  TWINSIFT_TRY(const LocalPrint local_a, local_print_of(a));
  TWINSIFT_TRY(const LocalPrint local_b, local_print_of(b));
  TWINSIFT_TRY(const PictureLook look_a, look_at(a));
  TWINSIFT_TRY(const PictureLook look_b, look_at(b));
  return Widths{.small_a = local_a.words.width,
                .small_b = local_b.words.width,
                .full_a = look_a.width,
                .full_b = look_b.width};
}

Status FindRun::match_local_pictures() {
  const std::vector<std::uint32_t> items = pictures_that_stay();
  if (items.size() < 2) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto opened, open_local());
  TWINSIFT_TRY([[maybe_unused]] auto learnt, learn_local(items));

  for (const std::uint32_t c : items) {
    TWINSIFT_TRY(const auto known, local_->find(digests_[c]));
    if (known && known->failure) skip(to_skipped(files_[c].path, *known->failure));
    if (!known || known->failure) ++unequal_;  // it may be otherwise next time
  }
  LocalPairsOptions how;
  how.threads = resolved_.threads;
  how.match.least_score = picture_threshold(resolved_.threshold);
  const LocalPictures pictures{.count = static_cast<std::uint32_t>(items.size()),
                               .print = [&](auto i) { return local_print_of(items[i]); }};
  TWINSIFT_TRY(LocalPairs found, find_local_pairs(pictures, how, options_.callbacks.stop));
  std::erase_if(found.pairs,
                [&](const LocalPair& pair) { return !may_match(items[pair.a], items[pair.b]); });
  TWINSIFT_TRY([[maybe_unused]] auto settled, settle_local(items, found.pairs));
  MatchStats stats;
  stats.candidates = stats.survivors = found.candidates;
  stats.matches = found.pairs.size();
  add_matched(
      stats,
      fmt::format("parts of pictures: all pairs with {} key points in common", how.index.least),
      {local_media_->spec()});
  for (const std::uint32_t i : found.capped) matched_.capped.push_back(items[i]);
  return ok();
}

Status FindRun::settle_local(std::span<const std::uint32_t> items,
                             std::span<const LocalPair> pairs) {
  std::vector<PlacedPair> placed;
  for (const LocalPair& pair : pairs) {
    placed.push_back({pair.a, pair.b, pair.match.score, &pair.match.placement});
  }
  TWINSIFT_TRY(const std::vector<Joined> joined, join(items, placed));
  for (const Joined& one : joined) {
    TWINSIFT_TRY(LocalMatch match, local_match_of(one.keeper, one.content, one.found_from_keeper));
    local_matches_.emplace(one.content, std::move(match));
  }
  return absorb(joined, FoundBy::kKeyPoints);
}

// As it was found, once more, with the points: from the keeper, or from the other one.
Result<LocalMatch> FindRun::local_match_of(std::uint32_t keeper, std::uint32_t content,
                                           bool found_from_keeper) const {
  LocalMatchOptions how;
  how.least_score = picture_threshold(resolved_.threshold);
  TWINSIFT_TRY(const LocalPrint a, local_print_of(found_from_keeper ? keeper : content));
  TWINSIFT_TRY(const LocalPrint b, local_print_of(found_from_keeper ? content : keeper));
  const auto match = match_local_or_mirrored(a.words, b.words, b.mirrored, how);
  if (!match) {
    return Error{ErrorCode::kIo, files_[content].path + ": its key points have changed"};
  }
  return found_from_keeper ? *match : seen_from_b(*match, a.words, b.words);
}

}  // namespace twinsift
