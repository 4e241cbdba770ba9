// SPDX-License-Identifier: Apache-2.0
// The quick ways of finding words agree with ICU on any bytes, and sets are sorted and unique.
#include <algorithm>
#include <cstdlib>
#include <functional>

#include "feature/shingle.h"
#include "feature/token_set.h"
#include "feature/words.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<twinsift::Word> words;
  std::vector<twinsift::Word> expected;
  twinsift::find_words(text, words);
  twinsift::find_words_reference(text, expected);
  const auto same = [](const twinsift::Word& a, const twinsift::Word& b) {
    return a.hash == b.hash && a.begin == b.begin && a.length == b.length;
  };
  if (!std::ranges::equal(words, expected, same)) std::abort();
  static const auto chars = twinsift::Shingler::make("chars:4");
  twinsift::Shingles shingles;
  chars->shingle(text, shingles);
  twinsift::make_set(shingles.ids);
  const auto& ids = shingles.ids;
  if (std::ranges::adjacent_find(ids, std::greater_equal{}) != ids.end()) std::abort();
  return 0;
}
