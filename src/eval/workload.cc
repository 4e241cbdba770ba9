// SPDX-License-Identifier: Apache-2.0
#include "eval/workload.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "eval/data.h"
#include "feature/token_set.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kQueries = 100;
constexpr std::uint32_t kFewest = 20;  // documents of a corpus that are worth measuring on

}  // namespace

Result<Workload> Workload::make(const EvalOptions& options, std::uint32_t documents) {
  Workload workload;
  workload.seed_ = options.seed;
  if (options.corpus.empty()) {
    for (std::uint32_t q = 0; q < kQueries; ++q) {
      workload.queries_.push_back(workload.make_form(q));
      make_set(workload.queries_.back());
    }
    workload.documents_ = documents;
    workload.description_ =
        fmt::format("{} queries and {} documents of about 1150 ids made with seed {}", kQueries,
                    documents, options.seed);
    return workload;
  }
  TWINSIFT_TRY(EvalSets loaded, load_sets(options, documents + kQueries));
  const std::size_t count = loaded.sets.size();
  if (count < kFewest) {
    return Error{
        ErrorCode::kInvalidArgument,
        fmt::format("{} has {} documents of five words or more, and at least {} are needed",
                    options.corpus, count, kFewest)};
  }
  const std::size_t queries = std::min<std::size_t>(kQueries, count / 2);
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_query = i * queries / count != (i + 1) * queries / count;
    (is_query ? workload.queries_ : workload.sets_).push_back(std::move(loaded.sets[i]));
  }
  workload.documents_ = static_cast<std::uint32_t>(workload.sets_.size());
  workload.description_ =
      fmt::format("{}; {} of them, from all over, are the queries", loaded.description, queries);
  return workload;
}

Workload Workload::make_pictures(const EvalOptions& options, std::uint32_t pictures) {
  Workload workload;
  workload.seed_ = options.seed;
  workload.pictures_ = true;
  for (std::uint32_t q = 0; q < kQueries; ++q) {
    workload.queries_.push_back(workload.make_form(q));
    make_set(workload.queries_.back());
  }
  workload.documents_ = pictures;
  workload.description_ =
      fmt::format("{} queries and {} pictures of 300 to 1500 visual words made with seed {}",
                  kQueries, pictures, options.seed);
  return workload;
}

Workload Workload::of_sets(std::vector<TokenSet> queries, std::vector<TokenSet> documents,
                           std::string description) {
  Workload workload;
  workload.queries_ = std::move(queries);
  workload.sets_ = std::move(documents);
  workload.documents_ = static_cast<std::uint32_t>(workload.sets_.size());
  workload.description_ = std::move(description);
  return workload;
}

std::uint64_t Workload::new_id(Rng& rng) const {
  constexpr double kVocabulary = 65'536;
  if (!pictures_) return rng.next();
  const double u = rng.uniform();
  return mix64(
      static_cast<std::uint64_t>(kVocabulary * u * u));  // the first words are the frequent ones
}

// Not sorted, perhaps with repetitions.
TokenSet Workload::make_form(std::uint64_t stream) const {
  constexpr std::uint64_t kPhrases = 300;
  Rng rng(seed_key(seed_, stream));
  TokenSet ids;
  if (pictures_) {
    for (std::uint32_t points = 300 + rng.below(1201); points > 0; --points) {
      ids.push_back(new_id(rng));
    }
    return ids;
  }
  const double filled = rng.uniform();
  for (std::uint64_t phrase = 0; phrase < kPhrases; ++phrase) {
    if (rng.uniform() < filled) ids.push_back(phrase);
  }
  for (std::uint32_t own = 500 + rng.below(1001); own > 0; --own) ids.push_back(rng.next());
  return ids;
}

TokenSet Workload::document(std::uint32_t number) const {
  if (!sets_.empty()) return sets_[number];
  const std::uint64_t stream = std::uint64_t{kQueries} + number;
  Rng rng(seed_key(~seed_, stream));
  TokenSet ids;
  if (rng.uniform() < 0.1) {
    ids = queries_[rng.below(kQueries)];
    const double s = 0.3 + 0.7 * rng.uniform();
    const double replaced = (1 - s) / (1 + s);  // two sets of one size that share the rest
    for (std::uint64_t& id : ids) {
      if (rng.uniform() < replaced) id = new_id(rng);
    }
  } else {
    ids = make_form(stream);
  }
  make_set(ids);
  return ids;
}

QueryIndex::QueryIndex(const std::vector<TokenSet>& queries) {
  for (std::uint32_t q = 0; q < queries.size(); ++q) {
    sizes_.push_back(static_cast<std::uint32_t>(queries[q].size()));
    for (const std::uint64_t id : queries[q]) queries_of_[id].push_back(q);
  }
}

std::vector<QueryOverlap> QueryIndex::similar(const TokenSet& document,
                                              std::uint32_t threshold_permille) const {
  std::vector<std::uint32_t> common(sizes_.size(), 0);
  for (const std::uint64_t id : document) {
    const auto found = queries_of_.find(id);
    if (found == queries_of_.end()) continue;
    for (const std::uint32_t q : found->second) ++common[q];
  }
  std::vector<QueryOverlap> result;
  for (std::uint32_t q = 0; q < sizes_.size(); ++q) {
    const auto size = static_cast<std::uint32_t>(document.size());
    const QueryOverlap overlap{q, common[q], sizes_[q] + size - common[q]};
    if (overlap.reaches(threshold_permille)) result.push_back(overlap);
  }
  return result;
}

}  // namespace twinsift
