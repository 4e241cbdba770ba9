// SPDX-License-Identifier: Apache-2.0
// Liars among real peers: sockets, threads and clocks as they are.  Nodes beside the labels of a
// question answer with forged, moved, squatted, old and damaged entries, and a peer shows the
// question itself, whatever it is asked for.  What is true is found, nothing else is said to be
// verified, and what it costs others is bounded.  (peer_hostile_test.cc has the same and more in
// virtual time.)
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <deque>
#include <fstream>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "base/random.h"
#include "net/crowd.h"
#include "net/known_addresses.h"
#include "net/test_identity.h"
#include "net/test_real_peer.h"
#include "net/test_server.h"
#include "net/test_sets.h"

namespace twinsift::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::size_t kPeers = 10;
constexpr std::size_t kOwner = 3;
constexpr std::array<std::size_t, 3> kAskers = {0, 5, kPeers - 1};
constexpr std::uint32_t kSpam = 400;

// Shows the set that it was given, whatever is asked for; or only what it has.
class SetShelf final : public Shelf {
 public:
  void put(TokenSet set) { shown_ = test_representation(std::move(set)); }
  void lie() { lies_ = true; }
  [[nodiscard]] Result<std::vector<Resource>> resources() const override {
    if (shown_.set.empty()) return std::vector<Resource>{};
    return std::vector<Resource>{{resource_id(shown_.detector, shown_.set), shown_.detector}};
  }
  [[nodiscard]] Result<Representation> representation(const ResourceId& id) const override {
    if (lies_ || (!shown_.set.empty() && id == resource_id(shown_.detector, shown_.set))) {
      return shown_;
    }
    return Error{ErrorCode::kNotFound, "not here"};
  }

 private:
  Representation shown_;
  bool lies_ = false;
};

// Somebody with a server of another kind, who has nothing to do with it.
class Victim {
 public:
  [[nodiscard]] Address address() const { return server_.address(); }
  std::atomic<std::uint64_t> bytes = 0;

 private:
  TestServer server_{[this](DeadlineSocket& socket) {
    std::array<char, 4096> piece{};
    const auto count = socket.read(piece);
    bytes += count ? *count : 0;
    [[maybe_unused]] const auto sent =
        socket.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  }};
};

std::size_t resident_kilobytes() {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmRSS:")) return std::stoul(line.substr(6));
  }
  return 0;
}

struct Found {
  std::vector<Answer> answers;
  QuestionReport report;
  bool done = false;
};

class PeerLiars : public testing::Test {
 protected:
  PeerLiars() {
    Rng rng(21);
    auto [shown, asked] = test_pair(rng, 98);
    wanted_ = shown;
    question_ = {.detector = kTestDetector, .set = std::move(asked)};
    for (std::size_t i = 0; i < kPeers; ++i) {
      shelves_.emplace_back();
      if (i == kOwner) shelves_.back().put(wanted_);
      const Identity identity = test_identity(i + 1);
      RealPeer& peer = peers_.emplace_back(network_, identity, place_of(identity.public_key()));
      peer.become_peer(shelves_.back());
      const Address first = peers_.front().udp();
      peer.start(i == 0 ? nullptr : &first);
    }
    const auto begin = steady_clock::now();
    wait_until_found();
    std::printf("%zu peers came together in %.1f s\n", kPeers,
                std::chrono::duration<double>(steady_clock::now() - begin).count());
    const Configuration configuration =
        peers_[0].call([&] { return peers_[0].peer().status().configuration; });
    LabelMinima minima(network_.seed());
    minima.grow(question_.set, configuration.shape);
    sketches_ = label_sketches(question_.set, network_.seed(), kSketches);
    for (std::uint32_t table = 0; table < configuration.shape.labels; ++table) {
      keys_.push_back(network_.label_key(configuration.id(), kTestDetector, table,
                                         minima.label(configuration.shape, table), {}));
    }
  }

  Found ask(std::size_t asker) {
    const auto found = std::make_shared<Found>();
    RealPeer& peer = peers_[asker];
    peer.call([&] {
      peer.peer().ask(
          question_, [found](const Answer& answer) { found->answers.push_back(answer); },
          [found](const QuestionReport& report) {
            found->report = report;
            found->done = true;
          });
      return 0;
    });
    const auto end = steady_clock::now() + 2 * RealPeer::kPatience;
    while (!peer.call([&] { return found->done; }) && steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(5));
    }
    return peer.call([&] { return *found; });
  }

  // The network has come together, and the owner has published.
  void wait_until_found() {
    const auto end = steady_clock::now() + std::chrono::seconds(12);
    while (steady_clock::now() < end) {
      if (ask(kAskers.back()).answers.size() == 1) return;
      peers_[kOwner].call([&] {
        peers_[kOwner].peer().publish_again();
        return 0;
      });
      std::this_thread::sleep_for(milliseconds(200));
    }
    FAIL() << "the peers have not come together";
  }

  // Beside a key, so that everybody asks it first; what it puts it keeps itself, too.
  RealPeer& add_liar(const DhtKey& key, const Identity& identity) {
    DhtKey place = key;
    place.back() ^= 1;
    RealPeer& liar = liars_.emplace_back(network_, identity, place);
    const Address first = peers_.front().udp();
    liar.start(&first);
    const auto end = steady_clock::now() + std::chrono::seconds(1);
    while (liar.call([&] { return liar.node().status().good_nodes; }) < kPeers / 2 &&
           steady_clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(10));
    }
    return liar;
  }
  static void put(RealPeer& liar, const DhtKey& key, std::vector<DhtValue> values) {
    liar.call([&] {
      for (DhtValue& value : values) liar.node().put(key, std::move(value), [](bool) {});
      return 0;
    });
  }
  static void put(RealPeer& liar, const DhtKey& key, std::uint64_t id, std::string bytes) {
    put(liar, key, {{id, std::move(bytes)}});
  }

  // An entry that looks as near as can be.
  [[nodiscard]] Entry bait(const Identity& identity, std::size_t table, std::uint32_t resource,
                           const Address& address) const {
    Entry entry{.table = static_cast<std::uint16_t>(table),
                .expires = std::time(nullptr) + 3600,
                .address = address,
                .sketch = sketches_[table % kSketches],
                .owner = identity.public_key()};
    for (std::size_t i = 0; i < 4; ++i) {
      entry.resource[i] = static_cast<std::uint8_t>(resource >> (8 * i));
    }
    return entry;
  }

  // Some ask: the truth is found, and nothing else.
  QuestionReport expect_only_the_truth() {
    QuestionReport sum;
    for (const std::size_t asker : kAskers) {
      const Found found = ask(asker);
      EXPECT_TRUE(found.done) << asker;
      EXPECT_EQ(found.answers.size(), 1U) << asker;
      for (const Answer& answer : found.answers) {
        EXPECT_EQ(answer.shown.set, wanted_);
        EXPECT_EQ(answer.entry.owner, test_identity(kOwner + 1).public_key());
        EXPECT_NEAR(answer.similarity, .98, 1e-9);
      }
      sum.entries += found.report.entries;
      sum.rejected += found.report.rejected;
      sum.asked += found.report.asked;
      sum.exchanges += found.report.exchanges;
      sum.unshown += found.report.unshown;
      sum.lookups += found.report.lookups;
      sum.seconds = std::max(sum.seconds, found.report.seconds);
    }
    return sum;
  }

  std::uint64_t honest_bytes() {
    std::uint64_t bytes = 0;
    for (RealPeer& peer : peers_) bytes += peer.port.bytes_out + peer.shown().bytes_out;
    return bytes;
  }
  std::uint64_t lying_bytes() {
    std::uint64_t bytes = 0;
    for (RealPeer& liar : liars_) bytes += liar.port.bytes_out;
    return bytes;
  }
  std::size_t most_stored() {
    std::size_t most = 0;
    for (RealPeer& peer : peers_) {
      most = std::max(most, peer.call([&] { return peer.node().status().stored_values; }));
    }
    return most;
  }

  const Network network_{NetworkOptions{.goal = {.similarity = 0.8, .recall = 0.9}}};
  TokenSet wanted_;
  Question question_;
  std::vector<LabelSketch> sketches_;
  std::vector<DhtKey> keys_;
  std::deque<SetShelf> shelves_;
  std::deque<RealPeer> peers_;
  std::deque<RealPeer> liars_;
};

// One liar beside each label, with entries of every kind of falseness, whose datagrams are followed
// by damaged copies.  These name nodes that are not there, so that a question may take all of its
// patience; what is true is found meanwhile.
TEST_F(PeerLiars, FalseEntriesAndDamagedAnswersAreIgnored) {
  const Identity bad = test_identity(777);
  const Identity owner = test_identity(kOwner + 1);
  const Address nobody = *parse_address("127.0.0.1:9");
  Rng rng(5);
  for (std::size_t table = 0; table < keys_.size(); ++table) {
    const DhtKey& key = keys_[table];
    RealPeer& liar = add_liar(key, bad);
    DhtKey elsewhere = key;
    elsewhere[0] ^= 1;
    Entry entry = bait(bad, table, 1, nobody);
    std::string forged = seal(entry, key, bad);
    forged[30] = static_cast<char>(forged[30] ^ 1);
    put(liar, key, entry_id(entry), forged);
    entry = bait(owner, table, 2, nobody);  // in the name of the owner, without its key
    std::string stolen = seal(bait(bad, table, 2, nobody), key, bad);
    stolen.replace(kEntryBytes - 96, 32, reinterpret_cast<const char*>(entry.owner.data()), 32);
    put(liar, key, entry_id(entry), stolen);
    entry = bait(owner, table, 3, nobody);
    put(liar, key, entry_id(entry), seal(entry, elsewhere, owner));  // moved from another label
    entry = bait(owner, table, 4, nobody);
    entry.expires = std::time(nullptr) - 10;  // an old one of the owner, put again
    put(liar, key, entry_id(entry), seal(entry, key, owner));
    entry = bait(bad, table, 5, nobody);
    entry.expires = std::time(nullptr) + 100 * 24 * 3600;
    put(liar, key, entry_id(entry), seal(entry, key, bad));
    Entry true_one = bait(owner, table, 0, nobody);
    true_one.resource = resource_id(kTestDetector, wanted_);
    put(liar, key, entry_id(true_one), seal(bait(bad, table, 6, nobody), key, bad));  // squats
    put(liar, key, 99, "nothing of the kind");
    put(liar, key, 100, std::string(kEntryBytes, '\xFF'));
    liar.call([&] {
      liar.port.damage = [&rng](std::string_view bytes) {
        std::string flipped(bytes);
        for (int i = 0; i < 3; ++i) {
          flipped[rng.below(static_cast<std::uint32_t>(flipped.size()))] ^=
              static_cast<char>(1U << rng.below(8));
        }
        return std::vector<std::string>{flipped, std::string(bytes.substr(0, bytes.size() / 2)),
                                        std::string(bytes) + std::string(bytes)};
      };
      return 0;
    });
    std::this_thread::sleep_for(milliseconds(100));
  }
  std::this_thread::sleep_for(milliseconds(300));
  const QuestionReport sum = expect_only_the_truth();
  std::printf(
      "%zu false entries were rejected, %zu of %zu asked for were not shown; the slowest question "
      "took %.2f s\n",
      sum.rejected, sum.unshown, sum.asked, sum.seconds);
  EXPECT_GE(sum.rejected, kAskers.size() * 6);
  EXPECT_EQ(sum.unshown, 0U) << "nobody was even asked";
  // The honest nodes took none of them.
  for (RealPeer& peer : peers_) {
    EXPECT_LE(peer.call([&] { return peer.node().status().stored_values; }), keys_.size());
  }
  liars_.clear();
}

// Entries that are signed as they should be, of a peer that shows the question itself for each, and
// of many keys that name somebody else's address.
TEST_F(PeerLiars, WhoSaysOneToEverythingIsNotBelievedAndCostsLittle) {
  const Identity bad = test_identity(778);
  SetShelf mirror;
  mirror.put(question_.set);
  mirror.lie();
  Victim victim;
  const std::size_t memory = resident_kilobytes();
  const std::uint64_t honest = honest_bytes();
  RealPeer& liar = liars_.emplace_back(network_, bad, [&] {
    DhtKey place = keys_[0];
    place.back() ^= 1;
    return place;
  }());
  liar.serve(mirror);
  const Address first = peers_.front().udp();
  liar.start(&first);
  std::this_thread::sleep_for(milliseconds(500));
  std::vector<DhtValue> spam;
  for (std::uint32_t i = 0; i < kSpam; ++i) {
    const Entry entry = bait(bad, 0, i, liar.http());
    spam.push_back({entry_id(entry), seal(entry, keys_[0], bad)});
  }
  std::uint64_t of_victim = 0;  // bytes that name it
  for (std::uint32_t i = 0; i < 24; ++i) {
    const Identity key = test_identity(1000 + i);
    const Entry entry = bait(key, 0, i, victim.address());
    spam.push_back({entry_id(entry), seal(entry, keys_[0], key)});
    of_victim += kEntryBytes;
  }
  put(liar, keys_[0], std::move(spam));
  std::this_thread::sleep_for(milliseconds(1500));
  const double amplification = static_cast<double>(honest_bytes() - honest) /
                               static_cast<double>(std::max<std::uint64_t>(lying_bytes(), 1));
  const QuestionReport sum = expect_only_the_truth();
  const std::size_t most = most_stored();
  const double to_victim =
      static_cast<double>(victim.bytes) / static_cast<double>(of_victim) / kAskers.size();
  std::printf(
      "%u entries of a liar: others sent %.2f bytes for each of its own and store at most %zu "
      "values; each asker asked %.1f times for %.1f sets, and it showed %llu; somebody "
      "else got %.2f bytes from each asker for each byte that named it; the slowest question took "
      "%.2f s; memory grew by %zd kB\n",
      kSpam, amplification, most, static_cast<double>(sum.exchanges) / kAskers.size(),
      static_cast<double>(sum.asked) / kAskers.size(),
      static_cast<unsigned long long>(liar.shown().shown), to_victim, sum.seconds,
      static_cast<ssize_t>(resident_kilobytes()) - static_cast<ssize_t>(memory));
  EXPECT_GT(sum.unshown, 0U) << "it was asked, and not believed";
  EXPECT_LT(amplification, 2);
  EXPECT_LE(most, kMostEntries + 50);
  // A list of the liar, the owner, and what names the victim.
  EXPECT_LE(sum.asked, kAskers.size() * (kMostTogether + 1 + 24));
  EXPECT_LE(victim.bytes, kAskers.size() * KnownAddresses::kMostUnproven * 250);
  EXPECT_LE(liar.shown().shown, kAskers.size() * kMostTogether);
  liars_.clear();
}

}  // namespace
}  // namespace twinsift::net
