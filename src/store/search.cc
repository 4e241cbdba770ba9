// SPDX-License-Identifier: Apache-2.0
#include "store/search.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <numeric>
#include <optional>

#include "base/bits.h"
#include "verify/decide.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kWidth = 64;  // of the first plane; a Shelf has no other

class Searcher {
 public:
  Searcher(const SegmentSearch& search, std::vector<std::uint32_t>& rows, SearchStats& stats)
      : segment_(*search.segment),
        plan_(*search.plan),
        query_(*search.query),
        detector_(search.shelf->spec().detector),
        count_(segment_.rows(detector_)),
        rows_(rows),
        stats_(stats) {}

  Status by_buckets();
  Status by_scan();
  Status everything();

 private:
  using Bucket = std::span<const std::uint32_t>;
  Status filter(std::span<const std::uint32_t> candidates);
  Status look_further(std::uint32_t row, std::uint32_t equal);
  void join(std::span<const Bucket> buckets, std::uint64_t entries);
  [[nodiscard]] std::span<const std::uint8_t> query_codes(std::size_t plane) const {
    const std::uint32_t begin = plane == 0 ? 0 : plan_.early_stop.looks[plane - 1].bins;
    return std::span(query_.codes).subspan(begin, plan_.early_stop.looks[plane].bins - begin);
  }

  const Segment& segment_;
  const SearchPlan& plan_;
  const Signature& query_;
  DetectorId detector_;
  std::uint32_t count_;
  std::vector<std::uint32_t>& rows_;
  SearchStats& stats_;
};

// An entry of a bucket costs about as much as a row of a scan: a bit to set, and where it is the
// first of its row, a cache line from anywhere.
Status Searcher::by_buckets() {
  thread_local std::vector<Bucket> buckets;
  buckets.clear();
  std::uint64_t entries = 0;
  for (std::uint32_t table = 0; table < query_.keys.size(); ++table) {
    TWINSIFT_TRY(const Bucket bucket, segment_.bucket(detector_, table, query_.keys[table]));
    if (bucket.empty()) continue;
    buckets.push_back(bucket);
    entries += bucket.size();
  }
  if (entries > count_) return by_scan();
  stats_.promised = std::min(stats_.promised, plan_.found_in_buckets);
  thread_local std::vector<std::uint32_t> candidates;
  join(buckets, entries);
  candidates.swap(rows_);
  rows_.clear();
  stats_.candidates += candidates.size();
  return filter(candidates);
}

// The rows of all buckets, ascending, each once.  Few are sorted; for many a bit for each row of
// the segment is cheaper.
void Searcher::join(std::span<const Bucket> buckets, std::uint64_t entries) {
  constexpr std::uint64_t kSortCost = 16;
  rows_.clear();
  if (entries * kSortCost < count_ / 64) {
    for (const Bucket bucket : buckets) rows_.insert(rows_.end(), bucket.begin(), bucket.end());
    std::ranges::sort(rows_);
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    return;
  }
  thread_local std::vector<std::uint64_t> seen;
  seen.assign(count_ / 64 + 1, 0);
  for (const Bucket bucket : buckets) {
    for (const std::uint32_t row : bucket) seen[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  rows_.resize(entries + 8);
  rows_.resize(bit_positions(seen, 0, rows_.data()));
}

Status Searcher::filter(std::span<const std::uint32_t> candidates) {
  TWINSIFT_TRY(const std::uint8_t* plane, segment_.plane_for(detector_, 0, candidates));
  thread_local std::vector<std::uint8_t> equal;
  equal.resize(candidates.size());
  count_equal_rows(query_codes(0).data(), plane, candidates, equal.data());
  const Look& first = plan_.early_stop.looks.front();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (std::int32_t{equal[i]} * first.weight <= first.reject) continue;
    TWINSIFT_TRY([[maybe_unused]] auto looked, look_further(candidates[i], equal[i]));
  }
  return ok();
}

// A tile is one block of the file: it is checked, if need be, and then still in the cache.
Status Searcher::by_scan() {
  constexpr std::uint32_t kTile = 1024;
  stats_.promised = std::min(stats_.promised, plan_.found_by_scan);
  stats_.scanned = true;
  stats_.candidates += count_;
  rows_.clear();
  const Look& first = plan_.early_stop.looks.front();
  assert(first.weight == 1);
  std::array<RowPair, kTile + 1> hits;
  for (std::uint32_t begin = 0; begin < count_; begin += std::min(kTile, count_ - begin)) {
    const std::uint32_t tile = std::min(kTile, count_ - begin);
    TWINSIFT_TRY(const auto codes, segment_.codes(detector_, 0, begin, tile));
    const std::size_t found = match_tile(query_codes(0), codes, first.reject, hits.data());
    for (std::size_t i = 0; i < found; ++i) {
      const std::uint32_t equal = count_equal(
          query_codes(0).data(), codes.data() + std::size_t{kWidth} * hits[i].row, kWidth);
      TWINSIFT_TRY([[maybe_unused]] auto looked, look_further(begin + hits[i].row, equal));
    }
  }
  return ok();
}

// A row that the first look did not reject.
Status Searcher::look_further(std::uint32_t row, std::uint32_t equal) {
  std::optional<Error> damage;
  const auto count = [&](std::size_t plane) -> std::uint32_t {
    const auto codes = segment_.codes(detector_, plane, row);
    if (!codes) {
      damage = codes.error();
      return 0;
    }
    return count_equal(query_codes(plane).data(), codes->data(), codes->size());
  };
  const Decision decision = run_looks(plan_.early_stop.looks, equal, count);
  if (damage) return *damage;
  if (decision.verdict == Verdict::kReject) return ok();
  rows_.push_back(row);
  ++stats_.survivors;
  return ok();
}

Status Searcher::everything() {
  rows_.resize(count_);
  std::iota(rows_.begin(), rows_.end(), 0U);
  stats_.scanned = true;
  stats_.candidates += count_;
  stats_.survivors += count_;
  return ok();
}

}  // namespace

Status search_segment(const SegmentSearch& search, std::vector<std::uint32_t>& rows,
                      SearchStats& stats) {
  rows.clear();
  const DetectorId detector = search.shelf->spec().detector;
  if (search.segment->rows(detector) == 0) return ok();
  assert(*search.segment->shelf(detector) == search.shelf->spec());
  Searcher searcher(search, rows, stats);
  if (search.recall <= search.plan->found_in_buckets) return searcher.by_buckets();
  if (search.recall <= search.plan->found_by_scan) return searcher.by_scan();
  return searcher.everything();
}

bool survives(const SearchPlan& plan, std::span<const std::uint8_t> codes_a,
              std::span<const std::uint8_t> codes_b) {
  const std::span<const Look> looks = plan.early_stop.looks;
  const auto count = [&](std::size_t i) {
    const std::uint32_t begin = i == 0 ? 0 : looks[i - 1].bins;
    return count_equal(codes_a.data() + begin, codes_b.data() + begin, looks[i].bins - begin);
  };
  return run_looks(looks, count(0), count).verdict != Verdict::kReject;
}

}  // namespace twinsift
