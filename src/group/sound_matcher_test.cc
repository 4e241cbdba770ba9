// SPDX-License-Identifier: Apache-2.0
#include "group/sound_matcher.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/random.h"
#include "feature/test_sound.h"
#include "index/sound_plan.h"

namespace twinsift {
namespace {

using Words = std::vector<std::uint64_t>;

// Originals, then copies of some of them: 12 of 1, 13 of 4, 14 a piece of 4 and 7.
const std::vector<Words>& recordings() {
  static const std::vector<Words> words = [] {
    std::vector<Words> result;
    std::vector<Samples> originals;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      originals.push_back(made_up_music(100 + seed, 15));
      result.push_back(words_of(originals.back()));
    }
    result.push_back(words_of(Samples(60000, 0.0F)));
    result.push_back(words_of(white_noise(1, 10, 0.1)));
    result.push_back(words_of(with_noise(originals[1], 5, 10)));
    result.push_back(words_of(faster(originals[4], 1.03)));
    Samples both = cut(originals[4], 3, 6);
    const Samples more = cut(originals[7], 5, 6);
    both.insert(both.end(), more.begin(), more.end());
    result.push_back(words_of(both));
    return result;
  }();
  return words;
}

SoundTask task_of(const std::vector<Words>& words) {
  SoundTask task;
  task.items = static_cast<std::uint32_t>(words.size());
  task.packed = [&words](ItemId i) -> Result<std::span<const std::uint64_t>> {
    return std::span<const std::uint64_t>(words[i]);
  };
  return task;
}

TEST(SoundMatcher, FindsWhatComparingAllPairsFinds) {
  const auto& words = recordings();
  std::vector<SoundPair> expected;
  for (ItemId b = 0; b < words.size(); ++b) {
    for (ItemId a = 0; a < b; ++a) {
      if (words[a].empty() || words[b].empty()) continue;
      auto found = match_sound(*unpack_sound_print(words[a]), *unpack_sound_print(words[b]));
      if (found) expected.push_back({a, b, *found});
    }
  }
  std::vector<std::pair<ItemId, ItemId>> pairs;
  for (const SoundPair& pair : expected) pairs.emplace_back(pair.a, pair.b);
  const std::vector<std::pair<ItemId, ItemId>> known = {
      {1, 12}, {4, 13}, {4, 14}, {13, 14}, {7, 14}};
  EXPECT_TRUE(std::ranges::is_permutation(pairs, known));
  const auto found = find_sound_pairs(task_of(words));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pairs, expected);
  EXPECT_TRUE(found->capped.empty());
}

TEST(SoundMatcher, IsTheSameForAnyNumberOfThreads) {
  SoundTask task = task_of(recordings());
  const auto one = find_sound_pairs(task);
  task.threads = 4;
  const auto four = find_sound_pairs(task);
  ASSERT_TRUE(one && four);
  EXPECT_EQ(one->pairs, four->pairs);
  EXPECT_EQ(one->stats.candidates, four->stats.candidates);
}

TEST(SoundMatcher, LeavesOutPairsThatAreNotAllowed) {
  SoundTask task = task_of(recordings());
  task.allowed = [](ItemId a, ItemId b) { return !(a == 1 && b == 12); };
  const auto found = find_sound_pairs(task);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pairs.size(), 4U);
}

// So many moments from the middle of a recording, with each bit right with this probability.
Words damaged_excerpt(const Words& words, std::size_t moments, double agreement, Rng& rng) {
  SoundPrint print = *unpack_sound_print(words);
  const auto first =
      print.codes.begin() + static_cast<std::ptrdiff_t>(print.codes.size() - moments) / 2;
  print.codes.assign(first, first + static_cast<std::ptrdiff_t>(moments));
  print.samples = (moments + 2) * kSoundHop;
  for (SoundCode& code : print.codes) {
    for (unsigned bit = 0; bit < kSoundBits; ++bit) {
      if (rng.uniform() > agreement) code[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    }
  }
  return pack_sound_print(print);
}

// Of copies at the limits of the promise as many are found as the run promises, within four
// standard errors; and all of them are evident, so that the promise is for what is found.
TEST(SoundMatcher, FindsAsManyAsItPromises) {
  constexpr std::size_t kCount = 60;
  std::vector<Words> originals;
  for (std::uint64_t i = 0; i < kCount; ++i) originals.push_back(words_of(made_up_music(i, 12)));
  for (const double recall : {0.7, 0.9, 0.99}) {
    const SoundPlan plan = plan_sound(kCount * originals.front().size(), recall);
    const auto moments = static_cast<std::size_t>(std::ceil(plan.seconds) / kSoundRowSeconds);
    Rng rng(17);
    std::vector<Words> words = originals;
    std::size_t evident = 0;
    for (std::size_t i = 0; i < kCount; ++i) {
      words.push_back(damaged_excerpt(words[i], moments, plan.agreement, rng));
      evident += match_sound(*unpack_sound_print(words[i]), *unpack_sound_print(words.back()))
                     ? std::size_t{1}
                     : 0;
    }
    SoundTask task = task_of(words);
    task.recall = recall;
    const auto found = find_sound_pairs(task);
    ASSERT_TRUE(found);
    ASSERT_EQ(found->guarantee, plan.guarantee());
    double right = 0;
    for (const SoundPair& pair : found->pairs) right += pair.b == pair.a + kCount ? 1 : 0;
    EXPECT_GE(plan.found, recall);
    EXPECT_EQ(evident, kCount) << recall;
    const double least = recall - 4 * std::sqrt(recall * (1 - recall) / double{kCount});
    EXPECT_GE(right / double{kCount}, least) << recall;
  }
}

// Noise as loud as the music leaves no keys, but a track is long.
TEST(SoundMatcher, FindsTracksOfWhichNoiseLeavesNoKeys) {
  std::vector<Words> words;
  for (std::uint64_t i = 0; i < 6; ++i) words.push_back(words_of(made_up_music(i, 40)));
  Rng rng(3);
  const SoundPrint whole = *unpack_sound_print(words[2]);
  words.push_back(damaged_excerpt(words[2], whole.codes.size(), 0.62, rng));
  words.push_back(damaged_excerpt(words[4], 400, 0.62, rng));
  SoundTask task = task_of(words);
  const auto found = find_sound_pairs(task);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->pairs.size(), 2U);
  EXPECT_EQ(std::pair(found->pairs[0].a, found->pairs[0].b), std::pair(2U, 6U));
  EXPECT_EQ(std::pair(found->pairs[1].a, found->pairs[1].b), std::pair(4U, 7U));
  const Stretch& piece = found->pairs[1].timeline.stretches[0];
  EXPECT_NEAR(piece.begin_a - piece.begin_b, (static_cast<double>(whole.codes.size()) - 400) / 32,
              0.1);
  EXPECT_EQ(found->unscanned, 0U);
  task.threads = 3;
  const auto again = find_sound_pairs(task);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->pairs, found->pairs);
  std::uint64_t moments = 0;
  for (const Words& one : words) moments += unpack_sound_print(one)->codes.size();
  task.most_offsets = words.size() * moments;
  EXPECT_EQ(find_sound_pairs(task)->unscanned, 0U);
  task.most_offsets -= 1;
  const auto left_out = find_sound_pairs(task);
  ASSERT_TRUE(left_out);
  EXPECT_TRUE(left_out->pairs.empty());
  EXPECT_EQ(left_out->unscanned, words.size());
  EXPECT_EQ(left_out->guarantee,
            found->guarantee +
                ", but copies with noise as loud as the music were not looked for, because 8 "
                "recordings without a match are too many to be laid against all others");
}

// Who matches by its keys, or is not to be heard at all, needs no scan.
TEST(SoundMatcher, ToldAreThoseThatTheScanWouldHaveLookedAt) {
  SoundTask task = task_of(recordings());
  task.most_offsets = 0;
  const auto found = find_sound_pairs(task);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->pairs.size(), 5U);
  std::size_t heard = 0;
  for (const Words& one : recordings()) heard += one.empty() ? 0U : 1U;
  EXPECT_EQ(found->unscanned, heard - 6);  // 1, 4, 7, 12, 13, 14
}

TEST(SoundMatcher, DamagedWordsStopItWithAnError) {
  auto words = recordings();
  words[3].pop_back();
  const auto found = find_sound_pairs(task_of(words));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kCorrupt);
}

TEST(SoundMatcher, StopsWhenAsked) {
  std::stop_source stop;
  stop.request_stop();
  SoundTask task = task_of(recordings());
  task.stop = stop.get_token();
  const auto found = find_sound_pairs(task);
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::kCancelled);
}

TEST(SoundMatcher, NothingHasNoPairs) {
  const std::vector<Words> none;
  const auto found = find_sound_pairs(task_of(none));
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->pairs.empty());
}

}  // namespace
}  // namespace twinsift
