// SPDX-License-Identifier: Apache-2.0
// What is kept of the pictures of a film: codes of whole pictures in the course of time.
//
// Up to eight a second: pictures an eighth of a second apart differ by 10 to 40 bits of 256 where
// something moves, as much as those of a good copy, so that a coarser clock would cost recall.
// Pictures with hardly any difference are one entry that lasts.  Those that show next to nothing
// (black, flat) are left out.  Four times a second the code of the mirrored picture is there too,
// because it cannot be told from the code.  The first pictures, which are all of a short clip, are
// kept closer: the codes of some parts find copies of which something was cut off, and the pictures
// themselves, quite small, tell recordings of one scene apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/whole_image.h"
#include "twinsift/result.h"

namespace twinsift {

// Times are in milliseconds from the beginning of the film.
struct FilmCodes {
  std::vector<std::uint64_t> words;  // four for each code
  std::vector<std::uint32_t> begin;  // ascending
  std::vector<std::uint32_t> end;    // of the last picture with this code: begin[i] <= end[i]

  [[nodiscard]] std::size_t size() const { return begin.size(); }
  [[nodiscard]] std::span<const std::uint64_t> code(std::size_t i) const {
    return std::span(words).subspan(4 * i, 4);
  }
  [[nodiscard]] double middle(std::size_t i) const {  // seconds
    return 0.0005 * (static_cast<double>(begin[i]) + static_cast<double>(end[i]));
  }
  void add(const ImageCode& code, std::uint32_t from, std::uint32_t to);
  friend bool operator==(const FilmCodes&, const FilmCodes&) = default;
};

// Parts of a picture whose codes are kept: its middle, and the middle and the corners at 0.8 of its
// sides.
inline constexpr std::size_t kFilmCrops = 6;
inline constexpr std::size_t kCloseFrames = 40;  // the first so many, five seconds or more
inline constexpr std::size_t kCropEvery = 4;     // of them

// What is within the bars, squeezed into a small square; row by row from the top.
inline constexpr std::uint32_t kSmallSide = 32;
using SmallStill = std::array<std::uint8_t, std::size_t{kSmallSide} * kSmallSide>;

// Some of them, in few bytes: see still_code.h.
struct SmallStills {
  std::uint32_t count = 0;
  std::vector<std::uint8_t> bytes;
  friend bool operator==(const SmallStills&, const SmallStills&) = default;
};

struct FilmPrint {
  double seconds = 0;  // how long the film is
  FilmCodes frames;
  FilmCodes mirrored;                         // some of them, left side right
  std::array<FilmCodes, kFilmCrops> cropped;  // some of the first of them
  SmallStills stills;                         // of the first frames, each
  friend bool operator==(const FilmPrint&, const FilmPrint&) = default;
};

// The longest time that one entry lasts, and the longest film.
inline constexpr std::uint32_t kLongestRun = 1000;
inline constexpr std::uint32_t kLongestFilm = 0xFFFFFFFFU;

// A word with the number of entries and one with the length; then for each entry its time in a
// word, its code and, where there are any, the mirrored code and those of its parts; then the
// stills, behind a word with their number and that of their bytes.
// Requires: each other entry has the times of one of the frames; there are no more stills than
// frames.
std::vector<std::uint64_t> pack(const FilmPrint& print);

// kCorrupt if these are not the words of a print.
Result<FilmPrint> unpack_film_print(std::span<const std::uint64_t> words);

}  // namespace twinsift
