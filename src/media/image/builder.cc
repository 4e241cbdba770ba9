// SPDX-License-Identifier: Apache-2.0
#include "media/image/builder.h"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

#include "media/image/orient.h"
#include "media/image/pixels.h"

namespace twinsift {
namespace {

constexpr std::uint8_t kWhite = 255;
constexpr std::uint64_t kLongestSide = 1ULL << 31U;

}  // namespace

std::uint32_t PictureBuilder::shrink_for(std::uint64_t width, std::uint64_t height) const {
  if (request_.min_side == 0 || request_.digest) return 1;
  const std::uint64_t side = std::min(width, height);
  std::uint32_t factor = 1;
  while (side >= 2ULL * factor * request_.min_side) factor *= 2;
  return factor;
}

void PictureBuilder::orient(unsigned orientation) {
  if (frozen_.empty() && orientation >= 1 && orientation <= 8) orientation_ = orientation;
}

void PictureBuilder::fact(std::string_view name, std::string value) {
  if (frozen_.empty() && !value.empty()) facts_.emplace_back(name, std::move(value));
}

void PictureBuilder::original_size(std::uint64_t width, std::uint64_t height) {
  original_width_ = static_cast<std::uint32_t>(width);
  original_height_ = static_cast<std::uint32_t>(height);
}

void PictureBuilder::freeze(std::string_view format) {
  frozen_ = format;
  request_.digest = false;
}

Status PictureBuilder::check(const PictureShape& shape) const {
  if (shape.width == 0 || shape.height == 0) {
    return Error{ErrorCode::kCorrupt, "damaged: a picture without pixels"};
  }
  const std::uint64_t columns = shrunk_size(shape.width, shape.shrunk);
  const std::uint64_t rows = shrunk_size(shape.height, shape.shrunk);
  if (shape.width >= kLongestSide || shape.height >= kLongestSide ||
      columns > pixel_limit_ / rows) {
    return Error{ErrorCode::kLimit, fmt::format("too large: {} x {} pixels are more than {}",
                                                shape.width, shape.height, pixel_limit_)};
  }
  return ok();
}

Status PictureBuilder::begin(const PictureShape& shape) {
  assert(shape.channels == 1 || shape.channels == 3);
  TWINSIFT_TRY([[maybe_unused]] auto fits, check(shape));
  const std::uint64_t columns = shrunk_size(shape.width, shape.shrunk);
  const std::uint64_t rows = shrunk_size(shape.height, shape.shrunk);
  shape_ = shape;
  columns_in_ = static_cast<std::uint32_t>(columns);
  rows_in_ = static_cast<std::uint32_t>(rows);
  if (original_width_ == 0) original_size(shape.width, shape.height);
  // shrink_for() is 1 if a digest is wanted, but the pixels are to be shrunk nevertheless.
  PictureRequest plain = request_;
  plain.digest = false;
  box_ = PictureBuilder(plain, 0).shrink_for(shape.width, shape.height) / shape.shrunk;
  box_ = std::max(box_, 1U);
  columns_ = static_cast<std::uint32_t>(shrunk_size(columns, box_));
  rows_ = static_cast<std::uint32_t>(shrunk_size(rows, box_));
  const std::size_t channels = request_.grey ? 1 : 3;
  if (request_.pixels) bytes_.reserve(columns_ * channels * rows_);
  if (request_.pixels && box_ > 1) sums_.assign(columns_ * channels, 0);
  if (request_.digest && orientation_ != 1) full_.reserve(columns * rows * 3);
  if (request_.digest) {
    hash_.reset(XXH3_createState());
    XXH3_128bits_reset(hash_.get());
    const bool turned = swaps_sides(orientation_);
    const std::uint32_t size[] = {turned ? rows_in_ : columns_in_, turned ? columns_in_ : rows_in_};
    XXH3_128bits_update(hash_.get(), size, sizeof(size));
  }
  return ok();
}

void PictureBuilder::row(std::span<const std::uint8_t> pixels) {
  if (seen_ == rows_in_) return;
  ++seen_;
  if (pixels.empty()) {
    ++lost_;
    white_.assign(std::size_t{columns_in_} * 3, kWhite);
    pixels = std::span(white_).first(std::size_t{columns_in_} * shape_.channels);
  }
  assert(pixels.size() == std::size_t{columns_in_} * shape_.channels);
  if (request_.digest) digest_row(pixels);
  if (!request_.pixels) return;
  if (request_.grey && shape_.channels == 3) {
    converted_.resize(columns_in_);
    grey_from_rgb(pixels, converted_);
    add_to_sums(converted_);
  } else if (!request_.grey && shape_.channels == 1) {
    converted_.resize(std::size_t{columns_in_} * 3);
    rgb_from_grey(pixels, converted_);
    add_to_sums(converted_);
  } else {
    add_to_sums(pixels);
  }
}

void PictureBuilder::digest_row(std::span<const std::uint8_t> pixels) {
  if (shape_.channels == 1) {
    converted_.resize(std::size_t{columns_in_} * 3);
    rgb_from_grey(pixels, converted_);
    pixels = converted_;
  }
  if (orientation_ == 1) {
    XXH3_128bits_update(hash_.get(), pixels.data(), pixels.size());
  } else {
    full_.append(reinterpret_cast<const char*>(pixels.data()), pixels.size());
  }
}

void PictureBuilder::add_to_sums(std::span<const std::uint8_t> pixels) {
  if (box_ == 1) {
    bytes_.append(reinterpret_cast<const char*>(pixels.data()), pixels.size());
    return;
  }
  add_boxes(pixels, box_, request_.grey ? 1 : 3, sums_);
  ++summed_;
  if (summed_ == box_ || seen_ == rows_in_) emit_row();
}

// The last column and row may stand for fewer pixels than a whole block.
void PictureBuilder::emit_row() {
  const std::uint32_t channels = request_.grey ? 1 : 3;
  const std::uint32_t rest = columns_in_ - (columns_ - 1) * box_;
  for (std::uint32_t x = 0; x < columns_; ++x) {
    const std::uint32_t area = summed_ * (x + 1 == columns_ ? rest : box_);
    for (std::uint32_t c = 0; c < channels; ++c) {
      const std::uint32_t sum = sums_[x * channels + c];
      bytes_.push_back(static_cast<char>((sum + area / 2) / area));
    }
  }
  std::ranges::fill(sums_, 0);
  summed_ = 0;
}

Result<Picture> PictureBuilder::finish(std::string_view format) {
  while (seen_ < rows_in_) row({});
  const std::uint32_t whole = rows_in_ - lost_;
  if (std::uint64_t{whole} * 8 < std::uint64_t{rows_in_} * 7) {
    return Error{ErrorCode::kCorrupt,
                 fmt::format("damaged: only {} of {} rows can be read", whole, rows_in_)};
  }
  Picture picture;
  const bool turned = swaps_sides(orientation_);
  picture.width = turned ? original_height_ : original_width_;
  picture.height = turned ? original_width_ : original_height_;
  picture.channels = request_.grey ? 1 : 3;
  if (request_.digest && lost_ == 0) finish_digest(picture);
  if (request_.pixels) {
    picture.columns = turned ? rows_ : columns_;
    picture.rows = turned ? columns_ : rows_;
    picture.bytes = oriented(std::move(bytes_), {columns_, rows_, picture.channels}, orientation_);
  }
  picture.facts = {{"format", frozen_.empty() ? std::string(format) : frozen_},
                   {"width", std::to_string(picture.width)},
                   {"height", std::to_string(picture.height)}};
  if (lost_ > 0) facts_.emplace_back("truncated", fmt::format("{} of {} rows", lost_, rows_in_));
  picture.facts.insert(picture.facts.end(), facts_.begin(), facts_.end());
  return picture;
}

void PictureBuilder::finish_digest(Picture& picture) {
  if (orientation_ != 1) {
    const std::string upright =
        oriented(std::move(full_), {columns_in_, rows_in_, 3}, orientation_);
    XXH3_128bits_update(hash_.get(), upright.data(), upright.size());
  }
  const XXH128_hash_t hash = XXH3_128bits_digest(hash_.get());
  picture.digest = PixelDigest{hash.low64, hash.high64};
}

}  // namespace twinsift
