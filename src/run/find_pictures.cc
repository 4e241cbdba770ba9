// SPDX-License-Identifier: Apache-2.0
// The middle of find() for pictures: which contents show the same.
#include <algorithm>
#include <tuple>
#include <utility>

#include "base/cancel.h"
#include "base/parallel.h"
#include "group/picture_matcher.h"
#include "run/find.h"

namespace twinsift {
namespace {

// Whether one of them shows a part of the other.
Relation relation_of(const Placement& placement) {
  constexpr double kNearlyAll = 0.9;
  const bool all_a = placement.covered_a >= kNearlyAll;
  const bool all_b = placement.covered_b >= kNearlyAll;
  if (all_b && !all_a) return Relation::kContains;
  return all_a && !all_b ? Relation::kContained : Relation::kSame;
}

}  // namespace

Result<SetView> FindRun::packed_of(std::uint32_t content) const {
  TWINSIFT_TRY(const auto known, content_of(content));
  if (!known) return Error{ErrorCode::kNotFound, files_[content].path + ": nothing is known of it"};
  return known->features;
}

Result<PictureLook> FindRun::look_at(std::uint32_t content) const {
  TWINSIFT_TRY(const SetView packed, packed_of(content));
  return pictures_by_->look(packed);
}

bool FindRun::may_match(std::uint32_t a, std::uint32_t b) const {
  if (options_.cross && label_of(a) == label_of(b)) return false;
  return !told_apart(a, b);
}

// In the order of keeping.
std::vector<std::uint32_t> FindRun::pictures_that_stay() const {
  std::vector<std::uint8_t> goes(files_.size(), 0);
  for (const Duplicate& duplicate : matched_.duplicates) goes[duplicate.content] = 1;
  std::vector<std::uint32_t> stay;
  for (const std::uint32_t c : pictures_) {
    if (goes[c] == 0 && !plain_.contains(c)) stay.push_back(c);
  }
  return stay;
}

Status FindRun::match_whole_pictures() {
  // References first, so that they stay; then those with the most pixels, then with the most bytes.
  std::vector<std::tuple<bool, std::uint64_t, std::uint64_t, std::uint32_t>> order;
  for (const std::uint32_t c : pictures_) {
    TWINSIFT_TRY(const PictureLook look, look_at(c));
    if (look.plain) plain_.insert(c);
    const std::uint64_t area = std::uint64_t{look.width} * look.height;
    order.emplace_back(!has_reference(c), UINT64_MAX - area, UINT64_MAX - files_[c].size, c);
  }
  std::ranges::sort(order);
  std::ranges::transform(order, pictures_.begin(), [](const auto& entry) { return get<3>(entry); });

  PictureTask task{.detector = pictures_by_.get(),
                   .pictures = static_cast<std::uint32_t>(pictures_.size()),
                   .packed = [&](ItemId i) { return packed_of(pictures_[i]); },
                   .references = static_cast<std::uint32_t>(std::ranges::count(
                       order, false, [](const auto& entry) { return get<0>(entry); })),
                   .threshold = picture_threshold(resolved_.threshold),
                   .recall = options_.match.recall,
                   .threads = resolved_.threads,
                   .stop = options_.callbacks.stop};
  if (options_.cross || collection_) {
    task.allowed = [&](ItemId a, ItemId b) { return may_match(pictures_[a], pictures_[b]); };
  }
  if (options_.callbacks.progress) {
    task.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
      options_.callbacks.progress(
          {.stage = stage, .items = done, .total_items = total, .current = {}});
    };
  }
  TWINSIFT_TRY(const PictureOutcome outcome, match_pictures(task));
  for (ItemId i = 0; i < task.pictures; ++i) {
    if (outcome.keeper[i] == i) continue;
    matched_.duplicates.push_back({pictures_[i], pictures_[outcome.keeper[i]]});
  }
  add_matched(outcome.stats, outcome.guarantee, {outcome.index});
  TWINSIFT_TRY([[maybe_unused]] auto kept, keep_whole_matches());
  return prefer_unbordered();
}

// Why each goes with its keeper, once for all and with all threads.
Status FindRun::keep_whole_matches() {
  const auto& duplicates = matched_.duplicates;
  std::vector<Result<WholeMatch>> matches(duplicates.size(), WholeMatch{});
  parallel_for(duplicates.size(), resolved_.threads, options_.callbacks.stop,
               [&](std::size_t i, unsigned /*worker*/) {
                 const auto known = content_of(duplicates[i].content);
                 if (!known || !*known || !(*known)->features.packed) return;
                 matches[i] = compare_wholes(duplicates[i].keeper, duplicates[i].content);
               });
  if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  for (std::size_t i = 0; i < duplicates.size(); ++i) {
    TWINSIFT_TRY(WholeMatch match, std::move(matches[i]));
    whole_matches_.emplace(std::pair(duplicates[i].keeper, duplicates[i].content),
                           std::move(match));
  }
  return ok();
}

Result<WholeMatch> FindRun::compare_wholes(std::uint32_t a, std::uint32_t b) const {
  TWINSIFT_TRY(const SetView packed_a, packed_of(a));
  TWINSIFT_TRY(const SetView packed_b, packed_of(b));
  return pictures_by_->compare(packed_a, packed_b);
}

Result<MemberPair> FindRun::compare_pictures(std::uint32_t keeper, std::uint32_t file) const {
  MemberPair pair;
  pair.identical = content_[keeper] == content_[file];
  if (pair.identical) {
    pair.score = 1;
    pair.evidence.same_pixels = true;
    return pair;
  }
  WholeMatch match;
  const auto known = whole_matches_.find({content_[keeper], content_[file]});
  if (known != whole_matches_.end()) {
    match = known->second;
  } else {
    TWINSIFT_TRY(match, compare_wholes(content_[keeper], content_[file]));
  }
  pair.score = match.score;
  pair.evidence = evidence_of(std::move(match));
  const auto local = local_matches_.find(content_[file]);
  if (local != local_matches_.end() && local->second.score > pair.score) {
    pair.score = local->second.score;
    TWINSIFT_TRY(const Widths widths, widths_of(content_[keeper], content_[file]));
    place(at_full_size(local->second.placement, widths), pair.evidence);
    pair.relation = relation_of(local->second.placement);
  }
  return pair;
}

}  // namespace twinsift
