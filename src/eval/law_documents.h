// SPDX-License-Identifier: Apache-2.0
// Made-up documents of which random pairs are as similar as a given law says.
//
// Documents are the leaves of a binary tree, from left to right.  Each has 100 ids, and all below
// one inner node have the ids of that node in common, so that two documents share what the lowest
// node above both has.  Of all others, a document shares a node of level m, but none below it, with
// 2^(m-1): those which the law has between its ranks 2^(m-1) - 1 and 2^m - 1, from the most similar
// on.  Each node of the level takes the similarity of one rank from that range.  So every document
// sees the same law, up to the rounding to hundredths, and a document is a function of its number.
#pragma once

#include <array>
#include <span>
#include <utility>

#include "eval/trial_corpus.h"
#include "tune/similarity_law.h"

namespace twinsift {

class LawDocuments final : public TrialCorpus {
 public:
  static constexpr std::uint32_t kIds = 100;

  // The weights of the law need not sum to 1.  Requires: 1 < documents <= 2^31; the sum is above 0.
  LawDocuments(std::uint32_t documents, std::span<const WeightedSimilarity> law,
               std::uint64_t seed);

  [[nodiscard]] std::uint32_t documents() const override { return documents_; }
  void set(std::uint32_t document, TokenSet& out) const override;
  [[nodiscard]] double similarity(std::uint32_t a, std::uint32_t b) const override;
  [[nodiscard]] std::vector<std::uint32_t> similar(std::uint32_t document,
                                                   double least) const override;

 private:
  // The similarity that a share `rank` of all pairs exceeds.
  [[nodiscard]] double at_rank(double rank) const;
  // How many ids the documents below a node have in common.
  [[nodiscard]] std::uint32_t common(std::uint32_t level, std::uint32_t node) const;
  // The most that a node of the level has.
  [[nodiscard]] double most_similar(std::uint32_t level) const;

  std::uint32_t documents_;
  std::uint32_t levels_;  // above the leaves
  std::uint64_t seed_;
  std::vector<std::pair<double, double>> ranks_;  // ends of the law's bins, ascending; similarity
};

}  // namespace twinsift
