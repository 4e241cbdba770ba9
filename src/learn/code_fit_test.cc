// SPDX-License-Identifier: Apache-2.0
#include "learn/code_fit.h"

#include <vector>

#include <gtest/gtest.h>

#include "base/bit_code.h"
#include "learn/picture_copies.h"

namespace twinsift {
namespace {

// Rectangles over each other, as unlike as their seeds.
GreyImage drawn(std::uint64_t seed) {
  Rng rng(seed);
  GreyImage image{std::vector<std::uint8_t>(std::size_t{200} * 150, 90), 200, 150};
  for (int i = 0; i < 60; ++i) {
    const std::uint32_t left = rng.below(180);
    const std::uint32_t top = rng.below(130);
    const std::uint32_t right = std::min(200U, left + 5 + rng.below(50));
    const std::uint32_t bottom = std::min(150U, top + 5 + rng.below(50));
    const auto grey = static_cast<std::uint8_t>(rng.below(256));
    for (std::uint32_t y = top; y < bottom; ++y) {
      for (std::uint32_t x = left; x < right; ++x) image.pixels[y * 200 + x] = grey;
    }
  }
  return image;
}

TEST(PictureCopies, AreTheSameForASeedAndStayCopies) {
  const GreyImage picture = drawn(1);
  Rng one(3);
  Rng same(3);
  for (int i = 0; i < 20; ++i) {
    const GreyImage photo = random_photo(picture.view(), one);
    EXPECT_EQ(photo.pixels, random_photo(picture.view(), same).pixels);
    EXPECT_EQ(photo.pixels.size(), std::size_t{photo.width} * photo.height);
    EXPECT_LE(std::max(photo.width, photo.height), 160U);
    const GreyImage copy = random_copy(photo.view(), one);
    EXPECT_EQ(copy.pixels, random_copy(photo.view(), same).pixels);
    EXPECT_EQ(copy.pixels.size(), std::size_t{copy.width} * copy.height);
  }
}

TEST(CodeFit, SeparatesCopiesFromOthersAndIsTheSameForASeed) {
  std::vector<GreyImage> pictures;
  for (std::uint64_t seed = 0; seed < 8; ++seed) pictures.push_back(drawn(seed));
  const CodeFit fit = fit_codes(pictures, {.photos = 60, .copies = 2});
  EXPECT_GE(fit.photos, 30U);
  const std::string bytes = CodeModel::write(fit.planes);
  EXPECT_EQ(CodeModel::write(fit_codes(pictures, {.photos = 60, .copies = 2}).planes), bytes);
  const auto model = CodeModel::parse(std::as_bytes(std::span(bytes)));
  ASSERT_TRUE(model);
  Rng rng(9);
  std::uint32_t copies = 0;
  std::uint32_t others = 0;
  for (std::uint64_t seed = 100; seed < 110; ++seed) {
    const GreyImage photo = drawn(seed);
    const ImageCode code = model->code_of(thumbnail_of(photo.view()));
    copies +=
        hamming_distance(code, model->code_of(thumbnail_of(random_copy(photo.view(), rng).view())));
    others += hamming_distance(code, model->code_of(thumbnail_of(drawn(seed + 50).view())));
  }
  EXPECT_LT(2 * copies, others);
  EXPECT_GT(others, 10U * 90);
}

TEST(CodeFit, BlankPicturesTeachNothing) {
  const GreyImage blank{std::vector<std::uint8_t>(std::size_t{64} * 64, 7), 64, 64};
  EXPECT_EQ(fit_codes({&blank, 1}, {.photos = 3}).photos, 0U);
}

}  // namespace
}  // namespace twinsift
