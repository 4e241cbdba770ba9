// SPDX-License-Identifier: Apache-2.0
// A picture as a text: the visual words that it has, or how often it has each of them.
//
// Sets of words are compared by Jaccard's similarity, counts by the weighted one once tf-idf has
// weighed them (tfidf.h): a word that many pictures have says little about which picture it is.
// Where the words lie is not looked at, so that parts of pictures, turns and borders score low, as
// they do for texts.  verify/local_match.h looks at that, too, and is what finds copies; this is
// here to compare pictures as the papers do.
//
// Papers:  Zhang et al., MTAP 2018, section 3.2: sets of visual words.
//          J. Sivic, A. Zisserman, "Video Google", ICCV 2003: tf-idf of visual words.
// Differs: there the cosine of tf-idf vectors is compared, here their weighted Jaccard similarity,
//          which samplers estimate.
// Cost:    that of key points and their words: some 30 ms a picture.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "feature/tfidf.h"
#include "feature/visual_words.h"

namespace twinsift {

struct WordBagKind {
  std::optional<IdfVariant> weights;  // none: sets
};

// "words", "words:tfidf" (which is smooth) or "words:tfidf:paper"; nothing for anything else.
std::optional<WordBagKind> parse_word_bag(std::string_view features);
std::string spec_of(const WordBagKind& kind);

// Pictures with fewer different words have too little in them to be told from strangers.
inline constexpr std::size_t kFewestWords = 20;

// How often each word comes, under the ids of word_set().
std::vector<TermCount> word_counts(const LocalWords& words);

}  // namespace twinsift
