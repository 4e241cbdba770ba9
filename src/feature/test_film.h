// SPDX-License-Identifier: Apache-2.0
// Drawn films, and what is done to copies of films, for tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/random.h"
#include "feature/film_printer.h"
#include "feature/test_scene.h"

namespace twinsift {

// Shots of a few seconds: a camera that moves over a scene of blobs, in which two discs move.
class TestFilm {
 public:
  TestFilm(std::uint64_t seed, double seconds, double shot = 2.5) : shot_(shot) {
    for (double t = 0; t < seconds; t += shot) {
      Rng rng(seed * 1000 + shots_.size());
      Shot next{.scene = draw_grey(kSide, kSide, blob_scene(rng.next(), kSide, 40))};
      for (double& number : next.numbers) number = rng.uniform();
      shots_.push_back(std::move(next));
    }
  }
  // One that shows the shots of others.
  TestFilm(const TestFilm& first, const TestFilm& second) : TestFilm(first) {
    shots_.insert(shots_.end(), second.shots_.begin(), second.shots_.end());
  }

  [[nodiscard]] double seconds() const { return shot_ * static_cast<double>(shots_.size()); }

  // The grey level at a place from (0, 0) to (1, 1).
  [[nodiscard]] double at(double seconds, double x, double y) const {
    const auto last = static_cast<double>(shots_.size() - 1);
    const double index = std::clamp(std::floor(seconds / shot_), 0.0, last);
    const Shot& shot = shots_[static_cast<std::size_t>(index)];
    const double t = seconds - index * shot_;
    const auto& n = shot.numbers;
    for (std::size_t disc = 0; disc < 2; ++disc) {
      const double dx = x - n[4 * disc] - 0.15 * t * (n[4 * disc + 1] - 0.5);
      const double dy = y - n[4 * disc + 2] - 0.15 * t * (n[4 * disc + 3] - 0.5);
      if (dx * dx + dy * dy < 0.012) return disc == 0 ? 30 : 220;
    }
    return pixel(shot.scene, 0.1 + 0.75 * x + 0.04 * t * (n[8] - 0.5),
                 0.1 + 0.75 * y + 0.04 * t * (n[9] - 0.5));
  }

 private:
  static constexpr std::uint32_t kSide = 80;
  struct Shot {
    GreyImage scene;
    std::array<double, 10> numbers{};
  };

  static double pixel(const GreyImage& image, double x, double y) {
    const double px = std::clamp(x * kSide, 0.0, kSide - 2.0);
    const double py = std::clamp(y * kSide, 0.0, kSide - 2.0);
    const auto column = static_cast<std::size_t>(px);
    const auto row = static_cast<std::size_t>(py);
    const double fx = px - static_cast<double>(column);
    const double fy = py - static_cast<double>(row);
    const std::uint8_t* p = &image.pixels[row * kSide + column];
    return (1 - fy) * ((1 - fx) * p[0] + fx * p[1]) +
           fy * ((1 - fx) * p[kSide] + fx * p[kSide + 1]);
  }

  double shot_;
  std::vector<Shot> shots_;
};

struct FilmEdit {
  double from = 0;
  double to = 1e9;
  double speed = 1;
  double frames = 25;  // a second
  bool mirrored = false;
  double cropped = 0;   // share of each side
  double crop_x = 0.5;  // where: 0 is at the left
  double crop_y = 0.5;
  double bars = 0;  // share of the height, above and below
  double bar_level = 16;
  double gain = 1;
  double noise = 0;  // grey levels
  std::uint32_t width = 64;
  std::uint32_t height = 36;
};

inline GreyImage edited_frame(const TestFilm& film, const FilmEdit& edit, double source, Rng& rng) {
  const double bar = edit.bars * edit.height;
  return draw_grey(edit.width, edit.height, [&](double x, double y) {
    const double noise = edit.noise > 0 ? edit.noise * (2 * rng.uniform() - 1) : 0;
    if (y + 0.5 < bar || y + 0.5 > edit.height - bar) return edit.bar_level;
    double u = (x + 0.5) / edit.width;
    const double v = (y + 0.5 - bar) / (edit.height - 2 * bar);
    if (edit.mirrored) u = 1 - u;
    const double kept = 1 - edit.cropped;
    return edit.gain * film.at(source, edit.cropped * edit.crop_x + kept * u,
                               edit.cropped * edit.crop_y + kept * v) +
           noise;
  });
}

inline std::vector<std::uint64_t> packed_film(const TestFilm& film, const FilmEdit& edit = {}) {
  FilmPrinter printer;
  Rng rng(1);
  const double length = (std::min(edit.to, film.seconds()) - edit.from) / edit.speed;
  for (std::uint32_t frame = 0;; ++frame) {
    const double t = frame / edit.frames;
    if (t >= length) break;
    if (!printer.wants(t)) continue;
    printer.add(t, edited_frame(film, edit, edit.from + t * edit.speed, rng).view());
  }
  return printer.finish(length);
}

// Empty if there is nothing to see.
inline FilmPrint film_print(const TestFilm& film, const FilmEdit& edit = {}) {
  const auto print = unpack_film_print(packed_film(film, edit));
  return print ? *print : FilmPrint{};
}

}  // namespace twinsift
