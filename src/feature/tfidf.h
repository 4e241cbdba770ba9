// SPDX-License-Identifier: Apache-2.0
// TF-IDF: a text as a weighted set, in which a term weighs the more the rarer it is elsewhere.
//
//     weight(term) = tf * idf,   tf = count / all counts of the text,
//     idf = ln((1 + D) / (1 + df)) + 1            "smooth", the default: always above 0
//     idf = ln(D / (df + 1))                      "paper" [002, sec. 2]
// where df of the D texts of the corpus have the term.  tf sums to 1, so that the length of a text
// does not decide its J_W.
//
// A corpus is read twice: once to count (DocumentFrequencies; parallel counts are merged), once to
// weigh (IdfTable).  The table is frozen: another one gives other weights, and weights of two
// tables cannot be compared, which version() tells.
//
// Papers:  [002] near-duplicate detection with CWS, sec. 2.
// Errata:  [002] the paper's idf is 0 for df = D - 1 and negative for df = D, while samplers need
//          positive weights: such terms are dropped under "paper".
// Cost:    16 bytes for each distinct term; weighing takes one binary search for each.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "feature/weights.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct TermCount {
  std::uint64_t id = 0;
  std::uint64_t count = 0;
  friend bool operator==(const TermCount&, const TermCount&) = default;
};

// How often each id comes, sorted by id.  The ids are those of Shingler::shingle or
// TermExtractor::ids, which repeat what the text repeats.
std::vector<TermCount> count_terms(TokenSet ids);

// The same as a weighted set whose weights are the counts, and back.
WeightedSet as_weights(std::span<const TermCount> terms);
std::vector<TermCount> as_counts(SetView counts);

// How many documents have each term.  Not for concurrent use: one for each thread, then merge.
class DocumentFrequencies {
 public:
  void add(std::span<const TermCount> document);  // Requires: ids are unique.
  void merge(const DocumentFrequencies& other);   // the documents of both
  [[nodiscard]] std::uint64_t documents() const { return documents_; }
  [[nodiscard]] const std::unordered_map<std::uint64_t, std::uint64_t>& counts() const {
    return counts_;
  }

 private:
  std::uint64_t documents_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> counts_;
};

enum class IdfVariant : std::uint8_t { kSmooth = 0, kPaper = 1 };

// Immutable: any number of threads may share one.
class IdfTable {
 public:
  static IdfTable freeze(const DocumentFrequencies& frequencies, IdfVariant variant);

  // Saved bytes, little-endian: "TSIDF1\r\n"; variant, documents, terms as u64; the terms by
  // ascending id as u64 id, u64 df; XXH3-64 of all that follows the first 8 bytes.  Anything
  // else is refused with kCorrupt.
  static Result<IdfTable> load(std::span<const std::byte> bytes);
  [[nodiscard]] std::string save() const;

  // A hash of variant, documents and all (id, df): the last 8 bytes of save().
  [[nodiscard]] std::uint64_t version() const { return version_; }

  // "idf1:smooth,documents=100,version=0123456789abcdef".
  [[nodiscard]] std::string spec() const;

  // Of a term that no document of the corpus has, df is 0.
  [[nodiscard]] double idf(std::uint64_t id) const;

  // The canonical weighted set of a text; terms without a positive weight are dropped.
  // Requires: the terms are sorted and unique, as count_terms makes them.
  [[nodiscard]] WeightedSet weigh(std::span<const TermCount> document) const;

 private:
  struct Term {
    std::uint64_t id;
    std::uint64_t df;
  };
  IdfTable(IdfVariant variant, std::uint64_t documents, std::vector<Term> terms);
  [[nodiscard]] std::string body() const;

  IdfVariant variant_;
  std::uint64_t documents_;
  std::vector<Term> terms_;  // sorted by id
  std::uint64_t version_;
};

}  // namespace twinsift
