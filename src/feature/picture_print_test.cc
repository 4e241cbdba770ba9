// SPDX-License-Identifier: Apache-2.0
#include "feature/picture_print.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "feature/local_print.h"

namespace twinsift {
namespace {

PicturePrint some_print() {
  Rng rng(7);
  PicturePrint print{.width = 4000, .height = 3000, .plain = true, .pixels = {3, 4}};
  for (std::uint64_t& word : print.code) word = rng.next();
  for (std::uint8_t& pixel : print.thumbnail) pixel = static_cast<std::uint8_t>(rng.next());
  return print;
}

TEST(PicturePrint, ComesBackFromItsWords) {
  const PicturePrint print = some_print();
  const Packed packed = pack(print);
  EXPECT_EQ(packed.words.size(), 520U);
  EXPECT_EQ(*unpack_print(packed), print);
}

TEST(PicturePrint, OtherWordsAreRefused) {
  Packed packed = pack(some_print());
  EXPECT_FALSE(unpack_print(SetView(packed.words)));  // a set
  Packed other = packed;
  other.words.pop_back();
  EXPECT_FALSE(unpack_print(other));
  other = packed;
  other.words[5] = 2;  // flags of a later version
  EXPECT_FALSE(unpack_print(other));
  other = packed;
  other.words[4] = 4000;  // no height
  EXPECT_FALSE(unpack_print(other));
  EXPECT_FALSE(unpack_print(Packed{}));
}

LocalPrint some_local_print() {
  Rng rng(8);
  LocalPrint print;
  for (auto* list : {&print.words, &print.mirrored}) {
    list->width = 640;
    list->height = 480;
    for (std::uint32_t i = 0; i < 5; ++i) {
      list->words.push_back({.word = 100 * i + rng.below(100),
                             .x = static_cast<std::uint16_t>(rng.next()),
                             .y = static_cast<std::uint16_t>(rng.next()),
                             .scale = static_cast<std::uint16_t>(rng.next()),
                             .angle = static_cast<std::uint16_t>(rng.next()),
                             .signature = {rng.next(), rng.next()}});
    }
  }
  print.mirrored.words.pop_back();
  return print;
}

TEST(LocalPrint, ComesBackFromItsWords) {
  const LocalPrint print = some_local_print();
  const auto back = unpack_local_print(pack(print));
  ASSERT_TRUE(back);
  EXPECT_EQ(back->words.words, print.words.words);
  EXPECT_EQ(back->mirrored.words, print.mirrored.words);
  EXPECT_EQ(back->mirrored.width, 640U);
  EXPECT_EQ(back->words.height, 480U);
}

TEST(LocalPrint, OtherWordsAreRefused) {
  const Packed packed = pack(some_local_print());
  for (std::size_t length = 0; length < packed.words.size(); ++length) {
    Packed cut{{packed.words.begin(), packed.words.begin() + static_cast<std::ptrdiff_t>(length)}};
    EXPECT_FALSE(unpack_local_print(cut)) << length;
  }
  Packed other = packed;
  other.words[1] = UINT64_MAX;  // counts that do not fit
  EXPECT_FALSE(unpack_local_print(other));
  other = packed;
  std::swap(other.words[2], other.words[6]);  // not in order
  EXPECT_FALSE(unpack_local_print(other));
  other = packed;
  other.words[0] = 640;  // no height
  EXPECT_FALSE(unpack_local_print(other));
  other.words[0] = std::uint64_t{480} << 32U;  // no width
  EXPECT_FALSE(unpack_local_print(other));
  other = packed;
  other.words[3] |= std::uint64_t{1} << 32U;  // flags of a later version
  EXPECT_FALSE(unpack_local_print(other));
}

}  // namespace
}  // namespace twinsift
