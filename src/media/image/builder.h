// SPDX-License-Identifier: Apache-2.0
// Makes a Picture out of the rows of a decoder: shrinks, turns grey, hashes, orients, and judges
// how much may be missing.
//
// A decoder calls, in this order: orient() and fact() as it likes, begin() once, row() for each row
// from the top, finish().  It never holds more than a row itself if its library allows that.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <xxhash.h>

#include "media/picture.h"
#include "twinsift/result.h"

namespace twinsift {

// What a header says.
struct PictureShape {
  std::uint64_t width = 0;  // as stored: before orientation
  std::uint64_t height = 0;
  std::uint32_t channels = 3;  // of the rows that will come: 1 for grey or 3 for R, G, B
  std::uint32_t shrunk = 1;    // the library shrinks by this power of two; so do the rows
};

// Divides by 2^k, rounding up: the size of a picture whose blocks of 2^k x 2^k become pixels.
constexpr std::uint64_t shrunk_size(std::uint64_t size, std::uint32_t factor) {
  return (size + factor - 1) / factor;
}

class PictureBuilder {
 public:
  PictureBuilder(const PictureRequest& request, std::uint64_t pixel_limit)
      : request_(request), pixel_limit_(pixel_limit) {}

  [[nodiscard]] const PictureRequest& request() const { return request_; }
  [[nodiscard]] std::uint64_t pixel_limit() const { return pixel_limit_; }
  // True if nobody will see colours.
  [[nodiscard]] bool grey_suffices() const { return request_.grey && !request_.digest; }
  // By how much a picture of this size may be shrunk; 1 if a digest is wanted, for that needs
  // every pixel.
  [[nodiscard]] std::uint32_t shrink_for(std::uint64_t width, std::uint64_t height) const;

  // EXIF's numbers: 1 as it is, 3 upside down, 6 and 8 quarter turns, 2, 4, 5, 7 mirrored.
  void orient(unsigned orientation);
  void fact(std::string_view name, std::string value);
  // The size that is reported, if the rows are those of a preview.
  void original_size(std::uint64_t width, std::uint64_t height);

  // What follows is a preview of the original and makes the pixels only: orientation, facts, size
  // and `format` stay as they are, and there is no digest.
  void freeze(std::string_view format);

  // Refuses empty and too large pictures, before anything is allocated for them.
  [[nodiscard]] Status check(const PictureShape& shape) const;
  Status begin(const PictureShape& shape);
  // `pixels`: one row of the announced width and channels; empty: the row is lost.  Rows beyond
  // the last are ignored.
  void row(std::span<const std::uint8_t> pixels);
  // The end of the data.  Rows that have not come are white; a picture of which less than seven
  // eighths of the rows have come is damaged.
  Result<Picture> finish(std::string_view format);

 private:
  void digest_row(std::span<const std::uint8_t> pixels);
  void add_to_sums(std::span<const std::uint8_t> pixels);
  void emit_row();
  void finish_digest(Picture& picture);

  PictureRequest request_;
  std::uint64_t pixel_limit_;
  unsigned orientation_ = 1;
  std::uint32_t original_width_ = 0;
  std::uint32_t original_height_ = 0;
  std::vector<Fact> facts_;
  std::string frozen_;  // the format, if the rest cannot change any more

  PictureShape shape_;
  std::uint32_t columns_in_ = 0, rows_in_ = 0;  // of the rows that come
  std::uint32_t columns_ = 0, rows_ = 0;        // of the pixels that leave
  std::uint32_t box_ = 1;                       // still to be shrunk by
  std::uint32_t seen_ = 0, lost_ = 0;
  std::uint32_t summed_ = 0;  // rows in sums_
  std::vector<std::uint32_t> sums_;
  std::vector<std::uint8_t> white_, converted_;  // a row each
  std::string bytes_;
  std::string full_;  // all pixels as RGB, if a digest is wanted and they must be turned first
  struct FreeHash {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, FreeHash> hash_;  // if a digest is wanted
};

}  // namespace twinsift
