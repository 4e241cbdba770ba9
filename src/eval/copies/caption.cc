// SPDX-License-Identifier: Apache-2.0
#include "eval/copies/caption.h"

#include <algorithm>
#include <cstddef>

#include "eval/copies/font.h"

namespace twinsift {
namespace {

struct Box {
  std::int64_t left = 0, top = 0, right = 0, bottom = 0;  // right and bottom are outside
};

void fill(RgbImage& image, const Box& box, std::uint8_t value) {
  const std::int64_t left = std::max<std::int64_t>(box.left, 0);
  const std::int64_t right = std::min<std::int64_t>(box.right, image.width);
  if (left >= right) return;
  const std::int64_t bottom = std::min<std::int64_t>(box.bottom, image.height);
  for (std::int64_t y = std::max<std::int64_t>(box.top, 0); y < bottom; ++y) {
    std::fill_n(image.at(static_cast<std::uint32_t>(left), static_cast<std::uint32_t>(y)),
                3 * (right - left), value);
  }
}

// Fills each inked cell of `cell` pixels, grown by `rim` on all sides.
void write(RgbImage& image, std::string_view text, const Box& line, std::int64_t cell,
           std::int64_t rim, std::uint8_t value) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rows = glyph_of(text[i]);
    const std::int64_t start =
        line.left + static_cast<std::int64_t>(i * (kGlyphColumns + 1)) * cell;
    for (unsigned row = 0; row < kGlyphRows; ++row) {
      for (unsigned column = 0; column < kGlyphColumns; ++column) {
        if (!is_inked(rows, column, row)) continue;
        const std::int64_t x = start + column * cell;
        const std::int64_t y = line.top + row * cell;
        fill(image, {x - rim, y - rim, x + cell + rim, y + cell + rim}, value);
      }
    }
  }
}

}  // namespace

void write_caption(RgbImage& image, std::string_view text, CaptionPlace place) {
  const auto cells = static_cast<std::int64_t>(text.size() * (kGlyphColumns + 1));
  if (cells == 0) return;
  const std::int64_t width = image.width;
  const std::int64_t height = image.height;
  const std::int64_t cell =
      std::max<std::int64_t>(1, std::min(width * 9 / 10 / cells, height / 8 / kGlyphRows));
  const std::int64_t rim = (cell + 2) / 3;
  const std::int64_t letters = kGlyphRows * cell;
  Box line;
  line.left = (width - cells * cell) / 2;
  line.top = place == CaptionPlace::kTop ? letters / 4 : height - letters - letters / 4;
  write(image, text, line, cell, rim, 0);
  write(image, text, line, cell, 0, 255);
}

}  // namespace twinsift
