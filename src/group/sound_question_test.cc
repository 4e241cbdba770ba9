// SPDX-License-Identifier: Apache-2.0
#include "group/sound_question.h"

#include <vector>

#include <gtest/gtest.h>

#include "feature/test_sound.h"
#include "index/sound_index.h"

namespace twinsift {
namespace {

// The other way round to ask an index, but the same moments meet.
TEST(SoundProbe, GivesTheSeedsOfAnIndex) {
  const SoundKeys keys = {.bits = 18, .tables = 3, .longest = 1U << 20U};
  const SoundPrint item = print_of(made_up_music(1, 30));
  for (const double speed : {1.0, 1.03, 0.94}) {
    const SoundPrint asked = print_of(faster(cut(made_up_music(1, 30), 5, 12), speed));
    SoundIndex index(keys);
    index.add(item.codes);
    index.seal();
    const auto answer = index.ask({.codes = asked.codes, .before = 1, .votes = 2, .most = 4});
    std::vector<SoundSeed> expected;
    for (const SoundCandidate& candidate : answer.candidates) expected.push_back(candidate.seed);
    const SoundProbe probe(asked.codes, keys);
    EXPECT_EQ(probe.seeds_in(item.codes, 2, 4), expected) << speed;
    EXPECT_FALSE(expected.empty());
  }
}

TEST(SoundProbe, FindsNothingInSilence) {
  const SoundProbe probe(print_of(made_up_music(1, 10)).codes, {});
  EXPECT_TRUE(probe.seeds_in({}, 1, 4).empty());
  EXPECT_TRUE(probe.seeds_in(std::vector<SoundCode>(500), 1, 4).empty());
}

// What match_sound tells of each recording, if that is anything.
TEST(SoundQuestion, TellsWhatComparingTells) {
  const Samples music = made_up_music(3, 20);
  std::vector<SoundPrint> items;
  for (std::uint32_t seed = 0; seed < 5; ++seed) items.push_back(print_of(made_up_music(seed, 20)));
  for (const Samples& asked : {music, with_noise(music, 7, 5), faster(music, 1.06),
                               faster(music, 0.95), cut(music, 11, 5), cut(music, 2, 3)}) {
    const SoundPrint print = print_of(asked);
    const SoundQuestion question(print, 0.99);
    for (std::size_t i = 0; i < items.size(); ++i) {
      const auto told = question.match(items[i]);
      EXPECT_EQ(told, match_sound(items[i], print)) << i;
      EXPECT_EQ(told.has_value(), i == 3) << i;
    }
  }
}

TEST(SoundQuestion, PromisesWhatItIsAskedFor) {
  const SoundPrint print = print_of(made_up_music(3, 30));
  for (const double recall : {0.8, 0.95, 0.99}) {
    EXPECT_GE(SoundQuestion(print, recall).plan().found, recall);
  }
}

}  // namespace
}  // namespace twinsift
