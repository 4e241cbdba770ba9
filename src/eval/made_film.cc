// SPDX-License-Identifier: Apache-2.0
#include "eval/made_film.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <numbers>

#include "base/portable_trig.h"
#include "base/random.h"

namespace twinsift {
namespace {

using Colour = std::array<double, 3>;
constexpr std::size_t kBlock = 8;

std::uint8_t byte_of(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

struct Shape {
  Colour colour;
  double x, y;  // at the beginning; the frame is 1 wide and 1 high
  double speed_x, speed_y;
  double width, height;
};

struct Shot {
  Colour above, below;
  std::vector<Shape> shapes;
  double light, brightening;  // by so much in a second
  std::uint64_t grain;
};

class Director {
 public:
  explicit Director(std::uint64_t seed) : rng_(seed_key(seed, 0)) {
    for (Colour& colour : palette_) {
      for (double& c : colour) c = 255 * rng_.uniform();
    }
  }

  double length() { return 2 + 4 * rng_.uniform(); }

  Shot shot() {
    Shot shot{.above = colour(),
              .below = colour(),
              .shapes = {},
              .light = 0.6 + 0.5 * rng_.uniform(),
              .brightening = 0.1 * (rng_.uniform() - 0.5),
              .grain = rng_.next()};
    const std::uint32_t shapes = 3 + rng_.below(5);
    for (std::uint32_t i = 0; i < shapes; ++i) {
      shot.shapes.push_back({.colour = colour(),
                             .x = rng_.uniform(),
                             .y = rng_.uniform(),
                             .speed_x = 0.4 * (rng_.uniform() - 0.5),
                             .speed_y = 0.2 * (rng_.uniform() - 0.5),
                             .width = 0.05 + 0.25 * rng_.uniform(),
                             .height = 0.05 + 0.3 * rng_.uniform()});
    }
    return shot;
  }

 private:
  // One of the film's, a little changed.
  Colour colour() {
    Colour colour = palette_[rng_.below(kColours)];
    for (double& c : colour) c += 50 * (rng_.uniform() - 0.5);
    return colour;
  }

  Rng rng_;
  static constexpr std::uint32_t kColours = 8;
  std::array<Colour, kColours> palette_;
};

Colour colour_at(const Shot& shot, double x, double y, double seconds) {
  for (const Shape& shape : shot.shapes) {
    const double dx = (x - shape.x - shape.speed_x * seconds) / shape.width;
    const double dy = (y - shape.y - shape.speed_y * seconds) / shape.height;
    if (dx * dx + dy * dy < 1) return shape.colour;
  }
  Colour colour;
  for (std::size_t c = 0; c < colour.size(); ++c) {
    colour[c] = (1 - y) * shot.above[c] + y * shot.below[c];
  }
  return colour;
}

std::vector<std::uint8_t> draw(const Shot& shot, double seconds, const Film& film) {
  std::vector<std::uint8_t> frame;
  frame.reserve(std::size_t{3} * film.width * film.height);
  const double light = shot.light + shot.brightening * seconds;
  Rng grain(shot.grain);
  for (std::uint32_t y = 0; y < film.height; ++y) {
    for (std::uint32_t x = 0; x < film.width; ++x) {
      const Colour colour =
          colour_at(shot, (x + 0.5) / film.width, (y + 0.5) / film.height, seconds);
      const double grained = light * (0.85 + 0.3 * grain.uniform());
      for (const double c : colour) frame.push_back(byte_of(c * grained));
    }
  }
  return frame;
}

using Block = std::array<double, kBlock * kBlock>;

// The orthonormal cosine transform of eight numbers, as a matrix.
const Block& cosines() {
  static const Block matrix = [] {
    Block made{};
    for (std::size_t k = 0; k < kBlock; ++k) {
      for (std::size_t i = 0; i < kBlock; ++i) {
        const double angle = std::numbers::pi * static_cast<double>(k * (2 * i + 1)) / 16;
        made[k * kBlock + i] =
            portable_sine_cosine(angle).cosine * (k == 0 ? std::sqrt(0.125) : 0.5);
      }
    }
    return made;
  }();
  return matrix;
}

// Rows become columns, transformed, so that two of these are the whole transform.
Block transformed(const Block& block, bool backward) {
  const Block& matrix = cosines();
  Block out{};
  for (std::size_t row = 0; row < kBlock; ++row) {
    for (std::size_t k = 0; k < kBlock; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < kBlock; ++i) {
        sum += block[row * kBlock + i] * matrix[backward ? i * kBlock + k : k * kBlock + i];
      }
      out[k * kBlock + row] = sum;
    }
  }
  return out;
}

void round_block(Block& block, double step) {
  block = transformed(transformed(block, false), false);
  for (std::size_t i = 0; i < block.size(); ++i) {
    const double coarse = step * (1 + static_cast<double>(i / kBlock + i % kBlock) / 2);
    block[i] = std::round(block[i] / coarse) * coarse;
  }
  block = transformed(transformed(block, true), true);
}

// One block of a frame through luma and two differences of colour.
void recode_block(std::vector<std::uint8_t>& frame, std::size_t corner, std::size_t width,
                  double step) {
  std::array<Block, 3> planes;
  const auto pixel = [&](std::size_t i) { return 3 * (corner + i / kBlock * width + i % kBlock); };
  for (std::size_t i = 0; i < kBlock * kBlock; ++i) {
    const double r = frame[pixel(i)];
    const double g = frame[pixel(i) + 1];
    const double b = frame[pixel(i) + 2];
    const double luma = 0.299 * r + 0.587 * g + 0.114 * b;
    planes[0][i] = luma;
    planes[1][i] = 0.564 * (b - luma);
    planes[2][i] = 0.713 * (r - luma);
  }
  round_block(planes[0], step);
  round_block(planes[1], 2 * step);
  round_block(planes[2], 2 * step);
  for (std::size_t i = 0; i < kBlock * kBlock; ++i) {
    const double luma = planes[0][i];
    frame[pixel(i)] = byte_of(luma + 1.403 * planes[2][i]);
    frame[pixel(i) + 1] = byte_of(luma - 0.714 * planes[2][i] - 0.344 * planes[1][i]);
    frame[pixel(i) + 2] = byte_of(luma + 1.773 * planes[1][i]);
  }
}

}  // namespace

Film make_film(double seconds, std::uint64_t seed) {
  Film film;
  Director director(seed);
  const auto frames = static_cast<std::size_t>(seconds * Film::kRate);
  while (film.frames.size() < frames) {
    const Shot shot = director.shot();
    const auto length = static_cast<std::size_t>(director.length() * Film::kRate);
    for (std::size_t i = 0; i < length && film.frames.size() < frames; ++i) {
      film.frames.push_back(draw(shot, static_cast<double>(i) / Film::kRate, film));
    }
  }
  return film;
}

Film part_of(const Film& film, double begin, double end) {
  const auto at = [&](double seconds) {
    const auto frame = static_cast<std::size_t>(std::max(0.0, seconds * Film::kRate));
    return film.frames.begin() + static_cast<std::ptrdiff_t>(std::min(frame, film.frames.size()));
  };
  Film part{.width = film.width, .height = film.height};
  part.frames.assign(at(begin), std::max(at(begin), at(end)));
  return part;
}

Film recoded(Film film, double step) {
  assert(film.width % kBlock == 0 && film.height % kBlock == 0);
  for (auto& frame : film.frames) {
    for (std::size_t y = 0; y < film.height; y += kBlock) {
      for (std::size_t x = 0; x < film.width; x += kBlock) {
        recode_block(frame, y * film.width + x, film.width, step);
      }
    }
  }
  return film;
}

Film brighter(Film film, double factor, double more) {
  for (auto& frame : film.frames) {
    for (std::uint8_t& value : frame) value = byte_of(factor * value + more);
  }
  return film;
}

Film barred(Film film, double share) {
  const auto bytes = static_cast<std::ptrdiff_t>(3 * film.width) *
                     static_cast<std::ptrdiff_t>(film.height * share / 2);
  for (auto& frame : film.frames) {
    std::fill(frame.begin(), frame.begin() + bytes, std::uint8_t{0});
    std::fill(frame.end() - bytes, frame.end(), std::uint8_t{0});
  }
  return film;
}

}  // namespace twinsift
