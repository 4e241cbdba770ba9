// SPDX-License-Identifier: Apache-2.0
// Hostile servers.
#include "net/http_asker.h"

#include <cstdio>
#include <future>
#include <optional>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "net/http_get.h"
#include "net/known_addresses.h"
#include "net/show_protocol.h"
#include "net/test_identity.h"
#include "net/test_server.h"
#include "net/test_shelf.h"

namespace twinsift::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

using Hostile = TestServer;

constexpr AskerOptions kHasty{.connect_time = milliseconds(300),
                              .proof_time = milliseconds(400),
                              .answer_time = milliseconds(800)};

Result<Representation> fetch_from(const Address& address, HttpAsker& asker,
                                  const ResourceId& resource = {}) {
  std::promise<Result<Representation>> promise;
  asker.fetch({{.resource = resource, .address = address, .owner = test_identity(1).public_key()}},
              [&](const std::vector<Shown>& shown) { promise.set_value(shown.front().value()); });
  return promise.get_future().get();
}

struct Asking {
  Network network{NetworkOptions{}};
  Identity identity = test_identity(2);
  HttpAsker asker{kHasty, network, identity, [](const std::function<void()>& task) { task(); }};
};

void swallow(DeadlineSocket& socket) {
  std::array<char, 4096> piece{};
  [[maybe_unused]] const auto count = socket.read(piece);
}

TEST(HttpAsker, EndlessHeadersEnd) {
  const std::string line(1 << 16, 'x');
  Hostile server([&](DeadlineSocket& socket) {
    swallow(socket);
    while (socket.write(line)) {
    }
  });
  Asking asking;
  EXPECT_FALSE(fetch_from(server.address(), asking.asker));
}

TEST(HttpAsker, SlowAnswersEndInTime) {
  Hostile server([](DeadlineSocket& socket) {
    swallow(socket);
    while (socket.write("H")) std::this_thread::sleep_for(milliseconds(50));
  });
  Asking asking;
  const auto begin = steady_clock::now();
  EXPECT_FALSE(fetch_from(server.address(), asking.asker));
  EXPECT_LT(steady_clock::now() - begin, milliseconds(700));
}

// What is announced is no longer than an answer can be, or nothing of it is read.
TEST(HttpAsker, NothingLargerThanAnAnswerIsRead) {
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n";
  Hostile server([&](DeadlineSocket& socket) {
    swallow(socket);
    [[maybe_unused]] const auto sent = socket.write(head);
  });
  Asking asking;
  EXPECT_FALSE(fetch_from(server.address(), asking.asker));
  EXPECT_EQ(asking.asker.status().bytes_in, head.size());
}

std::string head_of(std::size_t length) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n";
}

// The request that somebody sends; none if it is none.
std::optional<ShowRequest> read_request(DeadlineSocket& socket) {
  std::array<char, 4096> piece{};
  const auto count = socket.read(piece);
  std::string_view line(piece.data(), count ? *count : 0);
  if (!line.starts_with("GET ")) return std::nullopt;
  line.remove_prefix(4);
  const auto request = parse_target(line.substr(0, line.find(' ')));
  const auto* show = request ? std::get_if<ShowRequest>(&*request) : nullptr;
  return show == nullptr ? std::nullopt : std::optional(*show);
}

// A list with the one set that is asked for, so that only the proof can be wrong.
struct Listed {
  Representation representation = test_representation(1);
  ResourceId id = resource_id(representation.detector, representation.set);
  [[nodiscard]] std::string body() const {
    ShownWriter writer(1);
    writer.add(encode(representation));
    return std::move(writer).finish();
  }
};

// What becomes of an answer with this proof, behind which a true list stands.
Result<Representation> fetch_with_proof(const std::function<std::string(const ShowRequest&)>& proof,
                                        AskerStatus& status) {
  const Listed listed;
  Hostile server([&](DeadlineSocket& socket) {
    const auto request = read_request(socket);
    if (!request) return;
    const std::string bytes = proof(*request);
    [[maybe_unused]] const auto sent =
        socket.write(head_of(bytes.size() + listed.body().size()) + bytes + listed.body());
  });
  Asking asking;
  auto got = fetch_from(server.address(), asking.asker, listed.id);
  status = asking.asker.status();
  return got;
}

TEST(HttpAsker, WhatFollowsAFalseProofIsNotTaken) {
  const Network network{NetworkOptions{}};
  const Identity owner = test_identity(1);
  AskerStatus status;
  const auto got = fetch_with_proof(
      [&](const ShowRequest& request) { return make_proof(network, owner, request); }, status);
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(*got, Listed{}.representation);
  const std::vector<std::function<std::string(const ShowRequest&)>> wrong = {
      [&](ShowRequest request) {
        request.nonce[7] ^= 1U;
        return make_proof(network, owner, request);
      },
      [&](ShowRequest request) {
        request.resources.push_back({});
        return make_proof(network, owner, request);
      },
      [&](const ShowRequest& request) { return make_proof(network, test_identity(3), request); },
      [&](const ShowRequest& request) {
        return make_proof(Network({.name = "another"}), owner, request);
      },
      [](const ShowRequest&) { return std::string(kProofBytes, '\0'); },
      [](const ShowRequest&) { return std::string(); }};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    const auto taken = fetch_with_proof(wrong[i], status);
    ASSERT_FALSE(taken) << i;
    EXPECT_EQ(taken.error().code, ErrorCode::kCorrupt) << i;
  }
}

// An answer that was right once, sent again to another question.
TEST(HttpAsker, AReplayedAnswerIsRefused) {
  const Network network{NetworkOptions{}};
  const Identity owner = test_identity(1);
  const Listed listed;
  std::string first;
  Hostile server([&](DeadlineSocket& socket) {
    const auto request = read_request(socket);
    if (!request) return;
    if (first.empty()) first = make_proof(network, owner, *request) + listed.body();
    [[maybe_unused]] const auto sent = socket.write(head_of(first.size()) + first);
  });
  Asking asking;
  EXPECT_TRUE(fetch_from(server.address(), asking.asker, listed.id));
  const std::uint64_t before = asking.asker.status().bytes_in;
  const auto again = fetch_from(server.address(), asking.asker, listed.id);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kCorrupt);
  EXPECT_LE(asking.asker.status().bytes_in - before, head_of(first.size()).size() + kReadAhead);
}

// A false address can make nobody read what it likes.
TEST(HttpAsker, OfAFalseAnswerOnlyTheProofIsRead) {
  const std::string much(1 << 20, 'x');
  std::atomic<bool> stopped = false;
  Hostile server([&](DeadlineSocket& socket) {
    swallow(socket);
    bool open = socket.write(head_of(kMostAnswered)).has_value();
    for (int i = 0; open && i < 4096; ++i) open = socket.write(much).has_value();
    stopped = !open;
  });
  Asking asking;
  const auto begin = steady_clock::now();
  EXPECT_FALSE(fetch_from(server.address(), asking.asker));
  EXPECT_LT(steady_clock::now() - begin, milliseconds(700));
  const std::uint64_t read = asking.asker.status().bytes_in;
  std::printf("of 4 GB behind a false proof %llu bytes were read\n",
              static_cast<unsigned long long>(read));
  EXPECT_LE(read, head_of(kMostAnswered).size() + kReadAhead + kProofBytes);
  for (int i = 0; i < 100 && !stopped; ++i) std::this_thread::sleep_for(milliseconds(20));
  EXPECT_TRUE(stopped) << "the connection was closed";
}

// A part of a proof is none, whether the rest is not announced or does not come.
TEST(HttpAsker, ATruncatedProofIsNone) {
  for (const bool announced : {false, true}) {
    Hostile server([&](DeadlineSocket& socket) {
      swallow(socket);
      [[maybe_unused]] const auto sent = socket.write(
          head_of(announced ? kMostAnswered : kProofBytes - 1) + std::string(kProofBytes - 1, 'p'));
    });
    Asking asking;
    const auto got = fetch_from(server.address(), asking.asker);
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, announced ? ErrorCode::kIo : ErrorCode::kCorrupt);
  }
}

// Whoever keeps its proof back is left after the time for proofs, and whoever has proved and then
// dawdles after that for answers.
TEST(HttpAsker, ProofAndAnswerHaveTheirOwnTime) {
  const Network network{NetworkOptions{}};
  const Identity owner = test_identity(1);
  for (const bool proves : {false, true}) {
    Hostile server([&](DeadlineSocket& socket) {
      const auto request = read_request(socket);
      if (!request) return;
      bool open = socket.write(head_of(kMostAnswered)).has_value();
      if (proves) open = socket.write(make_proof(network, owner, *request)).has_value();
      while (open) {
        std::this_thread::sleep_for(milliseconds(30));
        open = socket.write("x").has_value();
      }
    });
    Asking asking;
    const auto begin = steady_clock::now();
    EXPECT_FALSE(fetch_from(server.address(), asking.asker));
    const auto took = steady_clock::now() - begin;
    EXPECT_GE(took, proves ? kHasty.answer_time - milliseconds(50) : milliseconds(300));
    EXPECT_LT(took, proves ? milliseconds(1200) : milliseconds(700));
  }
}

TEST(HttpAsker, NoRedirectIsFollowed) {
  Hostile victim([](DeadlineSocket& socket) { swallow(socket); });
  Hostile server([&](DeadlineSocket& socket) {
    swallow(socket);
    [[maybe_unused]] const auto sent =
        socket.write("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: http://" +
                     to_text(victim.address()) + "/\r\n\r\n");
  });
  Asking asking;
  EXPECT_FALSE(fetch_from(server.address(), asking.asker));
  EXPECT_EQ(victim.connections, 0);
}

TEST(HttpAsker, TheDeadAreLeftAloneForAWhile) {
  Address nobody;
  {
    const Hostile server([](DeadlineSocket&) {});
    nobody = server.address();
  }
  Asking asking;
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(fetch_from(nobody, asking.asker));
  EXPECT_EQ(asking.asker.status().asked, 1U);
  EXPECT_EQ(asking.asker.status().skipped, 19U);
}

// Asks for something of so many owners at one address, all at once, and waits.
void fetch_of_many(int owners, const Address& address, HttpAsker& asker) {
  std::atomic<int> left = owners;
  std::promise<void> all;
  for (int i = 0; i < owners; ++i) {
    const Identity owner = test_identity(static_cast<std::uint64_t>(100 + i));
    asker.fetch({{.address = address, .owner = owner.public_key()}},
                [&](const std::vector<Shown>& shown) {
                  EXPECT_FALSE(shown.front().value());
                  if (--left == 0) all.set_value();
                });
  }
  all.get_future().wait();
}

// Somebody else's address in a hundred entries, all of which one question finds.
TEST(HttpAsker, ACrowdOfFalseEntriesIsAFewQuestions) {
  std::atomic<std::size_t> bytes = 0;
  Hostile server([&](DeadlineSocket& socket) {
    std::array<char, 4096> piece{};
    const auto count = socket.read(piece);
    bytes += count ? *count : 0;
    [[maybe_unused]] const auto sent =
        socket.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  });
  Asking asking;
  fetch_of_many(100, server.address(), asking.asker);
  EXPECT_EQ(server.connections, static_cast<int>(KnownAddresses::kMostUnproven));
  EXPECT_LT(bytes, KnownAddresses::kMostUnproven * 250);
  EXPECT_EQ(asking.asker.status().skipped, 100 - KnownAddresses::kMostUnproven);
}

TEST(HttpAsker, WhoClosesEveryConnectionIsLeftAloneInTheEnd) {
  Hostile server([](DeadlineSocket& socket) { swallow(socket); });
  Asking asking;
  fetch_of_many(100, server.address(), asking.asker);
  EXPECT_LE(server.connections, static_cast<int>(KnownAddresses::kMostClosed));
}

TEST(HttpAsker, TheDeadAreAskedOnceHoweverManyWait) {
  Address nobody;
  {
    const Hostile server([](DeadlineSocket&) {});
    nobody = server.address();
  }
  Asking asking;
  fetch_of_many(100, nobody, asking.asker);
  EXPECT_EQ(asking.asker.status().asked, 1U);
}

TEST(HttpAsker, EndsAtOnceWhateverOthersDo) {
  Hostile server([](DeadlineSocket& socket) {
    swallow(socket);
    std::this_thread::sleep_for(milliseconds(1000));
  });
  const Network network{NetworkOptions{}};
  const Identity identity = test_identity(2);
  const auto begin = steady_clock::now();
  {
    HttpAsker asker({}, network, identity, [](const std::function<void()>&) {});
    asker.fetch({{.address = server.address()}}, [](const std::vector<Shown>&) {});
    std::this_thread::sleep_for(milliseconds(100));
  }
  EXPECT_LT(steady_clock::now() - begin, milliseconds(600));
}

TEST(HttpHead, OnlyWhatIsUnderstoodIsTaken) {
  const auto good = parse_http_head("HTTP/1.1 200 OK\r\nA: b\r\ncontent-LENGTH:  80 \r\n\r\n");
  ASSERT_TRUE(good);
  EXPECT_EQ(good->status, 200);
  EXPECT_EQ(good->length, 80U);
  for (const std::string_view head :
       {"", "\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\nContent-Length: 1\r\n\r\n",
        "HTTP/2 200\r\nContent-Length: 1\r\n\r\n", "HTTP/1.1 200\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "HTTP/1.1 200\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200\r\nContent-Length: 1\r\nContent-Encoding: gzip\r\n\r\n",
        "HTTP/1.1 200\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "HTTP/1.1 200\r\nContent-Length 1\r\n\r\n", "HTTP/1.1 200\r\nContent-Length: 1\r\n"}) {
    EXPECT_FALSE(parse_http_head(head)) << head;
  }
}

// False entries cannot silence somebody who has proved before that it is there.
TEST(KnownAddresses, AFewFalseOwnersDoNotSilenceATrueOne) {
  using namespace std::chrono_literals;
  KnownAddresses known(30s);
  const auto now = KnownAddresses::Clock::now();
  const Address address = *parse_address("192.0.2.1:4222");
  const PublicKey owner{1};
  const PublicKey stranger{2};
  known.proven(address, owner);
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(known.worth_asking(address, stranger, now));
    known.unproven(address, now);
  }
  EXPECT_FALSE(known.worth_asking(address, stranger, now));
  EXPECT_TRUE(known.worth_asking(address, owner, now));
  EXPECT_TRUE(known.worth_asking(address, stranger, now + 31s));
}

TEST(KnownAddresses, ClosedConnectionsAreForgivenMoreOften) {
  using namespace std::chrono_literals;
  KnownAddresses known(30s);
  const auto now = KnownAddresses::Clock::now();
  const Address address = *parse_address("192.0.2.1:4222");
  for (std::size_t i = 0; i < KnownAddresses::kMostClosed; ++i) {
    EXPECT_TRUE(known.worth_asking(address, {1}, now));
    known.closed(address, now);
  }
  EXPECT_FALSE(known.worth_asking(address, {1}, now));
  EXPECT_TRUE(known.worth_asking(address, {1}, now + 31s));
  known.proven(address, {1});
  EXPECT_TRUE(known.worth_asking(address, {1}, now)) << "it was only busy";
  EXPECT_FALSE(known.worth_asking(address, {2}, now));
}

}  // namespace
}  // namespace twinsift::net
