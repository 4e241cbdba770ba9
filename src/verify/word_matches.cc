// SPDX-License-Identifier: Apache-2.0
#include "verify/word_matches.h"

#include <algorithm>
#include <tuple>

namespace twinsift {

std::vector<WordMatch> match_words(const LocalWords& a, const LocalWords& b,
                                   const WordMatchOptions& options) {
  std::vector<WordMatch> alike;
  const auto count_a = static_cast<std::uint32_t>(a.words.size());
  const auto count_b = static_cast<std::uint32_t>(b.words.size());
  std::uint32_t j = 0;
  for (std::uint32_t i = 0; i < count_a; ++i) {
    const LocalWord& point = a.words[i];
    while (j < count_b && b.words[j].word < point.word) ++j;
    for (std::uint32_t k = j; k < count_b && b.words[k].word == point.word; ++k) {
      const std::uint32_t distance = signature_distance(point, b.words[k]);
      if (distance <= options.radius) alike.push_back({i, k, distance});
    }
  }
  std::ranges::sort(alike, {}, [](const WordMatch& m) { return std::tie(m.distance, m.a, m.b); });
  std::vector<std::uint32_t> partners_a(count_a);
  std::vector<std::uint32_t> partners_b(count_b);
  std::vector<WordMatch> matches;
  for (const WordMatch& match : alike) {
    if (matches.size() == options.most) break;
    if (partners_a[match.a] == options.partners || partners_b[match.b] == options.partners) {
      continue;
    }
    ++partners_a[match.a];
    ++partners_b[match.b];
    matches.push_back(match);
  }
  return matches;
}

}  // namespace twinsift
