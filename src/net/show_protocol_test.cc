// SPDX-License-Identifier: Apache-2.0
#include "net/show_protocol.h"

#include <gtest/gtest.h>

namespace twinsift::net {
namespace {

std::vector<PeerRequest> some_requests() {
  ProveRequest prove;
  prove.owner.fill(0xAB);
  prove.nonce.fill(0xFF);
  ShowRequest show;
  show.resources = {ResourceId{7}};
  show.ticket.fill(9);
  ShowRequest signed_show = show;
  signed_show.asker.emplace();
  signed_show.asker->signature.fill(0x5A);
  ShowRequest many = signed_show;
  for (std::uint8_t i = 8; many.resources.size() < kMostTogether; ++i)
    many.resources.push_back({i});
  return {prove,         show, signed_show, many, ReportRequest{0}, ReportRequest{UINT64_MAX},
          HelloRequest{}};
}

TEST(ShowProtocol, IsReadAsItWasWritten) {
  for (const PeerRequest& request : some_requests()) {
    const auto read = parse_target(target_of(request));
    ASSERT_TRUE(read) << target_of(request);
    EXPECT_EQ(*read, request);
  }
}

// There is one way to say each thing, and nothing can be left out or added.
TEST(ShowProtocol, NothingElseIsUnderstood) {
  for (const PeerRequest& request : some_requests()) {
    const std::string target = target_of(request);
    for (std::size_t i = 0; i < target.size(); ++i) {
      const auto cut = parse_target(target.substr(0, i));
      EXPECT_TRUE(!cut || target_of(*cut) == target.substr(0, i)) << target << ' ' << i;
      std::string damaged = target;
      damaged[i] = 'G';
      EXPECT_FALSE(parse_target(damaged)) << damaged;
    }
    EXPECT_FALSE(parse_target(target + "/"));
    EXPECT_FALSE(parse_target(target + "?x=1"));
  }
  for (const std::string_view target :
       {"", "/", "/twinsift/1/", "/twinsift/1/report/", "/twinsift/1/report/007",
        "/twinsift/1/report/18446744073709551616", "/twinsift/1/report/1/2", "/twinsift/1/prove"}) {
    EXPECT_FALSE(parse_target(target)) << target;
  }
  ShowRequest show;
  EXPECT_FALSE(parse_target(target_of(show))) << "of nothing";
  show.resources = {ResourceId{1}, ResourceId{2}, ResourceId{1}};
  EXPECT_FALSE(parse_target(target_of(show))) << "one of them twice";
  show.resources.clear();
  for (std::uint8_t i = 0; i <= kMostTogether; ++i) show.resources.push_back({i});
  EXPECT_FALSE(parse_target(target_of(show))) << "too many";
}

}  // namespace
}  // namespace twinsift::net
