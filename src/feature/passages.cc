// SPDX-License-Identifier: Apache-2.0
#include "feature/passages.h"

#include <algorithm>
#include <utility>

#include "feature/shingle.h"
#include "feature/words.h"

namespace twinsift {
namespace {

std::vector<std::uint64_t> shingle_ids(const std::vector<Word>& words, std::uint32_t k) {
  std::vector<std::uint64_t> ids;
  if (words.size() < k) return ids;
  ids.reserve(words.size());
  for (const Word& word : words) ids.push_back(word.hash);
  roll_shingles(ids, k);
  return ids;
}

std::size_t common_run(const std::vector<Word>& a, std::size_t i, const std::vector<Word>& b,
                       std::size_t j) {
  std::size_t length = 0;
  while (i + length < a.size() && j + length < b.size() &&
         a[i + length].hash == b[j + length].hash) {
    ++length;
  }
  return length;
}

Span span_of(const std::vector<Word>& words, std::size_t first, std::size_t count) {
  const Word& last = words[first + count - 1];
  return {words[first].begin, std::uint64_t{last.begin} + last.length - words[first].begin};
}

}  // namespace

std::vector<Passage> find_passages(std::string_view a, std::string_view b,
                                   std::uint32_t min_words) {
  constexpr std::size_t kMaxPlaces = 32;
  std::vector<Word> words_a;
  std::vector<Word> words_b;
  find_words(a, words_a);
  find_words(b, words_b);
  const auto ids_a = shingle_ids(words_a, min_words);
  const auto ids_b = shingle_ids(words_b, min_words);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> places;  // (id, word of b)
  for (std::uint32_t j = 0; j < ids_b.size(); ++j) places.emplace_back(ids_b[j], j);
  std::ranges::sort(places);

  std::vector<Passage> passages;
  for (std::size_t i = 0; i < ids_a.size();) {
    auto place = std::ranges::lower_bound(places, std::pair(ids_a[i], std::uint32_t{0}));
    std::size_t best = 0;
    std::size_t best_length = 0;
    for (std::size_t tried = 0;
         tried < kMaxPlaces && place != places.end() && place->first == ids_a[i];
         ++tried, ++place) {
      const std::size_t length = common_run(words_a, i, words_b, place->second);
      if (length > best_length) {
        best = place->second;
        best_length = length;
      }
    }
    if (best_length < min_words) {
      ++i;
      continue;
    }
    passages.push_back({span_of(words_a, i, best_length), span_of(words_b, best, best_length),
                        static_cast<std::uint32_t>(best_length)});
    i += best_length;
  }
  return passages;
}

}  // namespace twinsift
