// SPDX-License-Identifier: Apache-2.0
#include "feature/chroma_print.h"

#include <algorithm>
#include <bit>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "eval/made_sound.h"

namespace twinsift {
namespace {

std::vector<std::uint32_t> codes_of(std::span<const float> sound) {
  ChromaPrinter printer;
  printer.add(sound);
  return printer.finish();
}

const Sound& music() {
  static const Sound sound = make_music(12, kChromaRate, 2);
  return sound;
}

// Fixed when all 8,825 codes of 20 songs were those of fpcalc 1.5.1.
TEST(Chromaprint, CodesAreWhatTheyWere) {
  const auto codes = codes_of(music());
  ASSERT_EQ(codes.size(), 75U);
  const std::vector<std::uint32_t> first(codes.begin(), codes.begin() + 6);
  EXPECT_EQ(first, (std::vector<std::uint32_t>{600094503, 558145831, 826581294, 809870622,
                                               810003782, 273058246}));
}

// A frame each 1,365 samples, of 4,096; 4 more are smoothed away, and a code takes 16.
TEST(Chromaprint, FirstCodeNeedsTwentyFrames) {
  constexpr std::size_t kEnough = 4096 + 19 * 1365;
  EXPECT_TRUE(codes_of(std::span(music()).first(kEnough - 1)).empty());
  EXPECT_EQ(codes_of(std::span(music()).first(kEnough)).size(), 1U);
  EXPECT_TRUE(codes_of({}).empty());
}

TEST(Chromaprint, LoudnessDoesNotMatter) {
  EXPECT_EQ(codes_of(louder(music(), 0.25)), codes_of(music()));
}

TEST(Chromaprint, SilenceIsOneCode) {
  const auto codes = codes_of(Sound(5 * kChromaRate));
  EXPECT_EQ(chroma_set(codes).size(), 1U);
  EXPECT_GT(codes.size(), 1U);
}

// An octave higher is the same note: all but the highest overtones fold to the same place.
TEST(Chromaprint, OctavesAreTheSameNote) {
  const auto low = codes_of(make_tone(220, 6, kChromaRate));
  const auto high = codes_of(make_tone(440, 6, kChromaRate));
  const auto other = codes_of(make_tone(330, 6, kChromaRate));
  EXPECT_LT(best_chroma_alignment(low, high, low.size()).bit_errors, 0.01);
  EXPECT_GT(best_chroma_alignment(low, other, low.size()).bit_errors, 0.05);
}

TEST(Chromaprint, NoiseChangesFewBitsAndOtherMusicMany) {
  const auto codes = codes_of(music());
  const auto noisy = codes_of(with_noise(music(), 10, 9));
  const auto other = codes_of(make_music(12, kChromaRate, 3));
  EXPECT_LT(best_chroma_alignment(codes, noisy, 60).bit_errors, 0.15);
  EXPECT_GT(best_chroma_alignment(codes, other, 60).bit_errors, 0.3);
}

TEST(Chromaprint, AlignmentFindsTheExcerpt) {
  const auto whole = codes_of(music());
  const auto part = codes_of(std::span(music()).subspan(20 * 1365));
  const ChromaAlignment found = best_chroma_alignment(whole, part, 40);
  EXPECT_EQ(found.offset, 20);
  EXPECT_EQ(found.bit_errors, 0);
  const ChromaAlignment back = best_chroma_alignment(part, whole, 40);
  EXPECT_EQ(back.offset, -20);
  EXPECT_EQ(best_chroma_alignment(whole, part, 400).bit_errors, 1);
}

RC_GTEST_PROP(Chromaprint, PiecesMakeNoDifference, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 9000);
  ChromaPrinter printer;
  std::span<const float> rest = std::span(music()).first(5 * kChromaRate);
  const auto whole = codes_of(rest);
  while (!rest.empty()) {
    const std::size_t taken = std::min(size, rest.size());
    printer.add(rest.first(taken));
    rest = rest.subspan(taken);
  }
  RC_ASSERT(printer.finish() == whole);
}

RC_GTEST_PROP(Chromaprint, SetHasEachCodeOnce, (std::vector<std::uint8_t> few)) {
  const std::vector<std::uint32_t> codes(few.begin(), few.end());
  const TokenSet set = chroma_set(codes);
  std::ranges::sort(few);
  few.erase(std::unique(few.begin(), few.end()), few.end());
  RC_ASSERT(set.size() == few.size());
  RC_ASSERT(std::ranges::is_sorted(set));
}

}  // namespace
}  // namespace twinsift
