// SPDX-License-Identifier: Apache-2.0
// Hostile servers.
#include "net/http_asker.h"

#include <future>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "net/http_get.h"
#include "net/known_addresses.h"
#include "net/test_identity.h"
#include "net/test_server.h"

namespace twinsift::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

using Hostile = TestServer;

constexpr AskerOptions kHasty{.connect_time = milliseconds(300),
                              .proof_time = milliseconds(400),
                              .answer_time = milliseconds(800)};

Result<Representation> fetch_from(const Address& address, HttpAsker& asker) {
  std::promise<Result<Representation>> promise;
  asker.fetch({{.address = address, .owner = test_identity(1).public_key()}},
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

TEST(HttpAsker, NothingLargerThanAProofIsReadAsOne) {
  Hostile server([](DeadlineSocket& socket) {
    swallow(socket);
    [[maybe_unused]] const auto sent =
        socket.write("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n");
  });
  Asking asking;
  EXPECT_FALSE(fetch_from(server.address(), asking.asker));
  EXPECT_EQ(asking.asker.status().bytes_in, 0U);
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
