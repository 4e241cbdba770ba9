// SPDX-License-Identifier: Apache-2.0
// What learned codes add to find(), at level `edited` and below.
//
// A learned code costs ten times as much as the other one and a tenth of the key points.  So only
// pictures that stay as wholes get one; those that it finds copies of others, by the same second
// look as all candidates get, need no key points.  A picture that nothing explains, but whose
// learned code is very near to another, is similar: that comes last, so that it changes nothing
// about what was found for a reason.
#include <algorithm>
#include <cassert>
#include <iterator>
#include <mutex>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/parallel.h"
#include "run/find.h"
#include "verify/picture_similarity.h"

namespace twinsift {

// Those that are not known yet.  References are not compared with one another, and in every other
// pair the other one has a mirrored code.
Status FindRun::learn_codes(std::span<const std::uint32_t> contents) {
  std::vector<std::uint32_t> unknown;
  std::ranges::copy_if(contents, std::back_inserter(unknown),
                       [&](auto c) { return !learned_.contains(c); });
  std::vector<LearnedCodes> codes(unknown.size());
  std::optional<Error> error;
  std::mutex mutex;
  parallel_for(unknown.size(), resolved_.threads, options_.callbacks.stop,
               [&](std::size_t i, unsigned /*worker*/) {
                 const auto mirrored = has_reference(unknown[i]) ? Mirrored::kNo : Mirrored::kToo;
                 const auto packed = packed_of(unknown[i]);
                 const auto learned =
                     packed ? pictures_by_->learned(*packed, mirrored) : packed.error();
                 if (learned) {
                   codes[i] = *learned;
                   return;
                 }
                 const std::scoped_lock lock(mutex);
                 if (!error) error = learned.error();
               });
  if (options_.callbacks.stop.stop_requested()) return cancelled_error();
  if (error) return *error;
  for (std::size_t i = 0; i < unknown.size(); ++i) learned_.emplace(unknown[i], codes[i]);
  return ok();
}

std::vector<LearnedCodes> FindRun::codes_of(std::span<const std::uint32_t> contents) const {
  std::vector<LearnedCodes> codes;
  codes.reserve(contents.size());
  for (const std::uint32_t c : contents) codes.push_back(learned_.at(c));
  return codes;
}

Result<WholeMatch> FindRun::compare_by_learned(std::uint32_t a, std::uint32_t b,
                                               LearnedDistance distance) const {
  if (!may_match(a, b)) return WholeMatch{};
  TWINSIFT_TRY(const SetView packed_a, packed_of(a));
  TWINSIFT_TRY(const SetView packed_b, packed_of(b));
  return pictures_by_->compare_learned(packed_a, packed_b, distance);
}

Status FindRun::match_learned_pictures() {
  const std::vector<std::uint32_t> items = pictures_that_stay();
  if (items.size() < 2) return ok();
  TWINSIFT_TRY([[maybe_unused]] auto learnt, learn_codes(items));
  const std::vector<LearnedCodes> codes = codes_of(items);
  LearnedPairsTask task{.codes = codes,
                        .references = references_of(items),
                        .radius = pictures_by_->learned_radius(),
                        .compare =
                            [&](auto a, auto b, LearnedDistance distance) {
                              return compare_by_learned(items[a], items[b], distance);
                            },
                        .threshold = picture_threshold(resolved_.threshold),
                        .threads = resolved_.threads,
                        .stop = options_.callbacks.stop};
  TWINSIFT_TRY(const LearnedPairs found, find_learned_pairs(task));
  MatchStats stats;
  stats.candidates = stats.survivors = found.candidates;
  stats.matches = found.pairs.size();
  add_matched(stats, fmt::format("or within {} of 256 learned bits, also mirrored", task.radius),
              {shipped_network().spec()});
  return settle_learned(items, found);
}

Status FindRun::settle_learned(std::span<const std::uint32_t> items, const LearnedPairs& found) {
  std::vector<PlacedPair> placed;
  for (const auto& [a, b, match] : found.pairs) {
    assert(match.placement);  // where the score comes from
    placed.push_back({a, b, match.score, &*match.placement, FoundBy::kLearnedCodes});
  }
  TWINSIFT_TRY(const std::vector<Joined> joined, join(items, placed));
  for (const Joined& one : joined) {
    const LearnedDistance distance =
        learned_distance(learned_.at(one.keeper), learned_.at(one.content));
    TWINSIFT_TRY(WholeMatch match, compare_by_learned(one.keeper, one.content, distance));
    whole_matches_.emplace(std::pair(one.keeper, one.content), std::move(match));
  }
  return absorb(joined, FoundBy::kLearnedCodes);
}

// Only pictures that are alone join others: what was found for a reason stays together.
Status FindRun::match_similar_pictures() {
  std::vector<std::uint32_t> items = pictures_that_stay();
  std::set<std::uint32_t> keepers;
  for (const Duplicate& duplicate : matched_.duplicates) keepers.insert(duplicate.keeper);
  const auto alone = std::stable_partition(
      items.begin(), items.end(), [&](auto c) { return has_reference(c) || keepers.contains(c); });
  TWINSIFT_TRY([[maybe_unused]] auto learnt, learn_codes(items));
  const std::vector<LearnedCodes> codes = codes_of(items);
  const auto references = static_cast<std::uint32_t>(alone - items.begin());
  const LearnedPairsTask task{
      .codes = codes,
      .references = references,
      .radius = kSimilarBits,
      .compare = [&](auto a, auto b, LearnedDistance distance) -> Result<WholeMatch> {
        if (!may_match(items[a], items[b])) return WholeMatch{};
        return WholeMatch{.score = similar_score(distance.bits), .learned_bits = distance.bits};
      },
      .threshold = resolved_.threshold,
      .threads = resolved_.threads,
      .stop = options_.callbacks.stop};
  TWINSIFT_TRY(const LearnedPairs found, find_learned_pairs(task));
  std::vector<Match> matches;
  for (const auto& [a, b, match] : found.pairs) matches.push_back({a, b, match.score});
  const Stars stars = stars_of(matches, static_cast<std::uint32_t>(items.size()), references);
  for (const auto& [a, b, match] : found.pairs) {
    if (stars.keeper[b] != a) continue;
    whole_matches_.emplace(std::pair(items[a], items[b]), match);
    matched_.duplicates.push_back({items[b], items[a]});
  }
  matched_.matches += found.pairs.size();
  return ok();
}

}  // namespace twinsift
