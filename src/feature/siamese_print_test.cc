// SPDX-License-Identifier: Apache-2.0
#include "feature/siamese_print.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"
#include "feature/thumbnail.h"

namespace twinsift {
namespace {

HashModel random_model(const HashNetShape& shape) {
  Rng rng(1);
  HashWeights weights;
  for (const auto& part : weights.parts(shape)) {
    for (std::size_t i = 0; i < part.size; ++i) {
      part.numbers->push_back(static_cast<float>(rng.uniform() - .5));
    }
  }
  const std::string bytes = HashModel::write(shape, weights);
  auto model = HashModel::parse(std::as_bytes(std::span(bytes)));
  EXPECT_TRUE(model);
  return *std::move(model);
}

constexpr HashNetShape kShape{.side = 64,
                              .colours = 1,
                              .stem_stride = 2,
                              .stem = 4,
                              .widths = {4, 4, 6},
                              .cells = 2,
                              .features = 5,
                              .bits = 90};

Thumbnail random_thumbnail(std::uint64_t seed) {
  Rng rng(seed);
  Thumbnail thumbnail{};
  for (auto& value : thumbnail) value = static_cast<std::uint8_t>(rng.below(256));
  return thumbnail;
}

TEST(SiamesePrint, CodesAreThoseOfTheTurnedPicture) {
  const HashModel model = random_model(kShape);
  const Thumbnail thumbnail = random_thumbnail(2);
  const auto print = siamese_print_of({thumbnail, 64, 64, 1}, model);
  for (int o = 0; o < kOrientations; ++o) {
    const Thumbnail other = oriented(thumbnail, o);
    const auto code = model.describe(other).code;
    EXPECT_TRUE(
        std::ranges::equal(code, std::span(print.codes[static_cast<std::size_t>(o)]).first(2)))
        << o;
  }
  EXPECT_EQ(print.features, model.describe(thumbnail).features);
}

TEST(SiamesePrint, SurvivesPacking) {
  const HashModel model = random_model(kShape);
  SiamesePrint print = siamese_print_of({random_thumbnail(3), 64, 64, 1}, model);
  print.width = 4000;
  print.height = 3000;
  print.features.pop_back();  // even
  const auto again = unpack_siamese_print(SetView{pack(print)});
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, print);
}

TEST(SiamesePrint, RefusesOtherWords) {
  Packed packed = pack(SiamesePrint{.width = 1, .height = 1, .features = {1, 2}});
  ASSERT_TRUE(unpack_siamese_print(SetView{packed}));
  Packed no_width = packed;
  no_width.words[32] = 0;
  EXPECT_FALSE(unpack_siamese_print(SetView{no_width}));
  Packed short_one = packed;
  short_one.words.resize(35);
  EXPECT_FALSE(unpack_siamese_print(SetView{short_one}));
}

}  // namespace
}  // namespace twinsift
