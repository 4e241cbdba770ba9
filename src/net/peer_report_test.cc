// SPDX-License-Identifier: Apache-2.0
#include "net/peer_report.h"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "net/test_identity.h"

namespace twinsift::net {
namespace {

class PeerReportTest : public testing::Test {
 protected:
  PeerReportTest() {
    report_.shown.resize(3);
    for (std::size_t i = 0; i < 3; ++i) report_.shown[i].fill(static_cast<std::uint32_t>(i));
  }
  Network network_{NetworkOptions{}};
  Identity identity_ = test_identity(1);
  DhtKey place_ = place_of(identity_.public_key());
  PeerReport report_{.resources = 12, .searches = 3.5, .duplicates = 0.25};
};

TEST_F(PeerReportTest, ComesBackAsItWas) {
  const std::string bytes = seal(report_, network_, 7, identity_);
  const Result<PeerReport> read = open_report(bytes, network_, 7, place_);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->resources, 12);
  EXPECT_EQ(read->searches, 3.5);
  EXPECT_EQ(read->duplicates, 0.25);
  EXPECT_EQ(read->shown, report_.shown);
}

TEST_F(PeerReportTest, CountsForOnePeerInOnePeriodOfOneNetwork) {
  const std::string bytes = seal(report_, network_, 7, identity_);
  const Network other(NetworkOptions{.name = "other"});
  EXPECT_FALSE(open_report(bytes, network_, 8, place_));
  EXPECT_FALSE(open_report(bytes, other, 7, place_));
  EXPECT_FALSE(open_report(bytes, network_, 7, place_of(test_identity(2).public_key())));
}

TEST_F(PeerReportTest, EveryChangedByteAndEveryMissingOneIsSeen) {
  const std::string bytes = seal(report_, network_, 7, identity_);
  for (std::size_t i = 0; i < bytes.size(); i += 7) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 0x10);
    EXPECT_FALSE(open_report(changed, network_, 7, place_)) << i;
  }
  for (std::size_t size = 0; size < bytes.size(); size += 13) {
    EXPECT_FALSE(open_report(bytes.substr(0, size), network_, 7, place_)) << size;
  }
}

TEST_F(PeerReportTest, NumbersThatAreNoneAreRefusedThoughSigned) {
  report_.searches = std::nan("");
  EXPECT_FALSE(open_report(seal(report_, network_, 7, identity_), network_, 7, place_));
  report_.searches = -1;
  EXPECT_FALSE(open_report(seal(report_, network_, 7, identity_), network_, 7, place_));
}

TEST_F(PeerReportTest, TellsABoundedNumberOfSets) {
  report_.shown.resize(1000);
  const std::string bytes = seal(report_, network_, 7, identity_);
  EXPECT_LE(bytes.size(), kMostReportBytes);
  EXPECT_EQ(open_report(bytes, network_, 7, place_)->shown.size(), kMostReportedSets);
}

}  // namespace
}  // namespace twinsift::net
