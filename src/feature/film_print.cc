// SPDX-License-Identifier: Apache-2.0
#include "feature/film_print.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

constexpr std::uint64_t kKind = std::uint64_t{0x46494C31} << 32U;  // "FIL1", above the number
constexpr std::size_t kHead = 2;
constexpr std::size_t kCodeWords = kImageCodeBits / 64;
// The word of an entry: when it begins, how long it lasts, and whether it has a mirrored code.
constexpr unsigned kLengthShift = 32;
constexpr std::uint64_t kLengthMask = 0xFFFF;
constexpr unsigned kMirroredShift = 48;

Error corrupt() { return {ErrorCode::kCorrupt, "this is not what is kept of a film"}; }

ImageCode code_at(std::span<const std::uint64_t> words, std::size_t at) {
  ImageCode code{};
  std::copy_n(&words[at], kCodeWords, code.begin());
  return code;
}

}  // namespace

void FilmCodes::add(const ImageCode& code, std::uint32_t from, std::uint32_t to) {
  words.insert(words.end(), code.begin(), code.end());
  begin.push_back(from);
  end.push_back(to);
}

std::vector<std::uint64_t> pack(const FilmPrint& print) {
  const FilmCodes& frames = print.frames;
  std::vector<std::uint64_t> words;
  words.reserve(kHead + frames.size() * (1 + kCodeWords) + print.mirrored.words.size());
  words.push_back(kKind | frames.size());
  words.push_back(static_cast<std::uint64_t>(std::llround(print.seconds * 1000)));
  std::size_t next = 0;  // of the mirrored
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const bool mirrored =
        next < print.mirrored.size() && print.mirrored.begin[next] == frames.begin[i];
    words.push_back(frames.begin[i] |
                    std::uint64_t{frames.end[i] - frames.begin[i]} << kLengthShift |
                    std::uint64_t{mirrored ? 1U : 0U} << kMirroredShift);
    const auto code = frames.code(i);
    words.insert(words.end(), code.begin(), code.end());
    if (!mirrored) continue;
    const auto other = print.mirrored.code(next++);
    words.insert(words.end(), other.begin(), other.end());
  }
  assert(next == print.mirrored.size());
  return words;
}

Result<FilmPrint> unpack_film_print(std::span<const std::uint64_t> words) {
  if (words.size() < kHead || (words[0] & ~std::uint64_t{0xFFFFFFFF}) != kKind) return corrupt();
  const auto count = static_cast<std::size_t>(words[0] & 0xFFFFFFFF);
  const std::uint64_t length = words[1];
  if (count == 0 || length > kLongestFilm || words.size() < kHead + count * (1 + kCodeWords)) {
    return corrupt();
  }
  FilmPrint print{.seconds = 0.001 * static_cast<double>(length), .frames = {}, .mirrored = {}};
  std::size_t at = kHead;
  std::uint64_t after = 0;  // the next entry begins no earlier
  for (std::size_t i = 0; i < count; ++i) {
    if (words.size() - at < 1 + kCodeWords) return corrupt();
    const std::uint64_t head = words[at];
    const std::uint64_t from = head & 0xFFFFFFFF;
    const std::uint64_t lasts = head >> kLengthShift & kLengthMask;
    if (head >> kMirroredShift > 1 || lasts > kLongestRun || from < after ||
        from + lasts > length) {
      return corrupt();
    }
    after = from + lasts + 1;
    const auto begin = static_cast<std::uint32_t>(from);
    const auto end = static_cast<std::uint32_t>(from + lasts);
    print.frames.add(code_at(words, at + 1), begin, end);
    at += 1 + kCodeWords;
    if (head >> kMirroredShift == 0) continue;
    if (words.size() - at < kCodeWords) return corrupt();
    print.mirrored.add(code_at(words, at), begin, end);
    at += kCodeWords;
  }
  if (at != words.size()) return corrupt();
  return print;
}

}  // namespace twinsift
