// SPDX-License-Identifier: Apache-2.0
#include "group/matcher.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <utility>

#include <xxhash.h>

#include "base/hash.h"
#include "feature/token_set.h"
#include "sketch/set_sketch.h"

namespace twinsift {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::uint64_t hash_words64(std::span<const std::uint64_t> words) {
  return XXH3_64bits(words.data(), words.size_bytes());
}

}  // namespace

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
  matcher_->comparison_.sketch(idf != nullptr ? SetView(set) : SetView(shingles.ids), sketch_);
  codes_.resize(codes_.size() + sketch_.size());
  make_codes(sketch_, std::span(codes_).last(sketch_.size()));
  keys_.resize(keys_.size() + matcher_->index_->tables());
  matcher_->index_->keys(sketch_, std::span(keys_).last(matcher_->index_->tables()));
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
  const std::size_t added = tables > 0 ? batch.keys_.size() / tables : 0;
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

std::unique_ptr<FeatureSets> Matcher::features_of(const Task& task, const Items& items) const {
  if (options_.store_features) return std::make_unique<StoredSets>(arena_, items.rows);
  return std::make_unique<RemadeSets>(
      [&task, &items](ItemId item) { return task.remake(items.docs[item]); }, spare_memory() / 4);
}

Result<Matcher::Outcome> Matcher::match(const Task& task) {
  const auto start = std::chrono::steady_clock::now();
  const GeneratorKind kind = choose_generator();
  const bool sketched = needs_sketches(kind);
  if (options_.store_features && sketched) {
    TWINSIFT_TRY([[maybe_unused]] auto done, sketch_stored());
  }
  Items items;
  TWINSIFT_TRY([[maybe_unused]] auto collapsed, collapse(task, items));
  Outcome outcome;
  TWINSIFT_TRY(const auto candidates, find_candidates(kind, task, items, outcome));
  outcome.seconds_index = seconds_since(start);

  const auto verify_start = std::chrono::steady_clock::now();
  const auto features = features_of(task, items);
  const Verifier verifier({.threshold = options_.threshold,
                           .sketches = sketched ? sketches_.get() : nullptr,
                           .early_stop = comparison_.early_stop(),
                           .rows = items.rows},
                          *features);
  MatchTask match_task{.candidates = candidates.get(),
                       .verifier = &verifier,
                       .items = static_cast<std::uint32_t>(items.docs.size()),
                       .references = items.references,
                       .references_only = task.references_only,
                       .threads = options_.threads,
                       .stop = task.stop};
  match_task.progress = [&](std::uint64_t done) {
    if (spilled_) release();  // what the last block has touched
    candidates->release();
    if (task.progress) task.progress("comparing", done, items.docs.size());
  };
  if (!task.labels.empty() || task.apart) {
    match_task.allowed = [&](ItemId item_a, ItemId item_b) {
      const DocId a = items.docs[item_a];
      const DocId b = items.docs[item_b];
      if (!task.labels.empty() && task.labels[a] == task.labels[b]) return false;
      return !task.apart || !task.apart(a, b);
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
