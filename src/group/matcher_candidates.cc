// SPDX-License-Identifier: Apache-2.0
// Which pairs are worth a look: by bands of sketches, by the exact prefix filter or, in
// matcher_sort_merge.cc, by sort and merge.
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "base/parallel.h"
#include "group/matcher.h"
#include "index/buckets.h"
#include "index/prefix.h"
#include "sketch/set_sketch.h"
#include "tune/tune.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kMostForPrefix = 8'000'000;  // tokens, unless there is more memory

}  // namespace

// Sort-merge counts what unweighted sets share; no sketch could tell it better.
bool Matcher::counts_exactly() const { return options_.store_features && !options_.weighted; }

bool Matcher::needs_keys() const {
  return options_.generator.kind != GeneratorKind::kSortMerge || !options_.store_features;
}

bool Matcher::needs_sketches(GeneratorKind kind) const {
  if (kind == GeneratorKind::kSortMerge) return !counts_exactly();
  return kind != GeneratorKind::kPrefix;
}

// Estimated: the prefix filter costs about 40 ns for each token, a sketch with its buckets
// 2 k ln k + 20 b ns for each document.  Below a million tokens both are a blink, and the exact
// answer is worth more.  The choice must not depend on memory or threads, or results would; it
// needs 24 bytes for each token, hence the upper limit.
GeneratorKind Matcher::choose_generator() const {
  constexpr std::uint64_t kFew = 1'000'000;
  if (options_.generator.kind != GeneratorKind::kAuto) return options_.generator.kind;
  if (!counts_exactly() || arena_.tokens() > kMostForPrefix) return GeneratorKind::kBanding;
  const double k = comparison_.sketcher().k();
  const double sketching = row_count_ * (2 * k * std::log(k) + 20.0 * index_->tables());
  const bool cheaper =
      arena_.tokens() < kFew || 40.0 * static_cast<double>(arena_.tokens()) < sketching;
  return cheaper ? GeneratorKind::kPrefix : GeneratorKind::kBanding;
}

// Sketches for features that were stored without them.
Status Matcher::sketch_stored() {
  constexpr std::uint32_t kRows = 4096;
  for (std::uint32_t begin = 0; begin < row_count_; begin += kRows) {
    const std::uint32_t count = std::min(kRows, row_count_ - begin);
    std::vector<std::uint8_t> codes(std::size_t{count} * comparison_.sketcher().k());
    const std::size_t tables = keys_.size();
    std::vector<std::uint32_t> keys(count * tables);
    const auto work = [&](std::size_t i, unsigned /*worker*/) {
      Sketch sketch;
      comparison_.sketch(arena_.set(begin + static_cast<std::uint32_t>(i)), sketch);
      make_codes(sketch, std::span(codes).subspan(i * sketch.size(), sketch.size()));
      if (tables > 0) index_->keys(sketch, std::span(keys).subspan(i * tables, tables));
    };
    parallel_for(count, options_.threads, std::stop_token(), work);
    Batch batch(*this);
    batch.codes_ = std::move(codes);
    batch.keys_ = std::move(keys);
    TWINSIFT_TRY([[maybe_unused]] auto done, append(batch));
  }
  return ok();
}

Result<std::unique_ptr<CandidateSource>> Matcher::find_candidates(GeneratorKind kind,
                                                                  const Task& task,
                                                                  const Items& items,
                                                                  Outcome& outcome) const {
  if (kind == GeneratorKind::kSortMerge) return sort_and_merge(task, items, outcome);
  if (kind == GeneratorKind::kPrefix) return meet_in_prefixes(items, outcome);
  return meet_in_bands(items, outcome);
}

Result<std::unique_ptr<CandidateSource>> Matcher::meet_in_prefixes(const Items& items,
                                                                   Outcome& outcome) const {
  constexpr std::uint64_t kBytes = 24;  // for each token
  if (arena_.tokens() > std::max(kMostForPrefix, options_.memory / kBytes)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("prefix1 needs {} MB of memory for {} features: allow more, or find "
                             "candidates by banding1 or sortmerge1",
                             (arena_.tokens() * kBytes >> 20U) + 1, arena_.tokens())};
  }
  std::vector<std::span<const std::uint64_t>> sets;
  for (const std::uint32_t row : items.rows) sets.push_back(arena_.set(row).ids);
  outcome.guarantee =
      fmt::format("exact prefix join, P(found at {}) = 1", threshold_text(options_.threshold));
  outcome.specs = {generator_spec({.kind = GeneratorKind::kPrefix})};
  auto buckets = std::make_unique<BucketTable>(
      BucketTable::build({.items = static_cast<std::uint32_t>(sets.size())},
                         prefix_postings(sets, options_.threshold)));
  outcome.index_counts = {{"largest_bucket", buckets->largest()}};
  return std::unique_ptr<CandidateSource>(std::move(buckets));
}

Result<std::unique_ptr<CandidateSource>> Matcher::meet_in_bands(const Items& items,
                                                                Outcome& outcome) const {
  const auto count = static_cast<std::uint32_t>(items.docs.size());
  outcome.guarantee = guarantee_ + caveats_;
  outcome.specs = {comparison_.sketcher().spec(), index_->spec(), comparison_.early_stop().spec};
  auto buckets = std::make_unique<BucketTable>(
      BucketTable::build({.tables = index_->tables(), .items = count, .threads = options_.threads},
                         [&](std::uint32_t table, std::span<std::uint32_t> keys) {
                           const SpillVector<std::uint32_t>& column = keys_[table];
                           for (std::uint32_t i = 0; i < count; ++i)
                             keys[i] = column[items.rows[i]];
                           column.release();
                         }));
  outcome.index_counts = {{"largest_bucket", buckets->largest()}};
  return std::unique_ptr<CandidateSource>(std::move(buckets));
}

}  // namespace twinsift
