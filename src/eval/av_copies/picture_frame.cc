// SPDX-License-Identifier: Apache-2.0
#include "eval/av_copies/picture_frame.h"

#include <algorithm>
#include <cmath>

#include "base/normal.h"
#include "base/random.h"

namespace twinsift {
namespace {

constexpr std::uint8_t kBlack = 16;
constexpr std::uint8_t kWhite = 235;

std::uint8_t clamped(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

std::size_t even(double value) { return 2 * static_cast<std::size_t>(std::max(0.0, value / 2)); }

Plane part_of(const Plane& plane, std::size_t x, std::size_t y, std::size_t width,
              std::size_t height) {
  Plane out(width, height);
  for (std::size_t line = 0; line < height; ++line) {
    std::copy_n(plane.row(y + line) + x, width, out.row(line));
  }
  return out;
}

// Rows become columns.
Plane transposed(const Plane& plane) {
  Plane out(plane.height, plane.width);
  for (std::size_t y = 0; y < plane.height; ++y) {
    for (std::size_t x = 0; x < plane.width; ++x) out.row(x)[y] = plane.row(y)[x];
  }
  return out;
}

Plane reversed_rows(const Plane& plane) {
  Plane out = plane;
  for (std::size_t y = 0; y < out.height; ++y) std::reverse(out.row(y), out.row(y) + out.width);
  return out;
}

// Along the rows; 256 times a Gaussian of sigma 2 whose edge goes on for ever.
Plane blurred_rows(const Plane& plane) {
  constexpr std::array<unsigned, 6> kHalf = {52, 45, 31, 17, 7, 2};
  constexpr auto kReach = static_cast<std::ptrdiff_t>(kHalf.size()) - 1;
  Plane out(plane.width, plane.height);
  const auto last = static_cast<std::ptrdiff_t>(plane.width) - 1;
  for (std::size_t y = 0; y < plane.height; ++y) {
    const std::uint8_t* row = plane.row(y);
    for (std::ptrdiff_t x = 0; x <= last; ++x) {
      unsigned sum = 128;
      for (std::ptrdiff_t d = -kReach; d <= kReach; ++d) {
        const unsigned weight = kHalf[static_cast<std::size_t>(std::abs(d))];
        sum += weight * row[std::clamp<std::ptrdiff_t>(x + d, 0, last)];
      }
      out.row(y)[x] = static_cast<std::uint8_t>(std::min(255U, sum / 256));
    }
  }
  return out;
}

}  // namespace

PictureFrame cropped(const PictureFrame& frame, double percent, double place_x, double place_y) {
  const double share = 1 - percent / 100;
  const std::size_t width = std::max<std::size_t>(2, even(share * double(frame.width())));
  const std::size_t height = std::max<std::size_t>(2, even(share * double(frame.height())));
  const std::size_t x = even(place_x * double(frame.width() - width));
  const std::size_t y = even(place_y * double(frame.height() - height));
  PictureFrame out;
  for (std::size_t p = 0; p < 3; ++p) {
    const std::size_t step = p == 0 ? 1 : 2;
    out.planes[p] = part_of(frame.planes[p], x / step, y / step, width / step, height / step);
  }
  return out;
}

PictureFrame letterboxed(const PictureFrame& frame) {
  const std::size_t bar = even(double(frame.height()) / 6);
  PictureFrame out(frame.width(), frame.height() + 2 * bar);
  for (std::size_t p = 0; p < 3; ++p) {
    const Plane& plane = frame.planes[p];
    std::ranges::copy(plane.bytes, out.planes[p].row(p == 0 ? bar : bar / 2));
  }
  return out;
}

PictureFrame mirrored(const PictureFrame& frame) {
  PictureFrame out;
  for (std::size_t p = 0; p < 3; ++p) out.planes[p] = reversed_rows(frame.planes[p]);
  return out;
}

PictureFrame turned(const PictureFrame& frame, int quarters) {
  PictureFrame out = frame;
  for (int i = 0; i < ((quarters % 4) + 4) % 4; ++i) {
    for (Plane& plane : out.planes) plane = reversed_rows(transposed(plane));
  }
  return out;
}

PictureFrame brightened(const PictureFrame& frame) {
  PictureFrame out = frame;
  for (std::uint8_t& value : out.planes[0].bytes) {
    value = static_cast<std::uint8_t>(std::min<unsigned>(kWhite, (12U * value + 155U) / 10U));
  }
  return out;
}

PictureFrame blurred_noisy(const PictureFrame& frame, double sigma, std::uint64_t seed) {
  PictureFrame out = frame;
  out.planes[0] = transposed(blurred_rows(transposed(blurred_rows(frame.planes[0]))));
  Rng random(seed);
  for (std::uint8_t& value : out.planes[0].bytes) value = clamped(value + sigma * normal(random));
  return out;
}

PictureFrame with_logo(const PictureFrame& frame, double percent, unsigned corner) {
  PictureFrame out = frame;
  const double side = std::sqrt(percent / 100);
  const std::size_t width = even(side * double(frame.width()));
  const std::size_t height = even(side * double(frame.height()));
  const std::size_t left = corner == 1 || corner == 2 ? frame.width() - width : 0;
  const std::size_t top = corner >= 2 ? frame.height() - height : 0;
  const std::size_t stripe = std::max<std::size_t>(2, height / 5);
  for (std::size_t y = 0; y < height; ++y) {
    const std::uint8_t value = (y / stripe) % 2 == 0 ? kWhite : kBlack;
    std::fill_n(out.planes[0].row(top + y) + left, width, value);
    if (y % 2 != 0) continue;
    std::fill_n(out.planes[1].row((top + y) / 2) + left / 2, width / 2, std::uint8_t{90});
    std::fill_n(out.planes[2].row((top + y) / 2) + left / 2, width / 2, std::uint8_t{200});
  }
  return out;
}

}  // namespace twinsift
