// SPDX-License-Identifier: Apache-2.0
#include "feature/film_print.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

constexpr std::uint64_t kKind = std::uint64_t{0x46494C33} << 32U;  // "FIL3", above the number
constexpr std::size_t kHead = 2;
constexpr std::size_t kCodeWords = kImageCodeBits / 64;
// The word of an entry: when it begins, how long it lasts, and which other codes it has.
constexpr unsigned kLengthShift = 32;
constexpr std::uint64_t kLengthMask = 0xFFFF;
constexpr unsigned kFlagShift = 48;
constexpr std::uint64_t kMirrored = 1;
constexpr std::uint64_t kCropped = 2;

// How many words follow the head of an entry.
std::size_t words_after(std::uint64_t flags) {
  std::size_t words = kCodeWords;
  if ((flags & kMirrored) != 0) words += kCodeWords;
  if ((flags & kCropped) != 0) words += kFilmCrops * kCodeWords;
  return words;
}

Error corrupt() { return {ErrorCode::kCorrupt, "this is not what is kept of a film"}; }

ImageCode code_at(std::span<const std::uint64_t> words, std::size_t at) {
  ImageCode code{};
  std::copy_n(&words[at], kCodeWords, code.begin());
  return code;
}

// Eight bytes in a word, the first one lowest.
void append_stills(const SmallStills& stills, std::vector<std::uint64_t>& words) {
  words.push_back(std::uint64_t{stills.count} << 32U | stills.bytes.size());
  const std::size_t first = words.size();
  words.resize(first + (stills.bytes.size() + 7) / 8);
  for (std::size_t i = 0; i < stills.bytes.size(); ++i) {
    words[first + i / 8] |= std::uint64_t{stills.bytes[i]} << (8 * (i % 8));
  }
}

// The last words of a print of so many frames.
Result<SmallStills> stills_of(std::span<const std::uint64_t> words, std::size_t frames) {
  if (words.empty()) return corrupt();
  SmallStills stills{.count = static_cast<std::uint32_t>(words[0] >> 32U), .bytes = {}};
  const auto size = static_cast<std::size_t>(words[0] & 0xFFFFFFFF);
  words = words.subspan(1);
  if (stills.count > std::min(frames, kCloseFrames) || words.size() != (size + 7) / 8) {
    return corrupt();
  }
  if (size % 8 != 0 && words.back() >> (8 * (size % 8)) != 0) return corrupt();
  for (std::size_t i = 0; i < size; ++i) {
    stills.bytes.push_back(static_cast<std::uint8_t>(words[i / 8] >> (8 * (i % 8))));
  }
  return stills;
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
  words.push_back(kKind | frames.size());
  words.push_back(static_cast<std::uint64_t>(std::llround(print.seconds * 1000)));
  const auto append = [&](std::span<const std::uint64_t> code) {
    words.insert(words.end(), code.begin(), code.end());
  };
  std::size_t mirrored = 0;  // so many are packed
  std::size_t cropped = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const auto next_is_of_this = [&](const FilmCodes& codes, std::size_t next) {
      return next < codes.size() && codes.begin[next] == frames.begin[i];
    };
    const bool has_mirrored = next_is_of_this(print.mirrored, mirrored);
    const bool is_cropped = next_is_of_this(print.cropped[0], cropped);
    const std::uint64_t flags = (has_mirrored ? kMirrored : 0) | (is_cropped ? kCropped : 0);
    words.push_back(frames.begin[i] |
                    std::uint64_t{frames.end[i] - frames.begin[i]} << kLengthShift |
                    flags << kFlagShift);
    append(frames.code(i));
    if (has_mirrored) append(print.mirrored.code(mirrored++));
    if (!is_cropped) continue;
    for (const FilmCodes& part : print.cropped) append(part.code(cropped));
    ++cropped;
  }
  assert(mirrored == print.mirrored.size() && cropped == print.cropped[0].size());
  append_stills(print.stills, words);
  return words;
}

Result<FilmPrint> unpack_film_print(std::span<const std::uint64_t> words) {
  if (words.size() < kHead || (words[0] & ~std::uint64_t{0xFFFFFFFF}) != kKind) return corrupt();
  const auto count = static_cast<std::size_t>(words[0] & 0xFFFFFFFF);
  const std::uint64_t length = words[1];
  if (count == 0 || length > kLongestFilm || words.size() < kHead + count * (1 + kCodeWords)) {
    return corrupt();
  }
  FilmPrint print;
  print.seconds = 0.001 * static_cast<double>(length);
  std::size_t at = kHead;
  std::uint64_t after = 0;  // the next entry begins no earlier
  for (std::size_t i = 0; i < count; ++i) {
    if (at >= words.size()) return corrupt();
    const std::uint64_t head = words[at++];
    const std::uint64_t from = head & 0xFFFFFFFF;
    const std::uint64_t lasts = head >> kLengthShift & kLengthMask;
    const std::uint64_t flags = head >> kFlagShift;
    if (flags > (kMirrored | kCropped) || lasts > kLongestRun || from < after ||
        from + lasts > length || words.size() - at < words_after(flags)) {
      return corrupt();
    }
    after = from + lasts + 1;
    const auto add = [&, begin = static_cast<std::uint32_t>(from),
                      end = static_cast<std::uint32_t>(from + lasts)](FilmCodes& to) {
      to.add(code_at(words, at), begin, end);
      at += kCodeWords;
    };
    add(print.frames);
    if ((flags & kMirrored) != 0) add(print.mirrored);
    if ((flags & kCropped) == 0) continue;
    for (FilmCodes& part : print.cropped) add(part);
  }
  TWINSIFT_TRY(print.stills, stills_of(words.subspan(at), count));
  return print;
}

}  // namespace twinsift
