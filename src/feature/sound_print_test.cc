// SPDX-License-Identifier: Apache-2.0
#include "feature/sound_print.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "feature/test_sound.h"

namespace twinsift {
namespace {

double agreeing_bits(const SoundPrint& a, const SoundPrint& b, int shift) {
  const SoundCode mask = shifted({~std::uint64_t{0}, ~std::uint64_t{0}}, shift);
  double sum = 0;
  double bits = 0;
  for (std::size_t i = 0; i < std::min(a.codes.size(), b.codes.size()); ++i) {
    const SoundCode moved = shifted(b.codes[i], shift);
    for (std::size_t half = 0; half < 2; ++half) {
      bits += std::popcount(mask[half]);
      sum += std::popcount(~(a.codes[i][half] ^ moved[half]) & mask[half]);
    }
  }
  return sum / bits;
}

RC_GTEST_PROP(SoundPrint, DoesNotDependOnThePieces, ()) {
  const Samples music = made_up_music(3, 7);
  const auto whole = words_of(music);
  SoundPrinter printer;
  std::span<const float> rest = music;
  while (!rest.empty()) {
    const auto size = std::min<std::size_t>(rest.size(), *rc::gen::inRange<std::size_t>(1, 20000));
    printer.add(rest.first(size));
    rest = rest.subspan(size);
  }
  RC_ASSERT(printer.finish() == whole);
}

TEST(SoundPrint, HasSixteenCodesForEachSecond) {
  for (const double seconds : {0.5, 1.0, 2.0, 4.03, 6.0}) {
    const SoundPrint print = print_of(white_noise(1, seconds, 0.1));
    EXPECT_EQ(print.codes.size(), static_cast<std::size_t>(seconds * 16) - 2) << seconds;
    EXPECT_DOUBLE_EQ(print.seconds(), static_cast<double>(static_cast<int>(seconds * 6000)) / 6000);
  }
}

TEST(SoundPrint, OfSilenceAndSteadyTonesIsEmpty) {
  EXPECT_TRUE(words_of({}).empty());
  EXPECT_TRUE(words_of(Samples(30000, 0.0F)).empty());
  // What sounds when a tone begins and ends is heard, what lasts between is not.
  const SoundPrint print = print_of(tone(440, 10, 0));
  for (std::size_t i = 8; i + 8 < print.codes.size(); ++i) EXPECT_FALSE(is_heard(print.codes[i]));
}

TEST(SoundPrint, DoesNotHearTheVolume) {
  const Samples music = made_up_music(4, 6);
  Samples quiet = music;
  for (float& sample : quiet) sample *= 0.125F;  // a power of two: exactly the same numbers
  EXPECT_EQ(words_of(music), words_of(quiet));
}

TEST(SoundPrint, ShiftsWithThePitch) {
  // Two thirds of a semitone are two bins; so short a time hardly knows the speed.
  const Samples music = made_up_music(5, 3);
  const SoundPrint print = print_of(music);
  const SoundPrint higher = print_of(faster(music, kSoundBinStep * kSoundBinStep));
  EXPECT_GT(agreeing_bits(print, higher, 2), agreeing_bits(print, higher, 0) + 0.1);
  EXPECT_GT(agreeing_bits(print, higher, 2), agreeing_bits(print, higher, 4) + 0.1);
}

TEST(SoundPrint, HalfOfTheBitsOfOtherSoundAgree) {
  const double music =
      agreeing_bits(print_of(made_up_music(6, 30)), print_of(made_up_music(7, 30)), 0);
  EXPECT_NEAR(music, 0.5, 0.05);
  const double noise =
      agreeing_bits(print_of(white_noise(6, 30, 0.1)), print_of(white_noise(7, 30, 0.1)), 0);
  EXPECT_NEAR(noise, 0.5, 0.02);
}

TEST(SoundPrint, OneBrokenSampleSpoilsOnlyItsSurroundings) {
  Samples music = made_up_music(8, 8);
  const SoundPrint whole = print_of(music);
  music[24000] = std::numeric_limits<float>::quiet_NaN();
  music[24001] = std::numeric_limits<float>::infinity();
  const SoundPrint broken = print_of(music);
  for (std::size_t i = 0; i < whole.codes.size(); ++i) {
    if (i >= 58 && i <= 68) continue;
    EXPECT_EQ(whole.codes[i], broken.codes[i]) << i;
  }
}

TEST(SoundPrint, DamagedWordsAreRefused) {
  const auto words = words_of(made_up_music(9, 3));
  ASSERT_TRUE(unpack_sound_print(words));
  EXPECT_EQ(pack_sound_print(*unpack_sound_print(words)), words);
  for (std::size_t size = 0; size < words.size(); ++size) {
    const auto cut_off = unpack_sound_print(std::span(words).first(size));
    ASSERT_FALSE(cut_off) << size;
    EXPECT_EQ(cut_off.error().code, ErrorCode::kCorrupt);
  }
  for (unsigned bit = 0; bit < 64; ++bit) {
    auto damaged = words;
    damaged[0] ^= std::uint64_t{1} << bit;
    EXPECT_FALSE(unpack_sound_print(damaged)) << bit;
  }
  auto too_long = words;
  too_long[1] = ~std::uint64_t{0};
  EXPECT_FALSE(unpack_sound_print(too_long));
}

TEST(SoundCode, SpreadBitsAreEveryEighth) {
  Rng rng(1);
  for (int round = 0; round < 1000; ++round) {
    const SoundCode code = {rng.next(), rng.next()};
    const unsigned first = rng.below(16);
    const std::uint32_t bits = spread_bits(code, first);
    for (unsigned i = 0; i < 15; ++i) {
      const unsigned at = first + 8 * i;
      if (at >= 128) continue;
      EXPECT_EQ(bits >> i & 1U, code[at / 64] >> (at % 64) & 1U);
    }
  }
}

}  // namespace
}  // namespace twinsift
