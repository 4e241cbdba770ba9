// SPDX-License-Identifier: Apache-2.0
#include "verify/film_motion.h"

#include <gtest/gtest.h>

#include "feature/test_film.h"

namespace twinsift {
namespace {

// A recording by a camera that stands still: a disc moves before a scene of blobs.
struct Take {
  std::uint64_t scene = 77;
  std::uint64_t motion = 1;
  double step = 24;    // how far the disc moves in an eighth of a second
  double rises = 0;    // and how far it rises in all, besides
  double cropped = 0;  // share of each side, at the upper right
  bool logo = false;   // in the lower left corner
  bool mirrored = false;
  bool fades = false;  // in, from black
  double gain = 1;
};

FilmPrint print_of(const Take& take) {
  constexpr int kTicks = 32;
  constexpr double kWidth = 96;
  constexpr double kHeight = 54;
  const GreyImage drawn = draw_grey(96, 54, blob_scene(take.scene, kWidth));
  const auto scene = [&](double x, double y) {
    const auto column = static_cast<std::size_t>(std::clamp(x, 0.0, kWidth - 1));
    const auto row = static_cast<std::size_t>(std::clamp(y, 0.0, kHeight - 1));
    return double{1} * drawn.pixels[row * 96 + column];
  };
  FilmPrinter printer;
  Rng rng(take.motion);
  double x = 48;
  double y = 27;
  for (int tick = 0; tick < kTicks; ++tick) {
    x = std::clamp(x + take.step * (rng.uniform() - 0.5), 20.0, 75.0);
    y = std::clamp(y + take.step * (rng.uniform() - 0.5), 20.0, 34.0);
    const double disc_y = y - take.rises * tick / kTicks;
    const double light = take.fades ? std::min(1.0, tick / 16.0) : 1;
    const auto picture = draw_grey(96, 54, [&](double px, double py) {
      if (take.logo && px < 0.26 * kWidth && py > 0.74 * kHeight) return 250.0;
      if (take.mirrored) px = kWidth - 1 - px;
      px = take.cropped * kWidth + (1 - take.cropped) * px;
      py = (1 - take.cropped) * py;
      const bool inside = (px - x) * (px - x) + (py - disc_y) * (py - disc_y) < 150;
      return std::min(255.0, take.gain * light * (inside ? 20 : scene(px, py)));
    });
    printer.add(tick / 8.0, picture.view());
  }
  return *unpack_film_print(printer.finish(kTicks / 8.0));
}

FilmMotion look(const Take& a, const Take& b, bool mirrored = false) {
  const FilmPrint first = print_of(a);
  const FilmPrint second = print_of(b);
  const auto motion = look_closely({first, second, mirrored}, FilmLine{}, 0, 10);
  return motion ? *motion : FilmMotion{.together = -1};
}

TEST(FilmMotion, CopiesMoveTogether) {
  const Take copies[] = {{},
                         {.cropped = 0.1},
                         {.cropped = 0.2},
                         {.logo = true},
                         {.gain = 1.3},
                         {.cropped = 0.15, .gain = 0.8}};
  for (const Take& copy : copies) {
    const FilmMotion forth = look({}, copy);
    EXPECT_GT(forth.together, 0.8) << copy.cropped;
    EXPECT_GT(forth.moves, 2);
    EXPECT_TRUE(forth.agrees());
    EXPECT_NEAR(look(copy, {}).together, forth.together, 1e-6) << "the other way round";
  }
}

TEST(FilmMotion, MirroredCopiesDoSoMirrored) {
  EXPECT_TRUE(look({}, {.mirrored = true}, true).agrees());
  EXPECT_FALSE(look({}, {.mirrored = true}, false).agrees());
}

TEST(FilmMotion, OtherRecordingsOfTheSceneDoNot) {
  for (std::uint64_t motion = 2; motion < 8; ++motion) {
    const FilmMotion other = look({}, {.motion = motion});
    EXPECT_GT(other.likeness, 0.8) << "it is the same scene";
    EXPECT_FALSE(other.agrees()) << other.together;
  }
}

// What both do slowly, as raising a hand, proves nothing.
TEST(FilmMotion, DoesNotMindWhatBothDoSlowly) {
  for (std::uint64_t motion = 2; motion < 6; ++motion) {
    EXPECT_FALSE(
        look({.step = 8, .rises = 15}, {.motion = motion, .step = 8, .rises = 15}).agrees());
    EXPECT_FALSE(look({.fades = true}, {.motion = motion, .fades = true}).agrees());
  }
}

TEST(FilmMotion, OtherScenesDoNotAgree) {
  for (std::uint64_t scene = 1; scene < 5; ++scene) {
    EXPECT_FALSE(look({}, {.scene = scene, .motion = scene}).agrees());
    EXPECT_FALSE(look({.step = 0}, {.scene = scene, .step = 0}).agrees());
  }
}

TEST(FilmMotion, NeedsPicturesOfTheSameMoments) {
  const FilmPrint film = print_of({});
  const FilmMotionTask films{film, film};
  EXPECT_TRUE(look_closely(films, {}, 0, 4));
  EXPECT_FALSE(look_closely(films, {}, 0, 0.8)) << "seven pictures";
  EXPECT_FALSE(look_closely(films, {1, 30, 0}, 0, 4)) << "half a minute later";
  const FilmPrint nothing;
  EXPECT_FALSE(look_closely({film, nothing}, {}, 0, 4));
}

}  // namespace
}  // namespace twinsift
