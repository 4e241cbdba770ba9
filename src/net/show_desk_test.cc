// SPDX-License-Identifier: Apache-2.0
#include "net/show_desk.h"

#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "net/test_identity.h"
#include "net/test_shelf.h"

namespace twinsift::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

class ShowDeskTest : public testing::Test {
 protected:
  ShowDesk desk(std::vector<PublicKey> allowed = {}) {
    return *ShowDesk::make(network_, owner_, shelf_, std::move(allowed), {}, {});
  }
  ShowRequest request_for(std::vector<ResourceId> resources) const {
    return {.owner = owner_.public_key(), .nonce = {1}, .resources = std::move(resources)};
  }
  // As asked_ would sign it, with a ticket of this caller.
  void sign(const ShowDesk& desk, const Address& caller, double seconds, ShowRequest& request) {
    const Reply ticket = desk.answer(TicketRequest{}, caller, seconds);
    SignedAsker& asker = request.asker.emplace();
    ASSERT_EQ(ticket.body.size(), asker.ticket.size());
    std::ranges::copy(ticket.body, asker.ticket.begin());
    asker.key = asking_.public_key();
    asker.signature = asking_.sign(asking_message(network_, request));
  }

  const Network network_{NetworkOptions{}};
  const Identity owner_ = test_identity(1);
  const Identity asking_ = test_identity(2);
  const Address caller_ = *parse_address("192.0.2.1:1000");
  TestShelf shelf_;
};

// One request and one answer, the proof first; and none for somebody else's entries.
TEST_F(ShowDeskTest, AnAnswerBeginsWithItsProof) {
  ShowRequest request = request_for({shelf_.put(test_representation(1))});
  const Reply reply = desk().answer(request, caller_, 0);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.shown, 1U);
  EXPECT_TRUE(check_proof(reply.body.substr(0, kProofBytes), network_, request));
  EXPECT_TRUE(read_shown(reply.body.substr(kProofBytes), request.resources));
  request.owner = asking_.public_key();
  const Reply other = desk().answer(request, caller_, 0);
  EXPECT_EQ(other.status, 404);
  EXPECT_EQ(other.body, "");
}

// Whoever has overheard a signed request cannot ask with it, nor for something else, nor later.
TEST_F(ShowDeskTest, ASignedRequestHoldsForOneConnectionAndAMinute) {
  const ShowDesk guarded = desk({asking_.public_key()});
  ShowRequest request = request_for({shelf_.put(test_representation(1))});
  EXPECT_EQ(guarded.answer(request, caller_, 0).status, 403) << "not signed";
  sign(guarded, caller_, 0, request);
  EXPECT_EQ(guarded.answer(request, caller_, 59).status, 200);
  EXPECT_EQ(guarded.answer(request, caller_, 61).status, 200);
  EXPECT_EQ(guarded.answer(request, caller_, 121).status, 403) << "an old ticket";
  EXPECT_EQ(guarded.answer(request, *parse_address("192.0.2.1:1001"), 0).status, 403);
  EXPECT_EQ(guarded.answer(request, *parse_address("192.0.2.2:1000"), 0).status, 403);
  EXPECT_EQ(desk({asking_.public_key()}).answer(request, caller_, 0).status, 403) << "restarted";
  EXPECT_EQ(desk({owner_.public_key()}).answer(request, caller_, 0).status, 403);
  ShowRequest changed = request;
  changed.resources.push_back({1});
  EXPECT_EQ(guarded.answer(changed, caller_, 0).status, 403);
  changed = request;
  changed.asker->key = owner_.public_key();
  EXPECT_EQ(guarded.answer(changed, caller_, 0).status, 403);
}

// What takes long to find is left for the next request, so that the proof is not late.
TEST_F(ShowDeskTest, ASlowShelfShowsALittleAtATime) {
  std::vector<ResourceId> ids;
  for (std::uint64_t i = 0; i < 6; ++i) ids.push_back(shelf_.put(test_representation(i + 1)));
  shelf_.wait = milliseconds(400);
  const auto begin = steady_clock::now();
  const Reply reply = desk().answer(request_for(ids), caller_, 0);
  EXPECT_LT(steady_clock::now() - begin, milliseconds(2300));
  const auto all = read_shown(reply.body.substr(kProofBytes), ids);
  ASSERT_TRUE(all);
  EXPECT_TRUE(all->front().value());
  EXPECT_FALSE(all->back()) << "not said to be missing: one may ask again";
}

}  // namespace
}  // namespace twinsift::net
