// SPDX-License-Identifier: Apache-2.0
// Candidates by codes against comparing every pair in every orientation.
#include "index/code_candidates.h"

#include <gtest/gtest.h>

#include "base/bit_code.h"
#include "base/random.h"
#include "index/mih.h"

namespace twinsift {
namespace {

constexpr std::array<std::uint32_t, 8> kRadii = {40, 30, 30, 30, 20, 30, 30, 30};

// Strangers, and every third a noisy copy of the one before it in some orientation.
std::vector<OrientedCodes> some_codes(std::uint32_t count) {
  Rng rng(11);
  std::vector<OrientedCodes> codes(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (auto& code : codes[i]) {
      for (std::uint64_t& word : code) word = rng.next();
    }
    if (i % 3 != 2) continue;
    auto& copy = codes[i][rng.below(8)];
    copy = codes[i - 1][0];
    for (std::uint32_t flips = rng.below(50); flips > 0; --flips) {
      const std::uint32_t bit = rng.below(256);
      copy[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    }
  }
  return codes;
}

std::vector<ItemId> brute_force(const std::vector<OrientedCodes>& codes, ItemId from, ItemId item) {
  std::vector<ItemId> near;
  for (ItemId other = from; other < item; ++other) {
    bool found = false;
    for (std::size_t o = 0; o < 8; ++o) {
      found = found || hamming_distance(codes[item][o], codes[other][0]) <= kRadii[o];
    }
    if (found) near.push_back(other);
  }
  return near;
}

TEST(CodeCandidates, AreThoseOfBruteForce) {
  const auto codes = some_codes(300);
  CodeCandidates candidates(codes, kRadii, *make_mih("mih1:bits=256,radius=40,recall=1,items=300"));
  std::vector<ItemId> out;
  std::size_t found = 0;
  for (ItemId item = 0; item < codes.size(); ++item) {
    EXPECT_TRUE(candidates.earlier(item, out));
    EXPECT_EQ(out, brute_force(codes, 0, item));
    found += out.size();
    const ItemId from = item - std::min<ItemId>(item, 20);
    EXPECT_TRUE(candidates.between(from, item, 1000, out));
    EXPECT_EQ(out, brute_force(codes, from, item));
  }
  EXPECT_GT(found, 30U);
  for (ItemId item = 0; item < codes.size(); ++item) {
    EXPECT_TRUE(candidates.kept(item, item / 2, out));
    EXPECT_EQ(out, brute_force(codes, item / 2, item));
    candidates.keep(item);
  }
}

TEST(CodeCandidates, BetweenGivesUpInACrowd) {
  const std::vector<OrientedCodes> codes(10);
  const CodeCandidates candidates(codes, kRadii, *make_mih("mih1:bits=256,radius=40,items=10"));
  std::vector<ItemId> out;
  EXPECT_FALSE(candidates.between(0, 9, 8, out));
  EXPECT_TRUE(out.empty());
  EXPECT_TRUE(candidates.between(0, 9, 9, out));
  EXPECT_EQ(out.size(), 9U);
}

}  // namespace
}  // namespace twinsift
