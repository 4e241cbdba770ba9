// SPDX-License-Identifier: Apache-2.0
#include "feature/film_printer.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/bit_code.h"
#include "feature/test_film.h"

namespace twinsift {
namespace {

// The mean distance of frames at the same time.
double mean_bits(const FilmCodes& a, const FilmCodes& b) {
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (std::abs(a.middle(i) - b.middle(j)) > 0.03) continue;
      sum += hamming_distance(a.code(i), b.code(j));
      ++count;
    }
  }
  EXPECT_GT(count, 8);
  return sum / count;
}

TEST(FilmPrinter, AsksForEightPicturesASecond) {
  FilmPrinter printer;
  const auto picture = draw_grey(20, 20, blob_scene(1, 20));
  int added = 0;
  for (int frame = 0; frame < 60; ++frame) {
    if (!printer.wants(frame / 30.0)) continue;
    printer.add(frame / 30.0, picture.view());
    ++added;
  }
  EXPECT_EQ(added, 16);
}

TEST(FilmPrinter, WantsNoTimeThatIsNone) {
  FilmPrinter printer;
  EXPECT_FALSE(printer.wants(-1));
  EXPECT_FALSE(printer.wants(std::nan("")));
  EXPECT_FALSE(printer.wants(std::numeric_limits<double>::infinity()));
  printer.add(5, draw_grey(20, 20, blob_scene(1, 20)).view());
  EXPECT_FALSE(printer.wants(4));  // a clock that goes back
}

// These are two ticks, and one millisecond.
TEST(FilmPrinter, WantsOnePictureAMillisecond) {
  FilmPrinter printer;
  printer.add(0.24987, draw_grey(96, 54, blob_scene(1, 96)).view());
  const auto other = draw_grey(96, 54, blob_scene(2, 96));
  for (const double seconds : {0.24988, 0.2504, 0.2506}) {
    if (printer.wants(seconds)) printer.add(seconds, other.view());
  }
  const auto print = unpack_film_print(printer.finish(1));
  ASSERT_TRUE(print);
  EXPECT_EQ(print->frames.begin, (std::vector<std::uint32_t>{250, 251}));
}

TEST(FilmPrinter, KeepsNothingOfBlackAndFlatFilms) {
  for (const double level : {0.0, 128.0}) {
    FilmPrinter printer;
    for (int frame = 0; frame < 100; ++frame) {
      const auto picture = draw_grey(32, 18, [&](double, double) { return level; });
      if (printer.wants(frame / 25.0)) printer.add(frame / 25.0, picture.view());
    }
    EXPECT_TRUE(printer.finish(4).empty());
  }
  EXPECT_TRUE(FilmPrinter().finish(10).empty());
}

TEST(FilmPrinter, JoinsPicturesThatStandStill) {
  FilmPrinter printer;
  const auto picture = draw_grey(96, 54, blob_scene(1, 96));
  for (int tick = 0; tick < 80; ++tick) printer.add(tick / 8.0, picture.view());
  const auto print = unpack_film_print(printer.finish(10));
  ASSERT_TRUE(print);
  EXPECT_EQ(print->frames.size(), 10U);
  EXPECT_EQ(print->seconds, 10);
  EXPECT_LE(print->frames.end[0] - print->frames.begin[0], kLongestRun);
}

TEST(FilmPrinter, SeesTheSameWithinBars) {
  const TestFilm film(1, 8);
  const FilmPrint plain = film_print(film);
  for (const double level : {0.0, 16.0, 235.0}) {
    for (const double share : {0.05, 0.12, 0.2}) {
      const FilmPrint barred = film_print(film, {.bars = share, .bar_level = level, .height = 54});
      EXPECT_LT(mean_bits(plain.frames, barred.frames), 30) << level << ' ' << share;
    }
  }
}

TEST(FilmPrinter, KeepsTheCodesOfMirroredPictures) {
  const TestFilm film(2, 5);
  const FilmPrint plain = film_print(film);
  const FilmPrint mirrored = film_print(film, {.mirrored = true});
  EXPECT_LT(mean_bits(plain.mirrored, mirrored.frames), 8);
  EXPECT_GT(mean_bits(plain.frames, mirrored.frames), 90);
}

TEST(FilmPrinter, IsTheSameForTheSameFilm) {
  const TestFilm film(3, 5);
  EXPECT_EQ(packed_film(film), packed_film(film));
}

// Every picture is another one: nothing can be joined.  The beginning is kept with more detail.
TEST(FilmPrinter, KeepsAtMostTwoMegabytesAnHour) {
  const auto bytes = [](int seconds) {
    FilmPrinter printer;
    for (int tick = 0; tick < 8 * seconds; ++tick) {
      const auto picture = draw_grey(32, 32, blob_scene(static_cast<std::uint64_t>(tick), 32, 20));
      printer.add(tick / 8.0, picture.view());
    }
    return 8.0 * static_cast<double>(printer.finish(seconds).size());
  };
  const double at_ten = bytes(10);
  EXPECT_LT((bytes(20) - at_ten) / 10 * 3600, 2e6);
  EXPECT_LT(at_ten, 10e3);  // 3.6 MB for an hour of such clips
}

TEST(FilmPrinter, KeepsTheCodesOfParts) {
  const TestFilm film(4, 3);
  const FilmPrint plain = film_print(film);
  // The upper left corner, as in margins_of.
  const FilmPrint corner = film_print(film, {.cropped = 0.2, .crop_x = 0, .crop_y = 0});
  EXPECT_LT(mean_bits(plain.cropped[2], corner.frames), 30);
  EXPECT_GT(mean_bits(plain.frames, corner.frames), 45);
}

}  // namespace
}  // namespace twinsift
