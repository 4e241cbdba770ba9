// SPDX-License-Identifier: Apache-2.0
#include "eval/set_documents.h"

#include <algorithm>
#include <cassert>

#include "base/random.h"
#include "eval/workload.h"
#include "verify/similarity.h"

namespace twinsift {

SetDocuments::SetDocuments(std::vector<TokenSet> sets, std::uint32_t sample, std::uint64_t seed)
    : sets_(std::move(sets)) {
  std::ranges::sort(sets_);
  const auto repeated = std::ranges::unique(sets_);
  sets_.erase(repeated.begin(), repeated.end());
  assert(sets_.size() > 1 && sample > 0);
  Rng rng(seed);
  std::vector<std::uint32_t> order(sets_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  sample = std::min(sample, documents());
  for (std::uint32_t i = 0; i < sample; ++i) {
    std::swap(order[i], order[i + rng.below(documents() - i)]);
  }
  compare_sample(std::span(order).first(sample));
}

void SetDocuments::compare_sample(std::span<const std::uint32_t> sample) {
  std::vector<TokenSet> queries;
  for (const std::uint32_t document : sample) {
    queries.push_back(sets_[document]);
    neighbours_.try_emplace(document);
  }
  const QueryIndex index(queries);
  std::vector<WeightedSimilarity> sums(kBins);
  for (std::uint32_t document = 0; document < documents(); ++document) {
    for (const QueryOverlap& overlap : index.similar(sets_[document], 0)) {
      if (sample[overlap.query] == document) continue;
      const double s = static_cast<double>(overlap.common) / overlap.all;
      WeightedSimilarity& bin = sums[std::min(static_cast<std::uint32_t>(s * kBins), kBins - 1)];
      bin.s += s;
      bin.weight += 1;
      if (s >= kLeastKept) neighbours_[sample[overlap.query]].push_back({document, s});
    }
  }
  for (const auto& [sum, weight] : sums) {
    if (weight > 0) law_.push_back({sum / weight, weight});
  }
}

double SetDocuments::similarity(std::uint32_t a, std::uint32_t b) const {
  return jaccard(sets_[a], sets_[b]);
}

std::vector<std::uint32_t> SetDocuments::similar(std::uint32_t document, double least) const {
  assert(least >= kLeastKept);
  std::vector<std::uint32_t> found;
  for (const Neighbour& neighbour : neighbours_.at(document)) {
    if (neighbour.similarity >= least) found.push_back(neighbour.document);
  }
  return found;
}

std::vector<std::uint32_t> SetDocuments::searches(double least) const {
  std::vector<std::uint32_t> chosen;
  for (const auto& [document, neighbours] : neighbours_) {
    if (!similar(document, least).empty()) chosen.push_back(document);
  }
  return chosen;
}

double SetDocuments::duplicates(double least) const {
  double sum = 0;
  double asked = 0;
  for (const auto& [document, neighbours] : neighbours_) {
    const auto count = static_cast<double>(similar(document, least).size());
    sum += count;
    asked += count > 0 ? 1 : 0;
  }
  return asked > 0 ? sum / asked : 0;
}

}  // namespace twinsift
