// SPDX-License-Identifier: Apache-2.0
// Terms: the words of a text without its stop-words, each reduced to its stem.
//
// "The rivers run" and "a river was running" have the same terms.  As a set of terms a text is
// compared by what it is about, whatever the order of its words: a rewritten text stays alike,
// but so are two different texts with one vocabulary.  Shingles are the better default.
//
// Papers:  [POND] the peer-to-peer detector of near duplicates, whose texts are sets of stemmed
//          terms without stop-words.
//          [Porter80] Porter, "An algorithm for suffix stripping", Program 14(3), 1980.
// Differs: POND is for English; here each text may be in another of fifteen languages.
// Cost:    O(words): one hash look-up for each word, and one stemming for each that is kept.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// Immutable: any number of threads may share one.
class TermExtractor {
 public:
  // `language` is a name as libstemmer spells it, or "" to choose one for each text.  Fails with
  // kInvalidArgument, and names the known languages, if there is no such language.
  [[nodiscard]] static Result<TermExtractor> make(std::string_view language);

  [[nodiscard]] std::string spec() const;  // "terms" or "terms:german"

  // Appends one id, the hash of the stem, for each word that is neither a stop-word nor a single
  // Latin letter.  Ids may repeat.  The words are those of one whole text, case-folded NFC UTF-8.
  void ids(std::span<const std::string_view> words, TokenSet& out) const;

 private:
  explicit TermExtractor(std::optional<std::size_t> language) : language_(language) {}
  std::optional<std::size_t> language_;  // place in kStopwordLists; none: choose for each text
};

// The language whose stop-words cover the largest share of the words, the first by name among
// equals; "" if none covers a tenth.  Prose has a third to a half of stop-words.
[[nodiscard]] std::string_view guess_language(std::span<const std::string_view> words);

}  // namespace twinsift
