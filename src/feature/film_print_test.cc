// SPDX-License-Identifier: Apache-2.0
#include "feature/film_print.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

FilmPrint some_print(std::uint32_t frames) {
  Rng rng(9);
  FilmPrint print;
  print.seconds = 0.125 * frames;
  for (std::uint32_t i = 0; i < frames; ++i) {
    ImageCode code{};
    for (std::uint64_t& word : code) word = rng.next();
    print.frames.add(code, 125 * i, 125 * i + rng.below(125));
    const auto add = [&](FilmCodes& codes) {
      for (std::uint64_t& word : code) word = rng.next();
      codes.add(code, 125 * i, print.frames.end.back());
    };
    if (i % 2 == 0) add(print.mirrored);
    if (i >= 3) continue;
    for (FilmCodes& part : print.cropped) add(part);
    ++print.stills.count;
    for (int byte = 0; byte < 11; ++byte) {
      print.stills.bytes.push_back(static_cast<std::uint8_t>(rng.below(256)));
    }
  }
  return print;
}

TEST(FilmPrint, PackingLosesNothing) {
  for (const std::uint32_t frames : {1U, 2U, 17U}) {
    const FilmPrint print = some_print(frames);
    const auto unpacked = unpack_film_print(pack(print));
    ASSERT_TRUE(unpacked);
    EXPECT_EQ(*unpacked, print);
  }
}

TEST(FilmPrint, RefusesEveryOtherLength) {
  auto words = pack(some_print(7));
  for (std::size_t size = 0; size < words.size(); ++size) {
    const auto unpacked = unpack_film_print(std::span(words).first(size));
    ASSERT_FALSE(unpacked) << size;
    EXPECT_EQ(unpacked.error().code, ErrorCode::kCorrupt);
  }
  words.push_back(0);
  EXPECT_FALSE(unpack_film_print(words));
}

TEST(FilmPrint, RefusesTimesThatCannotBe) {
  const auto words = pack(some_print(3));
  const auto refused = [&](std::size_t at, std::uint64_t word) {
    auto damaged = words;
    damaged[at] = word;
    return !unpack_film_print(damaged);
  };
  EXPECT_TRUE(refused(0, words[0] ^ std::uint64_t{1} << 40U));  // another kind
  EXPECT_TRUE(refused(0, words[0] | 0xFFFFFFFFU));              // far too many
  EXPECT_TRUE(refused(1, 100));                                 // frames after the end
  EXPECT_TRUE(refused(1, std::uint64_t{1} << 33U));
  EXPECT_TRUE(refused(2, words[2] | std::uint64_t{1} << 50U));
  EXPECT_TRUE(refused(2, std::uint64_t{kLongestRun + 1} << 32U | std::uint64_t{1} << 48U));
  EXPECT_TRUE(refused(35, 0));                  // the second entry before the end of the first
  const std::size_t stills = words.size() - 6;  // 33 bytes in five words
  EXPECT_TRUE(refused(stills, words[stills] + (std::uint64_t{1} << 32U)));  // more than frames
  EXPECT_TRUE(refused(stills, words[stills] + 8));
  EXPECT_TRUE(refused(words.size() - 1, words.back() | std::uint64_t{1} << 8U));  // behind them
}

TEST(FilmPrint, SurvivesEveryFlippedBit) {
  const auto words = pack(some_print(5));
  for (std::size_t bit = 0; bit < 64 * words.size(); ++bit) {
    auto damaged = words;
    damaged[bit / 64] ^= std::uint64_t{1} << bit % 64;
    const auto unpacked = unpack_film_print(damaged);
    if (!unpacked) continue;
    // What is left is another print, as good as any.
    EXPECT_EQ(pack(*unpacked), damaged) << bit;
  }
}

}  // namespace
}  // namespace twinsift
