// SPDX-License-Identifier: Apache-2.0
#include "feature/fooid.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "eval/made_sound.h"
#include "verify/similarity.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kRate = 11025;  // low, so that the tests are quick

Result<FooidPrint> print_of(std::span<const float> sound, std::uint32_t rate = kRate) {
  auto printer = FooidPrinter::make(rate);
  printer->add(sound);
  return printer->finish(static_cast<double>(sound.size()) / rate);
}

std::string hex(std::span<const std::uint8_t> bytes) {
  std::string digits;
  for (const std::uint8_t byte : bytes) digits += fmt::format("{:02x}", byte);
  return digits;
}

const std::vector<float>& music() {
  static const std::vector<float> sound = make_music(14, kRate, 1);
  return sound;
}

std::vector<float> silence(double seconds) {
  return std::vector<float>(static_cast<std::size_t>(seconds * kRate));
}

// Fixed when 99.1 % of the levels of 20 fingerprints by libFooID were reproduced.
TEST(Fooid, BytesAreWhatTheyWere) {
  const FooidPrint print = *print_of(music());
  EXPECT_EQ(hex(std::span(print).first(66)),
            "000078050000d90afb010ff9f4c90cfbe4a00b7006100fd07d0cd9ccbd81335f7f"
            "59eefab8f46fffdff027f9fffe143920801c92f4049e1333c9333ca1f5f0b7fc7f");
  EXPECT_EQ(hex(std::span(print).subspan(66, 292)), std::string(2 * 292, 'f'));
  EXPECT_EQ(hex(std::span(print).subspan(358, 12)), "30c30cae3ce3e9c71c73b000");
  EXPECT_TRUE(std::ranges::all_of(std::span(print).subspan(370), [](auto b) { return b == 0; }));
}

TEST(Fooid, LengthIsInTheHead) {
  auto printer = FooidPrinter::make(kRate);
  printer->add(music());
  const FooidPrint print = *printer->finish(3723.45);
  EXPECT_EQ(hex(std::span(print).first(6)), "000079ae0500");  // 372,345 hundredths
  EXPECT_TRUE(fooid_lengths_agree(print, print));
  EXPECT_FALSE(fooid_lengths_agree(print, *print_of(music())));
}

TEST(Fooid, LengthsMayDifferByATenthOfTheShorter) {
  FooidPrint a{};
  FooidPrint b{};
  a[3] = 4;  // 1,024
  b[2] = 102;
  b[3] = 4;  // 1,126
  EXPECT_TRUE(fooid_lengths_agree(a, b));
  ++b[2];
  EXPECT_FALSE(fooid_lengths_agree(a, b));
  EXPECT_FALSE(fooid_lengths_agree(b, a));
}

TEST(Fooid, LoudnessDoesNotMatter) {
  std::vector<float> quiet = music();
  for (float& x : quiet) x *= 0.125F;  // exact, and above the silence at once
  const FooidPrint a = *print_of(music());
  const FooidPrint b = *print_of(quiet);
  EXPECT_EQ(fooid_equal_codes(a, b), std::pair(1392U, 87U));
  EXPECT_EQ(fooid_confidence(a, b), 1);
}

TEST(Fooid, SilenceInFrontIsDropped) {
  std::vector<float> late = silence(2.5);
  late.insert(late.end(), music().begin(), music().end());
  const FooidPrint a = *print_of(music());
  const FooidPrint b = *print_of(late);
  EXPECT_TRUE(std::equal(a.begin() + 6, a.end(), b.begin() + 6));
}

TEST(Fooid, TooShortAndTooQuietAreErrors) {
  const std::vector<float> sound = make_noise(9.99, kRate, 1);
  EXPECT_EQ(print_of(sound).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(print_of(silence(30)).error().message, "too quiet: there is nothing to hear");
  EXPECT_EQ(print_of({}).error().code, ErrorCode::kUnsupported);
  EXPECT_TRUE(print_of(make_noise(10, kRate, 1)));
  // What the file says of its length counts as well.
  auto printer = FooidPrinter::make(kRate);
  printer->add(music());
  EXPECT_FALSE(printer->finish(9.99));
  EXPECT_EQ(FooidPrinter::make(0).error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(FooidPrinter::make(1000000).error().code, ErrorCode::kInvalidArgument);
}

// A frame that is silent in the middle has the levels of silence and the step of frequency 0.
TEST(Fooid, SilentFramesHaveCodesOfTheirOwn) {
  std::vector<float> gap = music();
  std::fill(gap.begin() + 3 * kRate, gap.begin() + 9 * kRate, 0.0F);
  const FooidPrint print = *print_of(gap);
  EXPECT_EQ(hex(std::span(print).subspan(10 + 4 * 4, 4)), "ffffffff");
  EXPECT_NE(hex(std::span(print).subspan(10, 4)), "ffffffff");
}

TEST(Fooid, ToneIsTheDominantFrequency) {
  const FooidPrint print = *print_of(make_tone(300, 12, kRate));
  // 291.02 <= 300 < 310.61: the 53rd border is the first above it.
  EXPECT_EQ(print[358] >> 2U, 53);
}

TEST(Fooid, OnlyTheFirst89SecondsCount) {
  const std::uint32_t rate = 8000;
  std::vector<float> sound = make_noise(95, rate, 5);
  const FooidPrint a = *print_of(sound, rate);
  std::fill(sound.begin() + 90 * rate, sound.end(), 0.25F);
  EXPECT_EQ(a, *print_of(sound, rate));
  auto printer = FooidPrinter::make(rate);
  printer->add(std::span(sound).first(80 * rate));
  EXPECT_FALSE(printer->full());
  printer->add(std::span(sound).subspan(80 * rate));
  EXPECT_TRUE(printer->full());
  EXPECT_EQ(a, *printer->finish(95));
}

// Two codes that differ by XOR 3 cost 9 though their levels may be neighbours.
TEST(Fooid, ConfidenceIsThePublishedFormula) {
  FooidPrint a{};
  FooidPrint b{};
  EXPECT_EQ(fooid_confidence(a, b), 1);
  a[10] = 0b01'10'00'11;
  b[10] = 0b10'10'01'01;  // 3, 0, 1, 2: costs 9 + 0 + 1 + 4
  b[423] = 0b111;         // three bits of steps
  EXPECT_DOUBLE_EQ(fooid_confidence(a, b), 1 - 2 * 17 / 25584.0);
  EXPECT_EQ(fooid_equal_codes(a, b), std::pair(1389U, 87U));  // the last byte is padding in part
  b[9] = 77;                                                  // the head does not count
  EXPECT_DOUBLE_EQ(fooid_confidence(a, b), fooid_confidence(b, a));
}

// POND: t = .8, .9, .95 need 377, 402 and 414 equal bytes.
TEST(Fooid, SimilarityOfSetsFollowsFromEqualBytes) {
  for (const auto& [equal, least] : {std::pair(377, 0.8), {402, 0.9}, {414, 0.95}}) {
    FooidPrint a{};
    FooidPrint b{};
    std::fill(b.begin() + equal, b.end(), std::uint8_t{1});
    const double above = jaccard(fooid_set(a), fooid_set(b));
    EXPECT_DOUBLE_EQ(above, equal / (848.0 - equal));
    EXPECT_GE(above, least);
    b[static_cast<std::size_t>(equal) - 1] = 1;
    EXPECT_LT(jaccard(fooid_set(a), fooid_set(b)), least);
  }
}

RC_GTEST_PROP(Fooid, SetsHaveOneIdForEachByte, ()) {
  FooidPrint print{};
  for (std::uint8_t& byte : print) byte = *rc::gen::arbitrary<std::uint8_t>();
  const TokenSet set = fooid_set(print);
  RC_ASSERT(set.size() == print.size());
  RC_ASSERT(std::ranges::is_sorted(set));
}

TEST(Fooid, PiecesMakeNoDifference) {
  const FooidPrint whole = *print_of(music());
  for (const std::size_t size : {7U, 1000U, 8192U, 100000U}) {
    auto printer = FooidPrinter::make(kRate);
    std::span<const float> rest = music();
    while (!rest.empty()) {
      const std::size_t taken = std::min(size, rest.size());
      printer->add(rest.first(taken));
      rest = rest.subspan(taken);
    }
    EXPECT_EQ(*printer->finish(14), whole) << size;
  }
}

}  // namespace
}  // namespace twinsift
