// SPDX-License-Identifier: Apache-2.0
// Which of many pictures share key points with this one: an inverted file of visual words.
//
// For each word the key points that have it, with their signatures.  A question compares the
// signature of each of its key points with those of the same word; a picture is a candidate if at
// least `least` of the question's key points found a partner in it, of which as many agree roughly
// on how far the picture was turned and scaled (weak geometric consistency: the differences of
// direction and scale, in cells of 22.5 degrees and half an octave, the best block of 4 x 4).
//
// Promise: every pair of which verify/consensus.h could accept a map is a candidate.  It takes
// `least` key points, each with another partner; they have the map's direction within 30 degrees
// and its scale within a factor of 1.6, and any such range lies in one of the blocks.  Excepted are
// only questions whose answer says that it was capped.
//
// More than `most` candidates are cut to those with the most votes: the sum over agreeing pairs of
// idf^2, divided by how often the question has the word and by the root of the number of key points
// of the picture.
//
// Papers:  [JDS08] Jegou, Douze, Schmid, "Hamming Embedding and Weak Geometric Consistency for
// Large
//          Scale Image Search", ECCV 2008.
//          [SZ03] Sivic, Zisserman, "Video Google", ICCV 2003.
// Differs: the geometry decides who is a candidate; in [JDS08] it changes the votes.
// Cost:    24 bytes a key point, and 8 bytes a word of the vocabulary.  A question costs about 1 ns
// for
//          each key point of its words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/key_points.h"
#include "feature/word_signature.h"

namespace twinsift {

struct InvertedWordsOptions {
  std::uint32_t radius = kSignatureRadius;
  std::uint32_t least = 5;          // agreeing key points
  std::size_t most = 1000;          // candidates of one question
  std::size_t longest = 1U << 20U;  // words with more key points are left out
  bool weak_geometry = true;
};

struct WordCandidate {
  std::uint32_t picture = 0;
  std::uint32_t agreeing = 0;  // key points of the question
  double vote = 0;
  friend bool operator==(const WordCandidate&, const WordCandidate&) = default;
};

struct WordCandidates {
  std::vector<WordCandidate> pictures;  // ascending
  // There may be more: there were more than `most`, or more than a quarter of the question's key
  // points have words that were left out.
  bool capped = false;
};

// Immutable; questions may come from many threads.
class InvertedWords {
 public:
  static constexpr std::uint32_t kMostWords = 1U << 24U;

  // Requires: all words below kMostWords; fewer than 2^32 key points.
  explicit InvertedWords(std::span<const LocalWords> pictures,
                         const InvertedWordsOptions& options = {});

  // The candidates among the pictures before `end`.
  [[nodiscard]] WordCandidates query(const LocalWords& words, std::uint32_t end = UINT32_MAX) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Placed {  // what weak geometry looks at
    std::uint16_t scale = 0;
    std::uint16_t angle = 0;
  };
  [[nodiscard]] std::vector<std::uint64_t> hits_of(const LocalWords& words, std::uint32_t end,
                                                   std::size_t& left_out) const;
  [[nodiscard]] bool consistent(std::span<const std::uint64_t> hits) const;
  [[nodiscard]] std::vector<double> weights_of(const LocalWords& words) const;

  InvertedWordsOptions options_;
  std::size_t pictures_ = 0;
  std::vector<std::uint32_t> starts_;      // by word: where its postings begin
  std::vector<std::uint32_t> owners_;      // by posting: the picture, ascending for each word
  std::vector<std::uint64_t> signatures_;  // two for each posting
  std::vector<Placed> placed_;             // by posting
  std::vector<float> idf_;                 // by word
  std::vector<std::uint32_t> sizes_;       // by picture
};

}  // namespace twinsift
