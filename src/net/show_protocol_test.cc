// SPDX-License-Identifier: Apache-2.0
#include "net/show_protocol.h"

#include <gtest/gtest.h>

#include "net/test_identity.h"

namespace twinsift::net {
namespace {

ShowRequest some_show() {
  ShowRequest show;
  show.owner.fill(0xAB);
  show.nonce.fill(0xFF);
  show.resources = {ResourceId{7}};
  return show;
}

std::vector<PeerRequest> some_requests() {
  const ShowRequest show = some_show();
  ShowRequest signed_show = show;
  signed_show.asker.emplace();
  signed_show.asker->ticket.fill(9);
  signed_show.asker->signature.fill(0x5A);
  ShowRequest many = signed_show;
  for (std::uint8_t i = 8; many.resources.size() < kMostTogether; ++i)
    many.resources.push_back({i});
  return {show,
          signed_show,
          many,
          TicketRequest{},
          ReportRequest{0},
          ReportRequest{UINT64_MAX},
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
       {"", "/", "/twinsift/2/", "/twinsift/2/report/", "/twinsift/2/report/007",
        "/twinsift/2/report/18446744073709551616", "/twinsift/2/report/1/2", "/twinsift/2/show",
        "/twinsift/2/ticket/", "/twinsift/1/hello"}) {
    EXPECT_FALSE(parse_target(target)) << target;
  }
  ShowRequest show = some_show();
  show.resources.clear();
  EXPECT_FALSE(parse_target(target_of(show))) << "of nothing";
  show.resources = {ResourceId{1}, ResourceId{2}, ResourceId{1}};
  EXPECT_FALSE(parse_target(target_of(show))) << "one of them twice";
  show.resources.clear();
  for (std::uint8_t i = 0; i <= kMostTogether; ++i) show.resources.push_back({i});
  EXPECT_FALSE(parse_target(target_of(show))) << "too many";
}

// The longest request, with a head, fits what a server reads of one.
TEST(ShowProtocol, TheLongestRequestFits) {
  for (const PeerRequest& request : some_requests()) EXPECT_LT(target_of(request).size(), 1024U);
}

// An old proof, one for another request, of another owner or network, or a part of one, proves
// nothing.
TEST(ShowProtocol, AProofHoldsForOneRequest) {
  const Network network{NetworkOptions{}};
  const Identity owner = test_identity(1);
  ShowRequest request = some_show();
  request.owner = owner.public_key();
  const std::string proof = make_proof(network, owner, request);
  ASSERT_EQ(proof.size(), kProofBytes);
  EXPECT_TRUE(check_proof(proof, network, request));
  EXPECT_FALSE(check_proof(proof, Network({.name = "another"}), request));
  EXPECT_FALSE(check_proof(make_proof(network, test_identity(2), request), network, request));
  ShowRequest other = request;
  other.nonce[0] ^= 1U;
  EXPECT_FALSE(check_proof(proof, network, other));
  other = request;
  other.owner = test_identity(2).public_key();
  EXPECT_FALSE(check_proof(proof, network, other));
  other = request;
  other.resources.push_back({8});
  EXPECT_FALSE(check_proof(proof, network, other));
  for (std::size_t i = 0; i < proof.size(); ++i) {
    EXPECT_FALSE(check_proof(proof.substr(0, i), network, request)) << i;
    std::string damaged = proof;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_FALSE(check_proof(damaged, network, request)) << i;
  }
  EXPECT_FALSE(check_proof(proof + "x", network, request));
}

// Whatever of a signed request is changed, its signature no longer holds.
TEST(ShowProtocol, TheAskerSignsAllOfTheRequest) {
  const Network network{NetworkOptions{}};
  ShowRequest request = some_show();
  request.asker.emplace();
  const std::string message = asking_message(network, request);
  ShowRequest other = request;
  other.asker->ticket[15] ^= 1U;
  EXPECT_NE(asking_message(network, other), message);
  other = request;
  other.asker->key[0] ^= 1U;
  EXPECT_NE(asking_message(network, other), message);
  other = request;
  other.nonce[3] ^= 1U;
  EXPECT_NE(asking_message(network, other), message);
  other = request;
  other.owner[31] ^= 1U;
  EXPECT_NE(asking_message(network, other), message);
  other = request;
  other.resources.push_back({});
  EXPECT_NE(asking_message(network, other), message);
  EXPECT_NE(asking_message(Network({.name = "another"}), request), message);
}

}  // namespace
}  // namespace twinsift::net
