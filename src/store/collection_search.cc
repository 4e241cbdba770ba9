// SPDX-License-Identifier: Apache-2.0
// What resembles a set: candidates from every segment, all that is in memory, and of these the ones
// that are similar enough, exactly.
#include <algorithm>

#include <fmt/format.h>

#include "store/collection_impl.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

// Sets with and without weights are never compared, and empty ones resemble nothing.
double score_of(SetView a, SetView b, double threshold) {
  if (a.weights.empty() != b.weights.empty() || a.ids.empty() || b.ids.empty()) return -1;
  return similarity_at_least(a, b, threshold);
}

bool better(const Neighbour& a, const Neighbour& b) {
  return a.score != b.score ? a.score > b.score : a.digest < b.digest;
}

}  // namespace

Result<std::vector<Neighbour>> StoredCollection::search(SetView set, const SearchOptions& options,
                                                        SearchStats& stats) const {
  if (!(options.threshold > 0 && options.threshold <= 1)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("threshold {}: must be more than 0 and at most 1", options.threshold)};
  }
  stats = {};
  std::vector<Neighbour> found;
  if (set.ids.empty()) return found;
  const std::shared_lock reading(state_);
  search_memory(set, options, stats, found);
  const Status searched = Shelf::takes(set) ? search_rows(set, options, stats, found)
                                            : search_all(set, options, stats, found);
  if (!searched) return with_advice(path_, searched.error());
  std::ranges::sort(found, better);
  if (options.limit != 0 && found.size() > options.limit) found.resize(options.limit);
  return found;
}

void StoredCollection::search_memory(SetView set, const SearchOptions& options, SearchStats& stats,
                                     std::vector<Neighbour>& found) const {
  const auto& contents = known_.unsorted.contents();
  for (auto it = contents.lower_bound({options.detector, Digest{}});
       it != contents.end() && it->first.first == options.detector; ++it) {
    ++stats.candidates;
    const double score = score_of(set, it->second.features, options.threshold);
    if (score < options.threshold) continue;
    ++stats.survivors;
    found.push_back({.digest = it->first.second, .score = score});
  }
}

// By sketches and buckets.
Status StoredCollection::search_rows(SetView set, const SearchOptions& options, SearchStats& stats,
                                     std::vector<Neighbour>& found) const {
  const auto shelf = shelves_.find(options.detector);
  if (shelf == shelves_.end()) return ok();
  const Signature query = shelf->second->sign(set);
  TWINSIFT_TRY(const auto plan, shelf->second->plan(options.threshold));
  std::vector<std::uint32_t> rows;
  for (const auto& segment : segments_) {
    const SegmentSearch search{.segment = segment.get(),
                               .shelf = shelf->second.get(),
                               .plan = plan.get(),
                               .query = &query,
                               .recall = options.recall};
    TWINSIFT_TRY([[maybe_unused]] auto done, search_segment(search, rows, stats));
    for (const std::uint32_t row : rows) {
      TWINSIFT_TRY(const ContentPlace place, segment->content_of_row(options.detector, row));
      TWINSIFT_TRY([[maybe_unused]] auto compared, compare(set, options, place, found));
    }
  }
  return ok();
}

// What has no sketch is compared, all of it.
Status StoredCollection::search_all(SetView set, const SearchOptions& options, SearchStats& stats,
                                    std::vector<Neighbour>& found) const {
  stats.scanned = true;
  for (const auto& segment : segments_) {
    for (std::uint64_t i = 0; i < segment->contents(options.detector); ++i) {
      TWINSIFT_TRY(const ContentPlace place, segment->content_at(options.detector, i));
      if (place.state != ContentState::kFeatures) continue;
      ++stats.candidates;
      ++stats.survivors;
      TWINSIFT_TRY([[maybe_unused]] auto compared, compare(set, options, place, found));
    }
  }
  return ok();
}

Result<bool> StoredCollection::is_newest(DetectorId detector, const ContentPlace& place) const {
  TWINSIFT_TRY(const auto newest,
               newest_content(segments_, known_.unsorted, detector, place.digest));
  return newest && newest->data_file == place.data_file && newest->offset == place.offset;
}

// The exact similarity, if this is still the newest record of its content.
Status StoredCollection::compare(SetView set, const SearchOptions& options,
                                 const ContentPlace& place, std::vector<Neighbour>& found) const {
  TWINSIFT_TRY(const bool newest, is_newest(options.detector, place));
  if (!newest) return ok();
  TWINSIFT_TRY(const ContentRecord content, read_content(options.detector, place));
  const double score = score_of(set, content.features, options.threshold);
  if (score >= options.threshold) found.push_back({.digest = place.digest, .score = score});
  return ok();
}

}  // namespace twinsift
