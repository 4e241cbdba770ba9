// SPDX-License-Identifier: Apache-2.0
#include "eval/pictures.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/normal.h"
#include "ingest/reader.h"
#include "ingest/walk.h"
#include "media/picture.h"

namespace twinsift {
namespace {

constexpr std::uint64_t kLargestFile = 1ULL << 28;

// Nothing if it is no picture or cannot be read.
std::optional<GreyImage> read_picture(const FileEntry& file, PictureDecoder& decoder,
                                      std::uint32_t min_side) {
  auto reader = FileReader::open(file);
  if (!reader) return std::nullopt;
  const PictureKind kind = recognise_picture(reader->head());
  if (kind == PictureKind::kNone) return std::nullopt;
  const auto bytes = reader->read_all(kLargestFile);
  if (!bytes) return std::nullopt;
  const auto picture = decoder.decode({.uri = file.path, .bytes = *bytes}, kind,
                                      {.min_side = min_side, .grey = true});
  if (!picture || picture->columns == 0 || picture->rows == 0) return std::nullopt;
  GreyImage image{.pixels = {}, .width = picture->columns, .height = picture->rows};
  image.pixels.reserve(std::size_t{image.width} * image.height);
  for (std::uint32_t y = 0; y < image.height; ++y) {
    const auto row = picture->row(y);
    image.pixels.insert(image.pixels.end(), row.begin(), row.end());
  }
  return image;
}

std::uint8_t to_grey(double value) {
  return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0, 255.0)));
}

GreyImage cropped(const GreyView& picture, double share, Rng& rng) {
  const double side = std::sqrt(1 - share);
  const auto part = [&](std::uint32_t length) {
    return std::max(1U, static_cast<std::uint32_t>(std::lround(side * length)));
  };
  GreyImage out{.pixels = {}, .width = part(picture.width), .height = part(picture.height)};
  const std::uint32_t left = rng.below(picture.width - out.width + 1);
  const std::uint32_t top = rng.below(picture.height - out.height + 1);
  for (std::uint32_t y = 0; y < out.height; ++y) {
    const auto row = picture.row(top + y).subspan(left, out.width);
    out.pixels.insert(out.pixels.end(), row.begin(), row.end());
  }
  return out;
}

// Means over 2 * reach + 1 pixels of each row; the result is turned, so that twice is both ways.
GreyImage blurred_rows(const GreyView& picture, std::uint32_t reach) {
  GreyImage out{.pixels = std::vector<std::uint8_t>(picture.pixels.size()),
                .width = picture.height,
                .height = picture.width};
  std::vector<std::uint32_t> sums(picture.width + 1);
  for (std::uint32_t y = 0; y < picture.height; ++y) {
    const auto row = picture.row(y);
    for (std::uint32_t x = 0; x < picture.width; ++x) sums[x + 1] = sums[x] + row[x];
    for (std::uint32_t x = 0; x < picture.width; ++x) {
      const std::uint32_t begin = x > reach ? x - reach : 0;
      const std::uint32_t end = std::min(picture.width, x + reach + 1);
      const std::uint32_t count = end - begin;
      out.pixels[std::size_t{x} * out.width + y] =
          static_cast<std::uint8_t>((sums[end] - sums[begin] + count / 2) / count);
    }
  }
  return out;
}

}  // namespace

Result<std::size_t> for_each_picture(const EvalOptions& options, std::size_t most,
                                     std::uint32_t min_side,
                                     const std::function<bool(const GreyView&)>& use) {
  Callbacks callbacks;
  callbacks.stop = options.stop;
  TWINSIFT_TRY(const WalkResult walked, walk({options.images}, {}, callbacks));
  PictureDecoder decoder;
  std::size_t count = 0;
  for (const FileEntry& file : walked.files) {
    if (count >= most) break;
    if (options.stop.stop_requested()) return cancelled_error();
    const auto image = read_picture(file, decoder, min_side);
    if (image && use(image->view())) ++count;
  }
  if (count < kFewestPictures) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{} has {} pictures that can be used, and at least {} are needed",
                             options.images, count, kFewestPictures)};
  }
  return count;
}

Alteration new_view(Rng& rng) {
  return {.cropped = 0.15 * rng.uniform(),
          .contrast = 0.8 + 0.4 * rng.uniform(),
          .brightness = 40 * rng.uniform() - 20,
          .noise = 5 * rng.uniform()};
}

Alteration new_copy(Rng& rng) {
  return {.cropped = rng.uniform() < 0.3 ? 0.05 * rng.uniform() : 0,
          .contrast = 0.9 + 0.2 * rng.uniform(),
          .brightness = 20 * rng.uniform() - 10,
          .blur = rng.below(4),
          .noise = 12 * rng.uniform()};
}

GreyImage altered(const GreyView& picture, const Alteration& alteration, Rng& rng) {
  GreyImage image = cropped(picture, alteration.cropped, rng);
  for (std::uint8_t& pixel : image.pixels) {
    pixel = to_grey(128 + alteration.contrast * (pixel - 128.0) + alteration.brightness);
  }
  if (alteration.blur > 0) {
    image = blurred_rows(blurred_rows(image.view(), alteration.blur).view(), alteration.blur);
  }
  if (alteration.noise > 0) {
    for (std::uint8_t& pixel : image.pixels)
      pixel = to_grey(pixel + alteration.noise * normal(rng));
  }
  return image;
}

}  // namespace twinsift
