// SPDX-License-Identifier: Apache-2.0
#include "learn/picture_copies.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace twinsift {
namespace {

constexpr double kLongestSide = 160;

// Grey values that may leave 0..255 until all has been done to them.
struct Canvas {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<float> values;
  [[nodiscard]] float& at(std::uint32_t x, std::uint32_t y) {
    return values[std::size_t{y} * width + x];
  }
};

double between(Rng& rng, double low, double high) { return low + (high - low) * rng.uniform(); }
bool chance(Rng& rng, double probability) { return rng.uniform() < probability; }

std::uint8_t to_byte(float value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F) + 0.5F);
}

// The mean of the pixels that [x0, x1) x [y0, y1) touches.
std::uint8_t mean_of(const GreyView& picture, double x0, double x1, double y0, double y1) {
  const auto left = static_cast<std::uint32_t>(x0);
  const auto top = static_cast<std::uint32_t>(y0);
  const auto right = std::clamp(static_cast<std::uint32_t>(x1), left + 1, picture.width);
  const auto bottom = std::clamp(static_cast<std::uint32_t>(y1), top + 1, picture.height);
  std::uint64_t sum = 0;
  for (std::uint32_t y = top; y < bottom; ++y) {
    for (std::uint32_t x = left; x < right; ++x) sum += picture.row(y)[x];
  }
  return static_cast<std::uint8_t>(sum / (std::uint64_t{right - left} * (bottom - top)));
}

float bilinear(const GreyView& picture, double x, double y) {
  const double cx = std::clamp(x, 0.0, picture.width - 1.0);
  const double cy = std::clamp(y, 0.0, picture.height - 1.0);
  const auto left = static_cast<std::uint32_t>(cx);
  const auto top = static_cast<std::uint32_t>(cy);
  const std::uint32_t right = std::min(left + 1, picture.width - 1);
  const std::uint32_t bottom = std::min(top + 1, picture.height - 1);
  const double u = cx - left;
  const double v = cy - top;
  const auto mixed = [u](std::uint8_t a, std::uint8_t b) { return a * (1 - u) + b * u; };
  const auto above = picture.row(top);
  const auto below = picture.row(bottom);
  return static_cast<float>(mixed(above[left], above[right]) * (1 - v) +
                            mixed(below[left], below[right]) * v);
}

// How much a frame may take away and turn, and how often it does.
struct FrameLimits {
  double crop = 0.25;  // of the surface
  double crop_chance = 0.55;
  double turn = 0.061;  // tan of half the angle: 7 degrees
  double turn_chance = 0.4;
};

// Cropped or turned, one of them or both.
Canvas framed(const GreyView& photo, const FrameLimits& limits, Rng& rng) {
  double keep = 1;  // of each side
  if (chance(rng, limits.crop_chance)) keep = std::sqrt(1 - between(rng, 0, limits.crop));
  const double squeeze = chance(rng, 0.3) ? between(rng, keep, 1) / keep : 1;
  const double width = photo.width * std::min(1.0, keep * squeeze);
  const double height = photo.height * std::min(1.0, keep / squeeze);
  const double left = between(rng, 0, photo.width - width);
  const double top = between(rng, 0, photo.height - height);
  const double t = chance(rng, limits.turn_chance) ? between(rng, -limits.turn, limits.turn) : 0;
  const double cosine = (1 - t * t) / (1 + t * t);
  const double sine = 2 * t / (1 + t * t);
  const bool fill = chance(rng, 0.7);  // corners of one grey, or what the frame shows there
  const float corner = chance(rng, 0.7) ? 0.0F : 255.0F;
  Canvas out{.width = std::max(16U, static_cast<std::uint32_t>(width)),
             .height = std::max(16U, static_cast<std::uint32_t>(height)),
             .values = {}};
  out.values.reserve(std::size_t{out.width} * out.height);
  for (std::uint32_t y = 0; y < out.height; ++y) {
    for (std::uint32_t x = 0; x < out.width; ++x) {
      const double dx = (x + 0.5) * width / out.width - width / 2;
      const double dy = (y + 0.5) * height / out.height - height / 2;
      const double from_x = left + width / 2 + cosine * dx - sine * dy - 0.5;
      const double from_y = top + height / 2 + sine * dx + cosine * dy - 0.5;
      const bool outside =
          from_x < left - 1 || from_y < top - 1 || from_x > left + width || from_y > top + height;
      out.values.push_back(fill && outside ? corner : bilinear(photo, from_x, from_y));
    }
  }
  return out;
}

void change_tone(Canvas& canvas, Rng& rng) {
  const auto gain = static_cast<float>(between(rng, 0.75, 1.3));
  const auto offset = static_cast<float>(between(rng, -25, 25));
  const auto bend = static_cast<float>(between(rng, -0.5, 0.5));  // as a gamma bends
  for (float& value : canvas.values) {
    const float v = std::clamp(value * gain + offset, 0.0F, 255.0F);
    value = v + bend * v * (1 - v / 255);
  }
}

// Three means of three neighbours in each direction are nearly a Gaussian.
void blur(Canvas& canvas, std::uint32_t passes) {
  const std::uint32_t w = canvas.width;
  const std::uint32_t h = canvas.height;
  Canvas other = canvas;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    for (std::uint32_t y = 0; y < h; ++y) {
      for (std::uint32_t x = 0; x < w; ++x) {
        other.at(x, y) = (canvas.at(x > 0 ? x - 1 : 0, y) + canvas.at(x, y) +
                          canvas.at(std::min(x + 1, w - 1), y)) /
                         3;
      }
    }
    for (std::uint32_t y = 0; y < h; ++y) {
      for (std::uint32_t x = 0; x < w; ++x) {
        canvas.at(x, y) = (other.at(x, y > 0 ? y - 1 : 0) + other.at(x, y) +
                           other.at(x, std::min(y + 1, h - 1))) /
                          3;
      }
    }
  }
}

// Blocks of 2 x 2 to 4 x 4 pixels lose their detail, and their means are rounded: what strong
// compression leaves of a photo that was shrunk later.
void compress(Canvas& canvas, Rng& rng) {
  const std::uint32_t side = 2 + rng.below(3);
  const auto step = static_cast<float>(between(rng, 1, 10));
  const auto detail = static_cast<float>(between(rng, 0, 0.8));
  for (std::uint32_t top = 0; top < canvas.height; top += side) {
    for (std::uint32_t left = 0; left < canvas.width; left += side) {
      const std::uint32_t bottom = std::min(top + side, canvas.height);
      const std::uint32_t right = std::min(left + side, canvas.width);
      float sum = 0;
      for (std::uint32_t y = top; y < bottom; ++y) {
        for (std::uint32_t x = left; x < right; ++x) sum += canvas.at(x, y);
      }
      const float mean = sum / static_cast<float>((bottom - top) * (right - left));
      const float rounded = std::floor(mean / step + 0.5F) * step;
      for (std::uint32_t y = top; y < bottom; ++y) {
        for (std::uint32_t x = left; x < right; ++x) {
          canvas.at(x, y) = rounded + detail * (canvas.at(x, y) - mean);
        }
      }
    }
  }
}

// The sum of four uniform numbers is near enough to a Gaussian.
void add_noise(Canvas& canvas, Rng& rng) {
  const double spread = between(rng, 2, 14);
  for (float& value : canvas.values) {
    const double sum = rng.uniform() + rng.uniform() + rng.uniform() + rng.uniform() - 2;
    value += static_cast<float>(spread * sum * std::sqrt(3.0));
  }
}

// A line of upright and level strokes, as of letters, near the top or the bottom.
void write_caption(Canvas& canvas, Rng& rng) {
  const double high = canvas.height * between(rng, 0.05, 0.11);
  const bool low = chance(rng, 0.7);
  const double top = low ? canvas.height * between(rng, 0.78, 0.97) - high
                         : canvas.height * between(rng, 0.02, 0.12);
  const double wide = canvas.width * between(rng, 0.35, 0.95);
  const double begin = (canvas.width - wide) / 2;
  const float ink = chance(rng, 0.75) ? 255.0F : 0.0F;
  const bool outlined = chance(rng, 0.6);
  const bool boxed = !outlined && chance(rng, 0.3);
  const auto last_row = static_cast<std::uint32_t>(std::min(top + high, canvas.height - 1.0));
  for (auto y = static_cast<std::uint32_t>(std::max(top, 0.0)); y <= last_row; ++y) {
    Rng letters(rng.next() | 1U);
    for (auto x = static_cast<std::uint32_t>(begin); x < begin + wide && x < canvas.width; ++x) {
      const std::uint64_t draw = letters.next() % 8;
      if (draw < 3) canvas.at(x, y) = ink;
      if (boxed && draw >= 3) canvas.at(x, y) = 255 - ink;
      if (outlined && draw == 7) canvas.at(x, y) = 255 - ink;
    }
  }
}

// A frame of one grey around it, of up to a sixth of each side.
Canvas bordered(Canvas& canvas, Rng& rng) {
  const auto margin = [&](std::uint32_t side) {
    return static_cast<std::uint32_t>(side * between(rng, 0.02, 0.17));
  };
  const std::uint32_t x = margin(canvas.width);
  const std::uint32_t y = chance(rng, 0.7) ? margin(canvas.height) : 0;
  const double draw = rng.uniform();
  const float grey = draw < 0.5   ? 255.0F
                     : draw < 0.8 ? 0.0F
                                  : static_cast<float>(between(rng, 0, 255));
  Canvas out{.width = canvas.width + 2 * x, .height = canvas.height + 2 * y, .values = {}};
  out.values.assign(std::size_t{out.width} * out.height, grey);
  for (std::uint32_t row = 0; row < canvas.height; ++row) {
    for (std::uint32_t column = 0; column < canvas.width; ++column) {
      out.at(x + column, y + row) = canvas.at(column, row);
    }
  }
  return out;
}

// What happens to a copy after it was framed.
GreyImage edited(Canvas canvas, Rng& rng) {
  if (chance(rng, 0.3)) write_caption(canvas, rng);
  if (chance(rng, 0.5)) change_tone(canvas, rng);
  if (chance(rng, 0.3)) blur(canvas, 1 + rng.below(3));
  if (chance(rng, 0.3)) compress(canvas, rng);
  if (chance(rng, 0.4)) add_noise(canvas, rng);
  GreyImage copy{.pixels = {}, .width = canvas.width, .height = canvas.height};
  copy.pixels.reserve(canvas.values.size());
  for (const float value : canvas.values) copy.pixels.push_back(to_byte(value));
  return copy;
}

}  // namespace

GreyImage random_photo(const GreyView& picture, Rng& rng) {
  const double shorter = std::min(picture.width, picture.height);
  // Small parts are as likely as large ones: the logarithm of the size is nearly uniform.
  const double u = rng.uniform();
  const double size = shorter * (0.15 + 0.85 * u * u);
  const double ratio = chance(rng, 0.5) ? between(rng, 1, 2) : 1 / between(rng, 1, 2);
  const double width = std::clamp(ratio > 1 ? size * ratio : size, 8.0, picture.width * 1.0);
  const double height = std::clamp(ratio > 1 ? size : size / ratio, 8.0, picture.height * 1.0);
  const double left = between(rng, 0, picture.width - width);
  const double top = between(rng, 0, picture.height - height);
  const double shrink = std::max(1.0, std::max(width, height) / kLongestSide);
  GreyImage photo;
  photo.width = static_cast<std::uint32_t>(width / shrink);
  photo.height = static_cast<std::uint32_t>(height / shrink);
  photo.pixels.reserve(std::size_t{photo.width} * photo.height);
  for (std::uint32_t y = 0; y < photo.height; ++y) {
    for (std::uint32_t x = 0; x < photo.width; ++x) {
      photo.pixels.push_back(mean_of(picture, left + x * shrink, left + (x + 1) * shrink,
                                     top + y * shrink, top + (y + 1) * shrink));
    }
  }
  return photo;
}

GreyImage random_copy(const GreyView& photo, Rng& rng) {
  return edited(framed(photo, {}, rng), rng);
}

GreyImage random_hard_copy(const GreyView& photo, Rng& rng) {
  constexpr FrameLimits kHard = {
      .crop = 0.55, .crop_chance = 0.6, .turn = 0.27, .turn_chance = 0.4};
  Canvas canvas = framed(photo, kHard, rng);
  if (chance(rng, 0.3)) write_caption(canvas, rng);
  if (chance(rng, 0.35)) canvas = bordered(canvas, rng);
  return edited(std::move(canvas), rng);
}

}  // namespace twinsift
