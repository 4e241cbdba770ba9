// SPDX-License-Identifier: Apache-2.0
#include "media/image/make_preview.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace twinsift {
namespace {

constexpr std::uint32_t kFraction = 256;  // between the two passes

// Both lines are laid on one of `from` x `to` units: an old sample is `to` units long, a new one
// `from`.  `stride` leads from one sample of a line to the next.
struct Line {
  std::uint32_t from = 0, to = 0;
  std::size_t stride = 0;
};

// Calls put(new sample, sum of old ones times units) along one line.
template <class T, class Put>
void sum_areas(const T* samples, const Line& line, Put put) {
  std::uint32_t old = 0;
  std::uint64_t left = line.to;  // units of the old sample that are not used yet
  for (std::uint32_t sample = 0; sample < line.to; ++sample) {
    std::uint64_t wanted = line.from;
    std::uint64_t sum = 0;
    while (wanted > 0) {
      const std::uint64_t units = std::min(wanted, left);
      sum += units * samples[old * line.stride];
      wanted -= units;
      left -= units;
      if (left == 0) {
        ++old;
        left = line.to;
      }
    }
    put(sample, sum);
  }
}

std::uint32_t scaled(std::uint32_t side, std::uint32_t longest, std::uint32_t target) {
  const std::uint64_t rounded = (std::uint64_t{side} * target + longest / 2) / longest;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(rounded, 1));
}

Result<std::string> write_preview([[maybe_unused]] const Picture& picture) {
#if defined(TWINSIFT_HAVE_JPEG)
  return write_jpeg(picture);
#elif defined(TWINSIFT_HAVE_PNG)
  return write_png(picture);
#else
  return Error{ErrorCode::kUnsupported,
               "previews are not supported by this build: libjpeg and libpng were missing"};
#endif
}

}  // namespace

Picture shrunk_to(Picture picture, std::uint32_t side) {
  assert(picture.channels == 3 && side > 0);
  const std::uint32_t longest = std::max(picture.columns, picture.rows);
  if (longest <= side) return picture;
  const std::uint32_t columns = scaled(picture.columns, longest, side);
  const std::uint32_t rows = scaled(picture.rows, longest, side);
  std::vector<std::uint16_t> narrow(std::size_t{columns} * picture.rows * 3);
  const Line across = {.from = picture.columns, .to = columns, .stride = 3};
  for (std::uint32_t y = 0; y < picture.rows; ++y) {
    for (std::size_t c = 0; c < 3; ++c) {
      std::uint16_t* out = narrow.data() + std::size_t{y} * columns * 3 + c;
      sum_areas(picture.row(y).data() + c, across, [&](std::uint32_t x, std::uint64_t sum) {
        out[std::size_t{x} * 3] = static_cast<std::uint16_t>(sum * kFraction / picture.columns);
      });
    }
  }
  std::string bytes(std::size_t{columns} * rows * 3, '\0');
  const std::size_t width = std::size_t{columns} * 3;
  const Line down = {.from = picture.rows, .to = rows, .stride = width};
  const std::uint64_t whole = std::uint64_t{picture.rows} * kFraction;
  for (std::size_t x = 0; x < width; ++x) {
    sum_areas(narrow.data() + x, down, [&](std::uint32_t y, std::uint64_t sum) {
      bytes[y * width + x] = static_cast<char>((sum + whole / 2) / whole);
    });
  }
  picture.columns = columns;
  picture.rows = rows;
  picture.bytes = std::move(bytes);
  return picture;
}

Result<Picture> decode_with_preview(PictureKind kind, Bytes bytes, const PictureRequest& request,
                                    std::uint64_t pixel_limit) {
  if (request.preview == 0) return decode_picture(kind, bytes, request, pixel_limit);
  // The library shrinks the most; what is left is less than half.
  const PictureRequest pixels = {.min_side = request.preview};
  TWINSIFT_TRY(Picture small, decode_picture(kind, bytes, pixels, pixel_limit));
  small = shrunk_to(std::move(small), request.preview);
  TWINSIFT_TRY(std::string preview, write_preview(small));
  if (request.pixels || request.digest) {
    TWINSIFT_TRY(small, decode_picture(kind, bytes, request, pixel_limit));
  } else {
    small.columns = small.rows = 0;
    small.bytes.clear();
  }
  small.preview = std::move(preview);
  return small;
}

}  // namespace twinsift
