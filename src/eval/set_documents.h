// SPDX-License-Identifier: Apache-2.0
// Sets that are there already, for trials: of each set once, and for a sample of them how similar
// they are to all others.
#pragma once

#include <map>
#include <span>
#include <stop_token>
#include <string>

#include "eval/trial_corpus.h"
#include "tune/similarity_law.h"

namespace twinsift {

class SetDocuments final : public TrialCorpus {
 public:
  // Of equal sets one is kept, as in the paper: a plain hash finds the others.  A random sample of
  // up to `sample` documents is compared with all.  Requires: sets sorted, none empty, two
  // different ones at least; sample > 0.
  SetDocuments(std::vector<TokenSet> sets, std::uint32_t sample, std::uint64_t seed);

  [[nodiscard]] std::uint32_t documents() const override {
    return static_cast<std::uint32_t>(sets_.size());
  }
  void set(std::uint32_t document, TokenSet& out) const override { out = sets_[document]; }
  [[nodiscard]] double similarity(std::uint32_t a, std::uint32_t b) const override;
  // Requires: the document is of the sample, least >= kLeastKept.
  [[nodiscard]] std::vector<std::uint32_t> similar(std::uint32_t document,
                                                   double least) const override;
  static constexpr double kLeastKept = 0.8;

  // Those of the sample that resemble another document by `least`, ascending.
  [[nodiscard]] std::vector<std::uint32_t> searches(double least) const;
  // Of the sample with all others, in kBins bins, a bin at the mean of what is in it.
  [[nodiscard]] const std::vector<WeightedSimilarity>& law() const { return law_; }
  static constexpr std::uint32_t kBins = 200;
  // Other documents that resemble one of the sample by `least`, on average over these searches.
  [[nodiscard]] double duplicates(double least) const;

 private:
  void compare_sample(std::span<const std::uint32_t> sample);

  struct Neighbour {
    std::uint32_t document;
    double similarity;
  };
  std::vector<TokenSet> sets_;
  std::map<std::uint32_t, std::vector<Neighbour>> neighbours_;  // of the sample
  std::vector<WeightedSimilarity> law_;
};

}  // namespace twinsift
