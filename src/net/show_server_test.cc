// SPDX-License-Identifier: Apache-2.0
#include "net/show_server.h"

#include <atomic>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "net/http_asker.h"
#include "net/http_get.h"
#include "net/peer_report.h"
#include "net/show_protocol.h"
#include "net/test_identity.h"
#include "net/test_shelf.h"

namespace twinsift::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Deadline soon(int milliseconds_from_now = 5000) {
  return steady_clock::now() + milliseconds(milliseconds_from_now);
}

// A server with a shelf, and an asker whose answers are waited for.
class ShowServerTest : public testing::Test {
 protected:
  void serve(ShowOptions options = {}, NetworkOptions of = {}) {
    network_ = std::make_unique<Network>(of);
    options.listen = *parse_address("127.0.0.1:0");
    auto server = ShowServer::start(
        options, *network_, owner_, shelf_,
        {.report = [](std::uint64_t version) -> Result<std::string> {
           if (version != 7) return Error{ErrorCode::kInvalidArgument, "another period"};
           return std::string("the report");
         },
         .hello =
             [this] { return hello_of(*network_, owner_.public_key(), false, 1'800'000'000); }});
    ASSERT_TRUE(server) << server.error().message;
    server_ = *std::move(server);
  }

  Entry entry_of(const ResourceId& resource) {
    return {.resource = resource, .address = server_->address(), .owner = owner_.public_key()};
  }

  std::vector<Shown> fetch_all(const std::vector<Entry>& entries, AskerOptions options = {},
                               const Network* network = nullptr) {
    std::promise<std::vector<Shown>> promise;
    HttpAsker asker(options, network == nullptr ? *network_ : *network, asking_,
                    [](const std::function<void()>& task) { task(); });
    asker.fetch(entries, [&](std::vector<Shown> shown) { promise.set_value(std::move(shown)); });
    auto answer = promise.get_future().get();
    status_ = asker.status();
    return answer;
  }
  Result<Representation> fetch(const Entry& entry, AskerOptions options = {},
                               const Network* network = nullptr) {
    return fetch_all({entry}, options, network).front().value();
  }

  // What the server says to any bytes.
  std::string raw(std::string_view request, int wait = 2000) {
    auto socket = DeadlineSocket::connect(server_->address(), soon(wait));
    if (!socket) return "no connection";
    [[maybe_unused]] const Status sent = socket->write(request);
    std::string all;
    std::array<char, 4096> piece{};
    for (;;) {
      const auto count = socket->read(piece);
      if (!count || *count == 0) return all;
      all.append(piece.data(), *count);
    }
  }

  Result<HttpAnswer> get(const PeerRequest& request) {
    TWINSIFT_TRY(DeadlineSocket socket, DeadlineSocket::connect(server_->address(), soon()));
    return http_get(socket, server_->address(), target_of(request), kMostAnswered);
  }

  const Identity owner_ = test_identity(1);
  const Identity asking_ = test_identity(2);
  TestShelf shelf_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<ShowServer> server_;
  AskerStatus status_;
};

TEST_F(ShowServerTest, WhatStandsOnTheShelfIsShown) {
  const Representation shown = test_representation(1);
  const ResourceId id = shelf_.put(shown);
  serve();
  const auto got = fetch(entry_of(id));
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(*got, shown);
  EXPECT_EQ(server_->status().proofs, 1U);
  EXPECT_EQ(server_->status().shown, 1U);
}

TEST_F(ShowServerTest, WhatIsNotThereIsNotFound) {
  serve();
  const auto got = fetch(entry_of(resource_id("d", TokenSet{1})));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::kNotFound);
}

// All that is wanted of an owner takes one request, whatever is missing.
TEST_F(ShowServerTest, SeveralAreShownAtOnce) {
  serve();
  std::vector<Entry> entries;
  for (std::uint64_t i = 0; i < kMostTogether; ++i) {
    const Representation shown = test_representation(i + 1);
    entries.push_back(entry_of(i == 3 ? resource_id("d", shown.set) : shelf_.put(shown)));
  }
  const std::vector<Shown> all = fetch_all(entries, {.sign = true});
  ASSERT_EQ(all.size(), kMostTogether);
  for (std::uint64_t i = 0; i < kMostTogether; ++i) {
    ASSERT_TRUE(all[i]);
    if (i == 3) {
      EXPECT_EQ(all[i]->error().code, ErrorCode::kNotFound);
    } else {
      ASSERT_TRUE(*all[i]) << all[i]->error().message;
      EXPECT_EQ(**all[i], test_representation(i + 1));
    }
  }
  EXPECT_EQ(status_.asked, 1U);
  EXPECT_EQ(server_->status().proofs, 1U);
  EXPECT_EQ(server_->status().shown, kMostTogether - 1);
}

// One wrong set in a list is not taken, and does not spoil the others.
TEST_F(ShowServerTest, ALieInAListIsNotTaken) {
  serve();
  const ResourceId first = shelf_.put(test_representation(1));
  const ResourceId lie = resource_id("text1:words:5", TokenSet{1, 2, 3});
  shelf_.lie(lie, test_representation(9));
  const ResourceId last = shelf_.put(test_representation(2));
  const std::vector<Shown> all = fetch_all({entry_of(first), entry_of(lie), entry_of(last)});
  EXPECT_TRUE(all[0].value());
  ASSERT_FALSE(all[1].value());
  EXPECT_EQ(all[1]->error().code, ErrorCode::kCorrupt);
  EXPECT_TRUE(all[2].value());
}

// Sets of 7 MB: two of them fit an answer, and for the third one may ask again.
TEST_F(ShowServerTest, AListIsNoLongerThanOneSetMayBe) {
  serve();
  std::vector<Entry> entries;
  for (std::uint64_t i = 0; i < 4; ++i) {
    entries.push_back(entry_of(shelf_.put(test_representation(i + 1, 7'000'000 / 8))));
  }
  const std::vector<Shown> all = fetch_all(entries);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_TRUE(all[0].value());
  EXPECT_TRUE(all[1].value());
  EXPECT_FALSE(all[2]);
  EXPECT_FALSE(all[3]);
  EXPECT_LE(server_->status().bytes_out, kMostShown + 1000);
  EXPECT_TRUE(fetch_all({entries[2], entries[3]})[1].value());
}

// A list is no way around the rate.
TEST_F(ShowServerTest, EachOfAListCounts) {
  serve({.rate = {.per_second = 0.001, .burst = 9}});
  std::vector<Entry> entries;
  for (std::uint64_t i = 0; i < 10; ++i) {
    entries.push_back(entry_of(shelf_.put(test_representation(i + 1))));
  }
  EXPECT_FALSE(fetch_all(entries).front().value()) << "one too many";
  EXPECT_EQ(server_->status().shown, 0U);
  server_.reset();
  serve({.rate = {.per_second = 0.001, .burst = 10}});
  for (Entry& entry : entries) entry.address = server_->address();
  EXPECT_TRUE(fetch_all(entries).front().value());
  EXPECT_EQ(server_->status().shown, 10U);
}

// A liar shows another set than the one whose hash it has signed: nobody takes it.
TEST_F(ShowServerTest, AnotherSetIsNotTaken) {
  const ResourceId id = resource_id("text1:words:5", TokenSet{1, 2, 3});
  shelf_.lie(id, test_representation(9));
  serve();
  const auto got = fetch(entry_of(id));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::kCorrupt);
}

// An entry that names somebody else's address leads to one small question there, and a few more
// from other keys, but not to a representation.
TEST_F(ShowServerTest, TheOwnerMustBeAtTheAddress) {
  const ResourceId id = shelf_.put(test_representation(1));
  serve();
  Entry entry = entry_of(id);
  entry.owner = test_identity(3).public_key();
  EXPECT_FALSE(fetch(entry));
  EXPECT_EQ(server_->status().shown, 0U);
  EXPECT_LT(server_->status().bytes_in, 400U);
  EXPECT_LT(server_->status().bytes_out, 400U);
}

TEST_F(ShowServerTest, ManyFalseEntriesAreFewQuestions) {
  const ResourceId id = shelf_.put(test_representation(1));
  serve();
  std::atomic<int> left = 100;
  std::promise<void> all;
  HttpAsker asker({}, *network_, asking_, [](const std::function<void()>& task) { task(); });
  for (std::uint64_t i = 0; i < 100; ++i) {
    Entry entry = entry_of(id);
    entry.owner = test_identity(100 + i).public_key();
    std::promise<void> one;
    asker.fetch({entry}, [&](const std::vector<Shown>& shown) {
      EXPECT_FALSE(shown.front().value());
      one.set_value();
      if (--left == 0) all.set_value();
    });
    one.get_future().wait();
  }
  all.get_future().wait();
  EXPECT_LE(asker.status().asked, 4U);
  // It answers for its own entries as before.
  EXPECT_TRUE(fetch(entry_of(id)));
}

TEST_F(ShowServerTest, AnotherNetworkGetsNoProof) {
  const ResourceId id = shelf_.put(test_representation(1));
  serve();
  const Network other({.name = "another"});
  const auto got = fetch(entry_of(id), {}, &other);
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::kCorrupt);
}

TEST_F(ShowServerTest, OnlyThoseOnTheListMayAsk) {
  const ResourceId id = shelf_.put(test_representation(1));
  serve({.allowed = {asking_.public_key()}});
  EXPECT_TRUE(fetch(entry_of(id), {.sign = true}));
  EXPECT_FALSE(fetch(entry_of(id), {.sign = false}));
  server_.reset();
  serve({.allowed = {test_identity(5).public_key()}});
  EXPECT_FALSE(fetch(entry_of(id), {.sign = true}));
  EXPECT_EQ(server_->status().shown, 0U);
}

TEST_F(ShowServerTest, AClosedNetworkShowsNothingToThoseWithoutTheSecret) {
  const ResourceId id = shelf_.put(test_representation(1));
  serve({}, {.secret = "rosebud"});
  EXPECT_TRUE(fetch(entry_of(id)));
  const ShowRequest show{.owner = owner_.public_key(), .nonce = {}, .resources = {id}};
  const auto shown = get(show);
  ASSERT_TRUE(shown);
  EXPECT_EQ(shown->status, 200);
  EXPECT_FALSE(check_proof(shown->body.substr(0, kProofBytes), Network({}), show));
  EXPECT_FALSE(read_shown(shown->body.substr(kProofBytes), show.resources));
  EXPECT_EQ(shown->body.find("a.txt"), std::string::npos);
}

TEST_F(ShowServerTest, AReportIsTold) {
  serve();
  HttpAsker asker({}, *network_, asking_, [](const std::function<void()>& task) { task(); });
  std::promise<Result<std::string>> good;
  asker.report(server_->address(), 7, [&](auto told) { good.set_value(std::move(told)); });
  const auto told = good.get_future().get();
  ASSERT_TRUE(told);
  EXPECT_EQ(*told, "the report");
  std::promise<Result<std::string>> bad;
  asker.report(server_->address(), 8, [&](auto answer) { bad.set_value(std::move(answer)); });
  EXPECT_FALSE(bad.get_future().get());
}

TEST_F(ShowServerTest, APortInUseIsSaid) {
  serve();
  ShowOptions again{.listen = server_->address()};
  const auto second = ShowServer::start(again, *network_, owner_, shelf_, {});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("in use"), std::string::npos) << second.error().message;
}

TEST_F(ShowServerTest, MalformedRequestsAreRefused) {
  serve({.request_time = milliseconds(300)});
  for (const std::string_view request :
       {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "POST /twinsift/2/hello HTTP/1.1\r\n\r\n",
        "GET /twinsift/2/show/../../etc HTTP/1.1\r\n\r\n", "\x16\x03\x01\x02",
        "GET /twinsift/2/report/-1 HTTP/1.1\r\n\r\n", "GET /twinsift/9/hello HTTP/1.1\r\n\r\n",
        "GET /twinsift/2/hello HTTP/1.1\r\nRange: bytes=0-0,0-0,0-0\r\nConnection: close\r\n\r\n",
        "GET /twinsift/2/hello HTTP/9.9\r\n\r\n"}) {
    const std::string answer = raw(request, 4000);
    EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 ")) << request;
    EXPECT_LT(answer.size(), 600U) << request;
  }
  // And it still works.
  const ResourceId id = shelf_.put(test_representation(1));
  EXPECT_TRUE(fetch(entry_of(id)));
}

TEST_F(ShowServerTest, OversizedRequestsAreCutOff) {
  serve({.request_time = milliseconds(300)});
  const std::string large(1 << 20, 'a');
  EXPECT_LT(raw("GET /" + large + " HTTP/1.1\r\n\r\n").size(), 600U);
  EXPECT_LT(raw("GET / HTTP/1.1\r\nX: " + large + "\r\n\r\n").size(), 600U);
  std::string headers = "GET / HTTP/1.1\r\n";
  for (int i = 0; i < 10000; ++i) headers += "A: b\r\n";
  EXPECT_LT(raw(headers + "\r\n").size(), 600U);
  EXPECT_LT(raw("POST / HTTP/1.1\r\nContent-Length: 1000000\r\n\r\n" + large).size(), 1200U);
  EXPECT_LT(server_->status().bytes_in, 100'000U);
  const ResourceId id = shelf_.put(test_representation(1));
  EXPECT_TRUE(fetch(entry_of(id)));
}

// Whoever sends a byte now and then is sent away, and others are answered meanwhile.
TEST_F(ShowServerTest, SlowCallersAreSentAway) {
  const ResourceId id = shelf_.put(test_representation(1));
  serve({.threads = 4, .most_of_one = 3, .request_time = milliseconds(600)});
  const auto begin = steady_clock::now();
  std::atomic<int> ended = 0;
  std::vector<std::jthread> slow;
  for (int i = 0; i < 20; ++i) {
    slow.emplace_back([&] {
      auto socket = DeadlineSocket::connect(server_->address(), soon(4000));
      while (socket && socket->write("G")) std::this_thread::sleep_for(milliseconds(50));
      ++ended;
    });
  }
  std::this_thread::sleep_for(milliseconds(200));
  // All are of one address, which has its places taken: they are free again soon.
  Result<Representation> got = Error{};
  while (!(got = fetch(entry_of(id), {.silence = milliseconds(1)})) &&
         steady_clock::now() - begin < milliseconds(4000)) {
    std::this_thread::sleep_for(milliseconds(50));
  }
  EXPECT_TRUE(got);
  slow.clear();
  EXPECT_EQ(ended, 20);
  EXPECT_LT(steady_clock::now() - begin, milliseconds(4000));
}

TEST_F(ShowServerTest, CallersHaveARate) {
  serve({.rate = {.per_second = 0.001, .burst = 3}});
  std::string last;
  for (int i = 0; i < 4; ++i) {
    last = raw("GET /twinsift/2/hello HTTP/1.1\r\nConnection: close\r\n\r\n");
    EXPECT_EQ(last.starts_with("HTTP/1.1 200"), i < 3) << i;
  }
  EXPECT_TRUE(last.starts_with("HTTP/1.1 429"));
}

TEST_F(ShowServerTest, HelloTellsTheNetwork) {
  serve({}, {.name = "somewhere"});
  const auto hello = ask_hello(server_->address(), soon());
  ASSERT_TRUE(hello);
  EXPECT_EQ(*hello, hello_of(*network_, owner_.public_key(), false, 1'800'000'000));
}

}  // namespace
}  // namespace twinsift::net
