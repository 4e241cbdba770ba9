// SPDX-License-Identifier: Apache-2.0
// Shingles: a text as the set of its runs of k consecutive words or characters.
//
// A run t_0 ... t_{k-1} of tokens with 64-bit hashes h(t) has the id
//     sum_i h(t_i) P^(k-1-i)  mod 2^64,   P odd,
// which rolls: the next id takes two multiplications whatever k is.  The token hashes are
// strong (bijective mixers), so different runs meet with probability about 2^-62, as with a
// hash of the bytes, at a tenth of the cost.
//
// Specs: "words:K" (default 5), "chars:K" (default 9; code points after NFC, case folding and
// collapsing of white space), "terms" (stemmed words without stop-words, see terms.h).
//
// Papers:  [MMDS] Leskovec, Rajaraman, Ullman, Mining of Massive Datasets, sec. 3.2.
//          [POND] for terms.
// Differs: a text with fewer than k tokens has one shingle, of all its tokens, and is tiny().
// Cost:    words: about 1 GB/s of ASCII per core; 8 bytes per shingle.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "feature/terms.h"
#include "feature/tfidf.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// The ids of one text, in the order of the text, with repetitions.
struct Shingles {
  TokenSet ids;
  std::uint64_t tokens = 0;      // words or characters
  std::uint64_t order_hash = 0;  // equal texts of tokens have equal hashes
  bool tiny = false;             // too short to be anybody's near-duplicate: fewer tokens than k
};

// Immutable: any number of threads may share one.
class Shingler {
 public:
  static Result<Shingler> make(std::string_view spec);

  // Canonical: "words:5".
  [[nodiscard]] std::string spec() const;

  // Replaces `out`, whose memory is used again.  The text is UTF-8, less than 4 GiB.
  void shingle(std::string_view text, Shingles& out) const;

  // How terms are weighed, if they are: then ids repeat as often as the text repeats them, and
  // whoever knows the corpus weighs them (tfidf.h).
  [[nodiscard]] std::optional<IdfVariant> weights() const;

  // The shortest run of words that counts as a shared passage.
  [[nodiscard]] std::uint32_t passage_words() const;

 private:
  enum class Kind : std::uint8_t { kWords, kChars, kTerms, kTfidf };
  Shingler(Kind kind, std::uint32_t k, TermExtractor terms)
      : kind_(kind), k_(k), terms_(std::move(terms)) {}
  static Result<Shingler> make_tfidf(std::string_view spec, std::string_view variant);

  Kind kind_;
  std::uint32_t k_;
  TermExtractor terms_;
  IdfVariant variant_ = IdfVariant::kSmooth;
};

// Turns `tokens` hashes in place into the ids of all runs of k.  Requires: k > 0.
void roll_shingles(std::vector<std::uint64_t>& tokens, std::uint32_t k);

}  // namespace twinsift
