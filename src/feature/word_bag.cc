// SPDX-License-Identifier: Apache-2.0
#include "feature/word_bag.h"

#include "base/hash.h"

namespace twinsift {

std::optional<WordBagKind> parse_word_bag(std::string_view features) {
  if (features == "words") return WordBagKind{};
  if (features == "words:tfidf" || features == "words:tfidf:smooth") {
    return WordBagKind{IdfVariant::kSmooth};
  }
  if (features == "words:tfidf:paper") return WordBagKind{IdfVariant::kPaper};
  return std::nullopt;
}

std::string spec_of(const WordBagKind& kind) {
  if (!kind.weights) return "words";
  return *kind.weights == IdfVariant::kPaper ? "words:tfidf:paper" : "words:tfidf";
}

std::vector<TermCount> word_counts(const LocalWords& words) {
  TokenSet ids;
  ids.reserve(words.words.size());
  for (const LocalWord& word : words.words) ids.push_back(premix64(word.word));
  return count_terms(std::move(ids));
}

}  // namespace twinsift
