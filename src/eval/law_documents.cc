// SPDX-License-Identifier: Apache-2.0
#include "eval/law_documents.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>

#include "base/hash.h"

namespace twinsift {
namespace {

// Two sets of kIds with so many in common.
double similarity_of(std::uint32_t common) {
  return static_cast<double>(common) / (2.0 * LawDocuments::kIds - common);
}

// Different documents differ.
std::uint32_t common_for(double similarity) {
  const double common = std::round(2.0 * LawDocuments::kIds * similarity / (1 + similarity));
  return std::min(static_cast<std::uint32_t>(common), LawDocuments::kIds - 1);
}

}  // namespace

LawDocuments::LawDocuments(std::uint32_t documents, std::span<const WeightedSimilarity> law,
                           std::uint64_t seed)
    : documents_(documents),
      levels_(static_cast<std::uint32_t>(std::bit_width(documents - 1))),
      seed_(mix64(seed)) {
  assert(documents > 1 && documents <= std::uint32_t{1} << 31U);
  std::vector<WeightedSimilarity> bins(law.begin(), law.end());
  std::ranges::sort(bins, [](const auto& a, const auto& b) { return a.s > b.s; });
  double sum = 0;
  for (const auto& [s, weight] : bins) {
    sum += weight;
    if (weight > 0) ranks_.emplace_back(sum, s);
  }
  assert(sum > 0);
  for (auto& [end, s] : ranks_) end /= sum;
}

double LawDocuments::at_rank(double rank) const {
  const auto bin = std::ranges::upper_bound(ranks_, rank, {}, &std::pair<double, double>::first);
  return bin == ranks_.end() ? ranks_.back().second : bin->second;
}

std::uint32_t LawDocuments::common(std::uint32_t level, std::uint32_t node) const {
  if (level == 0) return kIds;
  // Multiples of the golden ratio fill the range evenly, however few nodes there are.
  const double place = 0.5 + node * 0.6180339887498949;
  const double half = std::exp2(level - 1.0);
  const double rank = half - 1 + half * (place - std::floor(place));
  return common_for(at_rank(rank / documents_));
}

double LawDocuments::most_similar(std::uint32_t level) const {
  return similarity_of(common_for(at_rank((std::exp2(level - 1.0) - 1) / documents_)));
}

void LawDocuments::set(std::uint32_t document, TokenSet& out) const {
  assert(document < documents_);
  out.clear();
  std::uint32_t slot = 0;
  for (std::uint32_t level = levels_ + 1; level-- > 0;) {
    const std::uint32_t node = document >> level;
    const std::uint64_t name = (std::uint64_t{level} << 32U | node) << 8U;
    for (const std::uint32_t end = common(level, node); slot < end; ++slot) {
      out.push_back(mix64(seed_ + (name | slot)));
    }
  }
}

double LawDocuments::similarity(std::uint32_t a, std::uint32_t b) const {
  const auto level = static_cast<std::uint32_t>(std::bit_width(a ^ b));
  return level == 0 ? 1 : similarity_of(common(level, a >> level));
}

std::vector<std::uint32_t> LawDocuments::similar(std::uint32_t document, double least) const {
  std::vector<std::uint32_t> found;
  for (std::uint32_t level = 1; level <= levels_ && most_similar(level) >= least; ++level) {
    if (similarity_of(common(level, document >> level)) < least) continue;
    // The other half of the node.
    const std::uint64_t first = std::uint64_t{(document >> (level - 1)) ^ 1U} << (level - 1);
    const std::uint64_t end = std::min<std::uint64_t>(first + (1ULL << (level - 1)), documents_);
    for (std::uint64_t other = first; other < end; ++other) {
      found.push_back(static_cast<std::uint32_t>(other));
    }
  }
  return found;
}

}  // namespace twinsift
