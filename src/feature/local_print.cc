// SPDX-License-Identifier: Apache-2.0
#include "feature/local_print.h"

#include <algorithm>

namespace twinsift {
namespace {

constexpr std::size_t kHead = 2;
constexpr std::size_t kWordsEach = 4;
constexpr std::uint64_t kLow = UINT32_MAX;

void append(const LocalWord& word, std::vector<std::uint64_t>& words) {
  words.push_back(word.word | std::uint64_t{word.x} << 32U | std::uint64_t{word.y} << 48U);
  words.push_back(word.scale | std::uint64_t{word.angle} << 16U);
  words.insert(words.end(), word.signature.begin(), word.signature.end());
}

LocalWord word_from(std::span<const std::uint64_t> words) {
  return {.word = static_cast<std::uint32_t>(words[0]),
          .x = static_cast<std::uint16_t>(words[0] >> 32U),
          .y = static_cast<std::uint16_t>(words[0] >> 48U),
          .scale = static_cast<std::uint16_t>(words[1]),
          .angle = static_cast<std::uint16_t>(words[1] >> 16U),
          .signature = {words[2], words[3]}};
}

}  // namespace

Packed pack(const LocalPrint& print) {
  Packed packed;
  std::vector<std::uint64_t>& words = packed.words;
  const std::size_t count = print.words.words.size() + print.mirrored.words.size();
  words.reserve(kHead + kWordsEach * count);
  words.push_back(print.words.width | std::uint64_t{print.words.height} << 32U);
  words.push_back(print.words.words.size() | std::uint64_t{print.mirrored.words.size()} << 32U);
  for (const LocalWord& word : print.words.words) append(word, words);
  for (const LocalWord& word : print.mirrored.words) append(word, words);
  return packed;
}

Result<LocalPrint> unpack_local_print(SetView packed) {
  const auto words = packed.ids;
  const Error corrupt{ErrorCode::kCorrupt, "these are not the key points of a picture"};
  if (!packed.packed || words.size() < kHead) return corrupt;
  const std::uint64_t own = words[1] & kLow;
  const std::uint64_t mirrored = words[1] >> 32U;
  if (words.size() != kHead + kWordsEach * (own + mirrored)) return corrupt;
  if ((words[0] & kLow) == 0 || words[0] >> 32U == 0) return corrupt;
  LocalPrint print;
  auto at = words.subspan(kHead);
  for (auto [list, count] : {std::pair(&print.words, own), {&print.mirrored, mirrored}}) {
    list->width = static_cast<std::uint32_t>(words[0]);
    list->height = static_cast<std::uint32_t>(words[0] >> 32U);
    for (std::uint64_t i = 0; i < count; ++i, at = at.subspan(kWordsEach)) {
      if (at[1] > kLow) return corrupt;
      list->words.push_back(word_from(at));
    }
    if (!std::ranges::is_sorted(list->words, {}, &LocalWord::word)) return corrupt;
  }
  return print;
}

}  // namespace twinsift
