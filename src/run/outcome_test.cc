// SPDX-License-Identifier: Apache-2.0
#include "run/outcome.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"
#include "report/test_evidence.h"

namespace twinsift {
namespace {

Outcome example() {
  Outcome outcome{.guarantee = "P(found at 0.80) >= 0.99",
                  .specs = {"fss1:k=256", "banding1"},
                  .notes = {"a note"},
                  .skipped = {{"d/x.pdf", "damaged PDF", "no page"}},
                  .failed = {2},
                  .links = {},
                  .folders = {},
                  .groups = {},
                  .files = {{4, 0}, {1, 2, 3}}};
  FolderPair folders;
  folders.a = "d";
  folders.b = "e";
  folders.relation = Relation::kContains;
  folders.jaccard = 0.25;
  folders.both = 3;
  folders.only_b_bytes = 17;
  outcome.folders = {folders};
  for (const auto& files : outcome.files) {
    Group& group = outcome.groups.emplace_back();
    group.id = outcome.groups.size();
    group.medium = "text";
    group.score = 0.875;
    for (std::uint32_t i = 0; i < files.size(); ++i) {
      group.members.emplace_back().facts = {{"words", std::to_string(i)}, {"charset", "utf-8"}};
      if (i == 0) continue;
      MemberPair& pair = group.pairs.emplace_back();
      pair.b = i;
      pair.score = 0.9;
      pair.identical = i == 2;
      pair.evidence.jaccard = 0.9;
      pair.evidence.shared = 90;
      pair.evidence.total_a = 95;
    }
  }
  outcome.groups[1].pairs[0].evidence = picture_evidence();
  outcome.groups[0].pairs[0].evidence = recording_evidence();
  outcome.groups[0].pairs[0].relation = Relation::kContains;
  outcome.links = {{.a = "d/1.mkv",
                    .b = "d/2.mkv",
                    .medium = "video",
                    .score = 0.625,
                    .relation = Relation::kLinked,
                    .sound = {},
                    .film = recording_evidence().film}};
  return outcome;
}

TEST(Outcome, ComesBackAsItWas) {
  const Outcome outcome = example();
  const std::string bytes = encode(outcome);
  const auto decoded = decode_outcome(bytes, 5);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(encode(*decoded), bytes);
  EXPECT_EQ(decoded->guarantee, outcome.guarantee);
  EXPECT_EQ(decoded->specs, outcome.specs);
  EXPECT_EQ(decoded->notes, outcome.notes);
  EXPECT_EQ(decoded->files, outcome.files);
  EXPECT_EQ(decoded->failed, outcome.failed);
  EXPECT_EQ(decoded->skipped[0].detail, "no page");
  EXPECT_EQ(decoded->folders[0].b, "e");
  EXPECT_EQ(decoded->folders[0].relation, Relation::kContains);
  EXPECT_EQ(decoded->folders[0].only_b_bytes, 17U);
  ASSERT_EQ(decoded->groups.size(), 2U);
  EXPECT_EQ(decoded->groups[1].id, 2U);
  EXPECT_EQ(decoded->groups[1].score, 0.875);
  EXPECT_EQ(decoded->groups[1].members[2].facts, outcome.groups[1].members[2].facts);
  EXPECT_TRUE(decoded->groups[1].pairs[1].identical);
  EXPECT_FALSE(decoded->groups[1].pairs[0].identical);
  EXPECT_EQ(decoded->groups[1].pairs[1].evidence.shared, 90U);
  EXPECT_FALSE(decoded->groups[1].pairs[1].evidence.bits);
  EXPECT_FALSE(decoded->groups[1].pairs[1].evidence.placement);
  const Evidence& picture = decoded->groups[1].pairs[0].evidence;
  EXPECT_EQ(picture.bits, 7U);
  EXPECT_EQ(picture.correlation, -0.25);
  EXPECT_TRUE(picture.same_pixels);
  EXPECT_EQ(picture.placement, outcome.groups[1].pairs[0].evidence.placement);
}

TEST(Outcome, TimelinesAndLinksComeBackAsTheyWere) {
  const Outcome outcome = example();
  const auto decoded = decode_outcome(encode(outcome), 5);
  ASSERT_TRUE(decoded);
  const MemberPair& pair = decoded->groups[0].pairs[0];
  EXPECT_EQ(pair.relation, Relation::kContains);
  EXPECT_EQ(pair.evidence.sound, recording_evidence().sound);
  EXPECT_EQ(pair.evidence.film, recording_evidence().film);
  EXPECT_FALSE(decoded->groups[1].pairs[1].evidence.sound);
  ASSERT_EQ(decoded->links.size(), 1U);
  const RecordingLink& link = decoded->links[0];
  EXPECT_EQ(link.a, "d/1.mkv");
  EXPECT_EQ(link.b, "d/2.mkv");
  EXPECT_EQ(link.medium, "video");
  EXPECT_EQ(link.score, 0.625);
  EXPECT_EQ(link.relation, Relation::kLinked);
  EXPECT_FALSE(link.sound);
  EXPECT_EQ(link.film, recording_evidence().film);
}

TEST(Outcome, ALinkWithARelationThatIsNoneIsNoOutcome) {
  Outcome outcome = example();
  outcome.links[0].relation = static_cast<Relation>(4);
  EXPECT_FALSE(decode_outcome(encode(outcome), 5));
}

TEST(Outcome, NamesOnlyFilesThatThereAre) {
  EXPECT_TRUE(decode_outcome(encode(example()), 5));
  EXPECT_FALSE(decode_outcome(encode(example()), 4));
}

TEST(Outcome, NothingIsMadeOfPartsOfOne) {
  const std::string bytes = encode(example());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_outcome(std::string_view(bytes).substr(0, size), 5)) << size;
  }
  EXPECT_FALSE(decode_outcome(bytes + 'x', 5));
}

TEST(Outcome, AnotherLayoutIsNoOutcome) {
  std::string bytes = encode(example());
  ++bytes[0];
  EXPECT_FALSE(decode_outcome(bytes, 5));
}

// PROPERTY: whatever the bytes are, what comes out can be used.
TEST(Outcome, FlippedBytesNeverNameWhatIsNotThere) {
  const std::string good = encode(example());
  Rng rng(1);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes = good;
    bytes[rng.below(static_cast<std::uint32_t>(bytes.size()))] = static_cast<char>(rng.below(256));
    const auto decoded = decode_outcome(bytes, 5);
    if (!decoded) continue;
    ASSERT_EQ(decoded->groups.size(), decoded->files.size());
    for (std::size_t g = 0; g < decoded->groups.size(); ++g) {
      ASSERT_EQ(decoded->groups[g].members.size(), decoded->files[g].size());
      ASSERT_FALSE(decoded->files[g].empty());
      for (const std::uint32_t file : decoded->files[g]) ASSERT_LT(file, 5U);
      for (const MemberPair& pair : decoded->groups[g].pairs) {
        ASSERT_LT(std::max(pair.a, pair.b), decoded->groups[g].members.size());
      }
    }
  }
}

}  // namespace
}  // namespace twinsift
