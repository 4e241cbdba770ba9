// SPDX-License-Identifier: Apache-2.0
// Queries and documents to compare them with, and which of the pairs are really similar.
//
// Documents that are made up are functions of the seed and their number: they are made again, part
// by part, wherever a million of them would not fit into memory.  They are filled-in forms: each
// has some of 300 phrases that all share, and 500 to 1500 of its own.  Every tenth is an edited
// copy of a query, of a similarity anywhere in (0.3, 1).
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/random.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// Immutable: threads may share one.
class Workload {
 public:
  // 100 queries.  With a corpus they are taken from all over it, at most half of its documents, and
  // `documents` is the most that the others may be.
  static Result<Workload> make(const EvalOptions& options, std::uint32_t documents);

  // The same with pictures: sets of visual words, 300 to 1500 key points drawn from a vocabulary of
  // 65,536 whose words are not equally frequent, as k-means leaves them.
  static Workload make_pictures(const EvalOptions& options, std::uint32_t pictures);

  // Sets that are there already, sorted and unique.  Requires: none is empty, nor either list.
  static Workload of_sets(std::vector<TokenSet> queries, std::vector<TokenSet> documents,
                          std::string description);

  [[nodiscard]] const std::vector<TokenSet>& queries() const { return queries_; }
  [[nodiscard]] std::uint32_t documents() const { return documents_; }
  [[nodiscard]] const std::string& description() const { return description_; }

  // The set of a document, sorted and unique.
  [[nodiscard]] TokenSet document(std::uint32_t number) const;

 private:
  Workload() = default;
  [[nodiscard]] TokenSet make_form(std::uint64_t stream) const;
  [[nodiscard]] std::uint64_t new_id(Rng& rng) const;  // of a phrase, or a visual word

  std::vector<TokenSet> queries_;
  std::vector<TokenSet> sets_;  // that are there already: of a corpus, of pictures
  std::uint32_t documents_ = 0;
  std::uint64_t seed_ = 0;
  bool pictures_ = false;
  std::string description_;
};

// |q and d| and |q or d| of a query and a document.
struct QueryOverlap {
  std::uint32_t query = 0;
  std::uint32_t common = 0;
  std::uint32_t all = 0;
  // Exact: J >= T.
  [[nodiscard]] bool reaches(std::uint32_t threshold_permille) const {
    return std::uint64_t{common} * 1000 >= std::uint64_t{all} * threshold_permille;
  }
};

// Which queries share an id: the exact similarity of a document with all of them costs one look-up
// for each of its ids.  Immutable: threads may share one.
class QueryIndex {
 public:
  explicit QueryIndex(const std::vector<TokenSet>& queries);

  // The queries whose similarity with the document is at least T, ascending.
  [[nodiscard]] std::vector<QueryOverlap> similar(const TokenSet& document,
                                                  std::uint32_t threshold_permille) const;

 private:
  std::vector<std::uint32_t> sizes_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> queries_of_;
};

}  // namespace twinsift
