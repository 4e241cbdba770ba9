// SPDX-License-Identifier: Apache-2.0
// Measuring indexes of vectors: what they find of what an exhaustive search finds, and how much
// they look at.
//
// Questions are stored vectors, asked again, as in the collections of pictures that come in
// groups; the question itself is among its answers.  An answer is right if it is of the question's
// group, or, where groups are not known, one of the kTop nearest by exhaustive search.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "eval/vectors.h"
#include "index/balanced.h"
#include "index/probed_table.h"
#include "index/vector_family.h"
#include "twinsift/result.h"

namespace twinsift {

inline constexpr std::size_t kTop = 4;  // answers that count, as in UKbench

// n / n_r.  Requires: candidates > 0.
double acceleration_factor(std::size_t items, double mean_candidates);

// Eq. 30 over all questions: what the index has right divided by what exhaustive search has;
// nothing if that is 0.
std::optional<double> relative_mrp(std::span<const std::uint32_t> by_index,
                                   std::span<const std::uint32_t> by_scan);

struct SearchFigures {
  double candidates = 0;    // a question, on average
  double relative_mrp = 0;  // eq. 30, of the kTop nearest candidates
  double ns_score = 0;      // right ones among these, on average: 0 to kTop
  double recall = 0;        // share of all right ones among the candidates, mean over questions
};

// The questions of a set, and the exact answers.  Immutable.
class VectorQuestions {
 public:
  // Up to `count` questions, from all over the set.
  VectorQuestions(const VectorSet& set, std::size_t count);

  [[nodiscard]] const VectorSet& set() const { return *set_; }  // which must outlive this
  [[nodiscard]] const VectorStore& store() const { return store_; }
  [[nodiscard]] std::size_t size() const { return ids_.size(); }
  [[nodiscard]] VectorView question(std::size_t q) const { return store_[ids_[q]]; }
  // Of the middle one of all vectors, the median over the questions.
  [[nodiscard]] double usual_distance() const { return usual_distance_; }
  [[nodiscard]] bool right(std::size_t q, ItemId id) const;
  // The N-S score of exhaustive search.
  [[nodiscard]] double scan_score() const;

  // found[q * items + i] is not 0 if i is a candidate for q.
  [[nodiscard]] SearchFigures judge(std::span<const std::uint8_t> found) const;

 private:
  const VectorSet* set_;
  VectorStore store_;
  std::vector<ItemId> ids_;
  std::vector<std::vector<ItemId>> order_;  // of each question: all ids, nearest first
  std::vector<std::uint32_t> wanted_;       // right ones in the whole set
  std::vector<std::uint32_t> by_scan_;      // right ones among the kTop nearest
  double usual_distance_ = 0;
};

// A way to search tables of one family.
struct SearchMethod {
  enum class Kind : std::uint8_t {
    kBasic,     // one's own bucket
    kPaper,     // load-balanced with that cap, reading phi buckets more; no cap: the next bucket
    kRecorded,  // load-balanced with that cap, reading as far as members have moved
    kMultiProbe,
  };
  Kind kind = Kind::kBasic;
  std::uint64_t cap = BalancedTable::kNoCap;
  std::uint32_t probes = 0;
};

// In which order the buckets of a table stand: that of index/balanced.h, whose keys are hashes for
// p-stable functions, or that of the V whole numbers, compared one after the other.
enum class BucketOrder : std::uint8_t { kKeys, kCells };

struct SearchFamily {
  std::string name;  // "hamming" or "pstable"
  std::uint32_t v = 12;
  std::uint32_t l = 20;
  double r = 0;  // of pstable
  std::uint64_t seed = 0;
  BucketOrder order = BucketOrder::kCells;
  [[nodiscard]] std::string parameters() const;  // "v=12,l=20,seed=0"
};

// All vectors and questions of a set, hashed once for any number of methods.
class HashedVectors {
 public:
  static constexpr std::uint32_t kMostProbes = 32;
  static constexpr double kGamma = 16;  // of multi-probe, its default

  static Result<HashedVectors> make(const VectorQuestions& questions, const SearchFamily& family);

  // With the first L tables, for each of `tables`, ascending and none above the family's.
  [[nodiscard]] std::vector<SearchFigures> measure(const SearchMethod& method,
                                                   std::span<const std::uint32_t> tables) const;
  [[nodiscard]] SearchFigures measure(const SearchMethod& method) const;

  // Of the items of a table, in the chosen order.
  [[nodiscard]] const std::vector<std::uint64_t>& places(std::uint32_t table) const {
    return tables_[table].places;
  }
  [[nodiscard]] BalancedTable balanced(std::uint32_t table, std::uint64_t cap) const {
    return {tables_[table].places, questions_->store(), cap};
  }

 private:
  struct Table {
    std::vector<std::uint64_t> places;  // of the items, in the chosen order
    std::vector<std::uint64_t> question_places;
    std::vector<std::uint64_t> keys;  // of the items, of the family
    std::vector<Cells> cells;
    std::vector<ProbedTable::Question> questions;
  };
  explicit HashedVectors(const VectorQuestions& questions) : questions_(&questions) {}
  static void place_by_cells(Table& table);
  void search(const Table& table, const SearchMethod& method, std::span<std::uint8_t> found) const;
  void multi_probe(const Table& table, std::uint32_t probes, std::span<std::uint8_t> found) const;

  const VectorQuestions* questions_;
  std::vector<Table> tables_;
};

}  // namespace twinsift
