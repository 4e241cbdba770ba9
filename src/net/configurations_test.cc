// SPDX-License-Identifier: Apache-2.0
#include "net/configurations.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "net/test_identity.h"

namespace twinsift::net {
namespace {

constexpr std::int64_t kPeriod = 3600;
constexpr std::uint64_t kVersion = 500'000;
constexpr std::int64_t kBegin = static_cast<std::int64_t>(kVersion) * kPeriod;

class ConfigurationsTest : public testing::Test {
 protected:
  Configuration with(std::uint64_t version, std::uint32_t labels, std::uint64_t signer = 1) {
    Configuration configuration = first_;
    configuration.version = version;
    configuration.shape.labels = labels;
    configuration.signer = test_identity(signer).public_key();
    return configuration;
  }
  static bool has(const std::vector<Configuration>& all, const Configuration& one) {
    return std::ranges::any_of(all, [&](const auto& other) { return other.id() == one.id(); });
  }

  Network network_{NetworkOptions{}};
  Configuration first_ = *first_configuration(NetworkOptions{}.goal, false);
  Configurations known_{network_, first_};
};

TEST_F(ConfigurationsTest, NobodyAsksWhereSomebodyHasNotPublishedYet) {
  const Configuration next = with(kVersion, first_.shape.labels + 1);
  // One peer learns of the new one at the beginning of its period, another at its end; the clock
  // of either may be wrong by a period.
  Configurations early(network_, first_);
  Configurations late(network_, first_);
  early.offer(next, "bytes");
  for (std::int64_t time = kBegin; time < kBegin + 8 * kPeriod; time += 100) {
    if (time == kBegin + kPeriod) late.offer(next, "bytes");
    for (const std::int64_t wrong : {-kPeriod, std::int64_t{0}, kPeriod}) {
      // A period later everything that is to be published was published.
      const bool all_there = has(late.publishing(time), early.asking(time + wrong));
      EXPECT_TRUE(all_there) << time - kBegin << " " << wrong;
      EXPECT_TRUE(has(early.publishing(time + wrong), late.asking(time)));
    }
  }
  EXPECT_EQ(early.asking(kBegin).id(), first_.id());
  EXPECT_EQ(early.asking(kBegin + 3 * kPeriod).id(), next.id());
}

TEST_F(ConfigurationsTest, TheOldLabelsAreGivenUpInTheEnd) {
  const Configuration next = with(kVersion, first_.shape.labels + 1);
  known_.offer(next, "bytes");
  EXPECT_EQ(known_.publishing(kBegin).size(), 2U);
  EXPECT_EQ(known_.publishing(kBegin + 4 * kPeriod).size(), 1U);
  known_.forget(kBegin + 6 * kPeriod);
  EXPECT_EQ(known_.of_version(0), nullptr);
  EXPECT_EQ(known_.asking(kBegin + 6 * kPeriod).id(), next.id());
}

TEST_F(ConfigurationsTest, TheSameLabelsArePublishedOnce) {
  known_.offer(with(kVersion, first_.shape.labels), "bytes");
  known_.offer(with(kVersion + 1, first_.shape.labels), "bytes");
  EXPECT_EQ(known_.publishing(kBegin + kPeriod).size(), 1U);
}

TEST_F(ConfigurationsTest, OfOneVersionAllTakeTheSameInAnyOrder) {
  const Configuration a = with(kVersion, 7, 1);
  const Configuration b = with(kVersion, 8, 2);
  Configurations other(network_, first_);
  known_.offer(a, "a");
  known_.offer(b, "b");
  other.offer(b, "b");
  other.offer(a, "a");
  EXPECT_EQ(known_.newest(), other.newest());
  EXPECT_EQ(known_.of_version(kVersion)->bytes, other.of_version(kVersion)->bytes);
  EXPECT_FALSE(known_.offer(a, "a") && known_.offer(b, "b"));
}

}  // namespace
}  // namespace twinsift::net
