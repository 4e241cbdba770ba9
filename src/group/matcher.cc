// SPDX-License-Identifier: Apache-2.0
#include "group/matcher.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <xxhash.h>

#include "base/hash.h"
#include "base/parallel.h"
#include "index/prefix.h"
#include "index/signature.h"
#include "sketch/weighted_sketch.h"
#include "tune/tune.h"
#include "verify/filter.h"

namespace twinsift {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The table of a filter.  "none" leaves every pair to the exact comparison; all but the default
// have looks of their own.
Result<EarlyStopTable> make_early_stop(const FilterOptions& filter, double threshold,
                                       std::uint32_t k) {
  if (filter.kind == FilterKind::kNone) {
    return EarlyStopTable{{{k, -1, static_cast<std::int32_t>(k) + 1}}, "none"};
  }
  FilterTask task{.k = k,
                  .threshold_permille = static_cast<std::uint32_t>(threshold * 1000),
                  .code_bits = 8,
                  .looks = {}};
  if (filter.kind == FilterKind::kGroupSequential) {
    task.looks = doubling_looks(k);
    task.looks.pop_back();  // the last is understood
  }
  return make_filter(filter, task);
}

// Whether pairs that the filter lets pass at its last look are only those above the threshold, so
// that near it some are lost.
bool decides_alone(const FilterOptions& filter) {
  const bool open =
      filter.kind == FilterKind::kNone || filter.kind == FilterKind::kBayes ||
      (filter.kind == FilterKind::kGroupSequential && filter.mode == FilterMode::kDefault);
  return !open;
}

// Filters by groups need groups of equal size.
Result<SketchPlan> choose_plan(const MatcherOptions& options, const FilterOptions& filter,
                               double recall) {
  TWINSIFT_TRY(SketchPlan plan,
               choose_sketch_size(options.threshold, recall, kLargestChosenSketch));
  const bool grouped = filter.kind == FilterKind::kGoph || filter.kind == FilterKind::kHoph;
  if (!grouped || plan.k % filter.groups == 0) return plan;
  plan.k = (plan.k / filter.groups + 1) * filter.groups;
  TWINSIFT_TRY(plan.banding, choose_banding(options.threshold, recall, plan.k));
  return plan;
}

std::uint64_t hash_words64(std::span<const std::uint64_t> words) {
  return XXH3_64bits(words.data(), words.size_bytes());
}

}  // namespace

Result<Matcher> Matcher::make(const MatcherOptions& options) {
  Matcher matcher;
  matcher.options_ = options;
  SketchPlan plan;
  std::string spec = options.sketch;
  const double recall = options.recall + kEarlyStopLoss;
  TWINSIFT_TRY(const FilterOptions filter, parse_filter(options.filter));
  if (spec.find("k=") == std::string::npos) {
    TWINSIFT_TRY(plan, choose_plan(options, filter, recall));
    spec += fmt::format("{}k={}", spec.find(':') == std::string::npos ? ":" : ",", plan.k);
  }
  TWINSIFT_TRY(matcher.sketcher_, make_sketcher(spec));
  if (options.weighted && dynamic_cast<WeightedSketcher*>(matcher.sketcher_.get()) == nullptr) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} sketches sets without weights: use dart1, icws1 or cws1", spec)};
  }
  if (plan.k == 0) {
    plan.k = matcher.sketcher_->k();
    TWINSIFT_TRY(plan.banding, choose_banding(options.threshold, recall, plan.k));
  }
  if (plan.k < 64) {
    return Error{ErrorCode::kInvalidArgument, "a sketch needs at least k=64 to be indexed"};
  }
  TWINSIFT_TRY(matcher.index_, make_index(fmt::format("banding1:b={},r={}", plan.banding.bands,
                                                      plan.banding.rows)));
  TWINSIFT_TRY(matcher.early_stop_, make_early_stop(filter, options.threshold, plan.k));
  std::vector<std::uint32_t> looks;
  for (const Look& look : matcher.early_stop_.looks) looks.push_back(look.bins);
  matcher.sketches_ = std::make_unique<SketchTable>(looks);
  matcher.keys_.resize(matcher.index_->tables());
  matcher.guarantee_ = guarantee_line(plan, options.threshold);
  if (!matcher.sketcher_->bounded_variance()) {
    matcher.guarantee_ += fmt::format(
        "; with {} that is no promise, for its components vary more than independent ones",
        matcher.sketcher_->spec());
  }
  if (decides_alone(filter)) {
    matcher.guarantee_ +=
        fmt::format("; of these, {} loses some near the threshold", filter_spec(filter));
  }
  return matcher;
}

void Matcher::Batch::add_set(WeightedSet set, std::uint64_t length) {
  assert(matcher_->options_.store_features && !set.tokens.empty());
  kinds_.push_back(static_cast<std::uint8_t>(Kind::kFull));
  lengths_.push_back(length);
  const std::uint64_t weights =
      XXH3_64bits(set.weights.data(), set.weights.size() * sizeof(double));
  equal_.insert(equal_.end(), {weights, hash_words64(set.tokens)});
  sets_.push_back(std::move(set));
}

// A document that only its bytes can tell from others.
void Matcher::Batch::add_without_features(Kind kind, std::string_view text) {
  lengths_.push_back(text.size());
  const XXH128_hash_t bytes = XXH3_128bits(text.data(), text.size());
  equal_.insert(equal_.end(), {bytes.low64, bytes.high64});
  kinds_.push_back(static_cast<std::uint8_t>(kind));
}

void Matcher::Batch::add(Shingles& shingles, std::string_view text, const IdfTable* idf) {
  if (shingles.tiny) {
    return add_without_features(shingles.ids.empty() ? Kind::kEmpty : Kind::kTiny, text);
  }
  WeightedSet set;
  if (idf != nullptr) {
    set = idf->weigh(count_terms(std::move(shingles.ids)));
    if (set.tokens.empty()) return add_without_features(Kind::kTiny, text);
  }
  if (matcher_->options_.store_features) {
    if (idf == nullptr) {
      make_set(shingles.ids);
      set.tokens = std::move(shingles.ids);
    }
    return add_set(std::move(set), text.size());
  }
  lengths_.push_back(text.size());
  kinds_.push_back(static_cast<std::uint8_t>(Kind::kFull));
  const Sketcher& sketcher = *matcher_->sketcher_;
  const Index& index = *matcher_->index_;
  codes_.resize(codes_.size() + sketcher.k());
  keys_.resize(keys_.size() + index.tables());
  sign(sketcher, index, idf != nullptr ? SetView(set) : SetView(shingles.ids), sketch_,
       std::span(codes_).last(sketcher.k()), std::span(keys_).last(index.tables()));
  equal_.insert(equal_.end(), {shingles.order_hash, hash_words64(sketch_)});
}

Status Matcher::append(Batch& batch) {
  for (const std::uint8_t kind : batch.kinds_) {
    const bool full = kind == static_cast<std::uint8_t>(Kind::kFull);
    rows_.push_back(full ? row_count_++ : kNoRow);
  }
  kinds_.insert(kinds_.end(), batch.kinds_.begin(), batch.kinds_.end());
  lengths_.insert(lengths_.end(), batch.lengths_.begin(), batch.lengths_.end());
  TWINSIFT_TRY([[maybe_unused]] auto equal, equal_.append(batch.equal_));
  for (const WeightedSet& set : batch.sets_) {
    TWINSIFT_TRY([[maybe_unused]] auto stored, arena_.add(set));
  }
  TWINSIFT_TRY([[maybe_unused]] auto codes, sketches_->append(batch.codes_));
  const std::size_t tables = keys_.size();
  const std::size_t added = batch.keys_.size() / tables;
  std::vector<std::uint32_t> column(added);
  for (std::size_t table = 0; table < tables; ++table) {
    for (std::size_t i = 0; i < added; ++i) column[i] = batch.keys_[i * tables + table];
    TWINSIFT_TRY([[maybe_unused]] auto keys, keys_[table].append(column));
  }
  batch = Batch(*this);
  return limit_memory();
}

// What is left of the memory for signatures and features.  Measured: the process with its buffers
// has some 16 MB, and the arrays that are in use while documents are matched 100 bytes for each.
std::uint64_t Matcher::spare_memory() const {
  const std::uint64_t fixed = (std::uint64_t{16} << 20U) + 100 * std::uint64_t{documents()};
  return std::max(options_.memory - std::min(fixed, options_.memory), options_.memory / 8);
}

// Half of the memory is for what grows with the documents; from then on it lives on disk.
Status Matcher::limit_memory() {
  std::size_t bytes =
      sketches_->resident_bytes() + arena_.resident_bytes() + equal_.resident_bytes();
  for (const auto& column : keys_) bytes += column.resident_bytes();
  if (!spilled_ && bytes < spare_memory() / 2) return ok();
  if (!spilled_) {
    TWINSIFT_TRY([[maybe_unused]] auto a, sketches_->spill(options_.temp_dir));
    TWINSIFT_TRY([[maybe_unused]] auto b, arena_.spill(options_.temp_dir));
    TWINSIFT_TRY([[maybe_unused]] auto e, equal_.spill(options_.temp_dir));
    for (auto& column : keys_) {
      TWINSIFT_TRY([[maybe_unused]] auto c, column.spill(options_.temp_dir));
    }
    spilled_ = true;
  }
  release();
  return ok();
}

void Matcher::release() const {
  sketches_->release();
  arena_.release();
  equal_.release();
  for (const auto& column : keys_) column.release();
}

std::optional<std::uint32_t> Matcher::row(DocId document) const {
  return rows_[document] == kNoRow ? std::nullopt : std::optional(rows_[document]);
}

// Estimated: the prefix filter costs about 40 ns for each token, a sketch with its buckets
// 2 k ln k + 20 b ns for each document.  Below a million tokens both are a blink, and the exact
// answer is worth more.  The choice must not depend on memory or threads, or results would; it
// needs 24 bytes for each token, hence the upper limit.
bool Matcher::prefer_exact() const {
  constexpr std::uint64_t kFew = 1'000'000;
  constexpr std::uint64_t kMost = 8'000'000;
  if (!options_.store_features || options_.weighted || arena_.tokens() > kMost) return false;
  const double k = sketcher_->k();
  const double sketching = row_count_ * (2 * k * std::log(k) + 20.0 * index_->tables());
  return arena_.tokens() < kFew || 40.0 * static_cast<double>(arena_.tokens()) < sketching;
}

// Sketches for features that were stored without them.
Status Matcher::sketch_stored() {
  constexpr std::uint32_t kRows = 4096;
  for (std::uint32_t begin = 0; begin < row_count_; begin += kRows) {
    const std::uint32_t count = std::min(kRows, row_count_ - begin);
    std::vector<std::uint8_t> codes(std::size_t{count} * sketcher_->k());
    std::vector<std::uint32_t> keys(std::size_t{count} * index_->tables());
    const auto work = [&](std::size_t i, unsigned /*worker*/) {
      Sketch sketch;
      sign(*sketcher_, *index_, arena_.set(begin + static_cast<std::uint32_t>(i)), sketch,
           std::span(codes).subspan(i * sketcher_->k(), sketcher_->k()),
           std::span(keys).subspan(i * index_->tables(), index_->tables()));
    };
    parallel_for(count, options_.threads, std::stop_token(), work);
    Batch batch(*this);
    batch.codes_ = std::move(codes);
    batch.keys_ = std::move(keys);
    TWINSIFT_TRY([[maybe_unused]] auto done, append(batch));
  }
  return ok();
}

std::unique_ptr<FeatureSets> Matcher::features_of(const Task& task, const Items& items) const {
  if (options_.store_features) return std::make_unique<StoredSets>(arena_, items.rows);
  return std::make_unique<RemadeSets>(
      [&task, &items](ItemId item) { return task.remake(items.docs[item]); }, spare_memory() / 4);
}

Result<BucketTable> Matcher::build_buckets(const Items& items, Outcome& outcome) const {
  const auto count = static_cast<std::uint32_t>(items.docs.size());
  if (prefer_exact()) {
    std::vector<std::span<const std::uint64_t>> sets;
    for (const std::uint32_t row : items.rows) sets.push_back(arena_.set(row).ids);
    outcome.guarantee =
        fmt::format("exact prefix join, P(found at {:.2f}) = 1", options_.threshold);
    outcome.specs = {"prefix1"};
    return BucketTable::build({.items = count}, prefix_postings(sets, options_.threshold));
  }
  outcome.guarantee = guarantee_;
  outcome.specs = {sketcher_->spec(), index_->spec(), early_stop_.spec};
  return BucketTable::build(
      {.tables = index_->tables(), .items = count, .threads = options_.threads},
      [&](std::uint32_t table, std::span<std::uint32_t> keys) {
        const SpillVector<std::uint32_t>& column = keys_[table];
        for (std::uint32_t i = 0; i < count; ++i) keys[i] = column[items.rows[i]];
        column.release();
      });
}

Result<Matcher::Outcome> Matcher::match(const Task& task) {
  const auto start = std::chrono::steady_clock::now();
  const bool exact = prefer_exact();
  if (options_.store_features && !exact) {
    TWINSIFT_TRY([[maybe_unused]] auto done, sketch_stored());
  }
  Items items;
  TWINSIFT_TRY([[maybe_unused]] auto collapsed, collapse(task, items));
  Outcome outcome;
  TWINSIFT_TRY(BucketTable buckets, build_buckets(items, outcome));
  outcome.largest_bucket = buckets.largest();
  outcome.seconds_index = seconds_since(start);

  const auto verify_start = std::chrono::steady_clock::now();
  const auto features = features_of(task, items);
  const Verifier verifier({.threshold = options_.threshold,
                           .sketches = exact ? nullptr : sketches_.get(),
                           .early_stop = early_stop_,
                           .rows = items.rows},
                          *features);
  MatchTask match_task{.buckets = &buckets,
                       .verifier = &verifier,
                       .items = static_cast<std::uint32_t>(items.docs.size()),
                       .references = items.references,
                       .references_only = task.references_only,
                       .threads = options_.threads,
                       .stop = task.stop};
  match_task.progress = [&](std::uint64_t done) {
    if (spilled_) release();  // what the last block has touched
    if (task.progress) task.progress(done, items.docs.size());
  };
  if (!task.labels.empty()) {
    match_task.allowed = [&](ItemId a, ItemId b) {
      return task.labels[items.docs[a]] != task.labels[items.docs[b]];
    };
  }
  Stars stars;
  if (task.all_pairs) {
    TWINSIFT_TRY(AllPairs all, find_all_pairs(match_task));
    stars = stars_of(all.matches, match_task.items, items.references);
    stars.stats = all.stats;
    for (const Match& m : all.matches) {
      outcome.pairs.push_back({items.docs[m.a], items.docs[m.b], m.score});
    }
  } else {
    TWINSIFT_TRY(stars, find_stars(match_task));
  }
  outcome.seconds_verify = seconds_since(verify_start);

  outcome.stats = stars.stats;
  for (ItemId& item : outcome.stats.capped) item = items.docs[item];
  spread(task, items, stars, outcome);
  return outcome;
}

// From items back to documents.
void Matcher::spread(const Task& task, const Items& items, const Stars& stars,
                     Outcome& outcome) const {
  outcome.keeper = items.same_as;
  outcome.score.assign(documents(), 1);
  for (ItemId i = 0; i < items.docs.size(); ++i) {
    outcome.keeper[items.docs[i]] = items.docs[stars.keeper[i]];
    outcome.score[items.docs[i]] = stars.score[i];
  }
  for (DocId d = 0; d < documents(); ++d) {
    const DocId same = items.same_as[d];
    if (same == d) continue;
    ++outcome.collapsed;
    // Equal to a member of a group: the same keeper with the same score.  But references stay,
    // and where only references count, equality with another document does not.
    outcome.keeper[d] = d < task.references ? d : outcome.keeper[same];
    outcome.score[d] = outcome.score[same];
    if (task.references_only && outcome.keeper[d] >= task.references) outcome.keeper[d] = d;
    const bool counts = same < task.references ? d >= task.references : !task.references_only;
    if (task.all_pairs && counts) outcome.pairs.push_back({same, d, 1});
  }
  for (Match& m : outcome.pairs) {
    if (m.a > m.b) std::swap(m.a, m.b);
  }
  std::ranges::sort(outcome.pairs, {}, [](const Match& m) { return std::pair(m.a, m.b); });
}

}  // namespace twinsift
