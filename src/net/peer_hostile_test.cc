// SPDX-License-Identifier: Apache-2.0
// Forgers, repeaters, squatters, spammers and liars: nothing wrong is reported, nothing right is
// lost, and what it costs is bounded.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "net/crowd.h"
#include "net/test_sets.h"
#include "net/virtual_peers.h"

namespace twinsift::net {
namespace {

// A node with a place of its choice.  What it puts it also keeps itself, whatever it is: so it
// answers with that.
class HostileHost final : public VirtualHost {
 public:
  HostileHost(const Network& network, const DhtKey& place, const Address& join,
              Datagrams& datagrams, const Moment& now)
      : node_(network, {.place = place, .most_requests = -1, .most_requests_of_one = -1}, datagrams,
              now) {
    node_.join(join);
  }
  void receive(const Address& from, std::string_view bytes, const Moment& now) override {
    node_.receive(from, bytes, now);
  }
  double tick(const Moment& now) override { return node_.tick(now); }
  DhtNode& node() { return node_; }

 private:
  DhtNode node_;
};

constexpr std::uint32_t kPeers = 16;

class PeerHostile : public testing::Test {
 protected:
  static VirtualPeersOptions options() {
    VirtualPeersOptions options;
    options.network.goal = {.similarity = 0.8, .recall = 0.9};
    options.peer.tunes = false;
    return options;
  }

  PeerHostile() : all_(options()) {
    Rng rng(11);
    auto [shown, asked] = test_pair(rng, 98);
    wanted_ = shown;
    question_ = {.detector = kTestDetector, .set = std::move(asked)};
    for (std::uint32_t i = 0; i < kPeers; ++i) {
      MemoryShelf shelf;
      if (i == kOwner) shelf.put(test_representation(wanted_));
      all_.add(std::move(shelf));
      all_.hosts().run(0.2);
    }
    all_.hosts().run(120);
    all_.peer(kOwner).publish_again();  // all are there now
    all_.hosts().stir(kOwner);
    all_.hosts().run(30);
    const Configuration configuration = all_.peer(0).status().configuration;
    LabelMinima minima(all_.network().seed());
    minima.grow(question_.set, configuration.shape);
    sketches_ = label_sketches(question_.set, all_.network().seed(), kSketches);
    for (std::uint32_t table = 0; table < configuration.shape.labels; ++table) {
      keys_.push_back(all_.network().label_key(configuration.id(), kTestDetector, table,
                                               minima.label(configuration.shape, table), {}));
    }
  }

  // Beside the key, so that everybody asks it first.
  HostileHost& add_hostile(const DhtKey& key, std::uint8_t number) {
    DhtKey place = key;
    place.back() ^= number;
    const VirtualNetwork::HostId id = all_.hosts().add([&](Datagrams& datagrams) {
      return std::make_unique<HostileHost>(all_.network(), place, all_.hosts().address(0),
                                           datagrams, Moment{1e6 + all_.hosts().seconds(), now()});
    });
    hostile_.push_back(id);
    all_.hosts().run(30);
    return dynamic_cast<HostileHost&>(*all_.hosts().host(id));
  }
  [[nodiscard]] std::int64_t now() const { return all_.hosts().now(0).unix_seconds; }

  // An entry that looks as near as can be.
  Entry bait(const Identity& identity, std::uint16_t table, std::uint32_t resource) const {
    Entry entry{.table = table,
                .expires = now() + 3600,
                .address = all_.hosts().address(kOwner + 1),
                .sketch = sketches_[table % kSketches],
                .owner = identity.public_key()};
    for (std::size_t i = 0; i < 4; ++i) {
      entry.resource[i] = static_cast<std::uint8_t>(resource >> (8 * i));
    }
    return entry;
  }
  static void put(HostileHost& host, const DhtKey& key, std::uint64_t id, std::string bytes) {
    host.node().put(key, {id, std::move(bytes)}, [](bool) {});
  }

  // The one that is right is found, and nothing else.
  Asked expect_only_the_truth() {
    Asked asked = all_.ask(kAsker, question_);
    EXPECT_EQ(asked.answers.size(), 1U);
    for (const Answer& answer : asked.answers) EXPECT_EQ(answer.shown.set, wanted_);
    return asked;
  }

  static constexpr VirtualPeers::HostId kOwner = 3;
  static constexpr VirtualPeers::HostId kAsker = 9;
  mutable VirtualPeers all_;
  TokenSet wanted_;
  Question question_;
  std::vector<LabelSketch> sketches_;
  std::vector<DhtKey> keys_;
  std::vector<VirtualNetwork::HostId> hostile_;
};

TEST_F(PeerHostile, ForgedMovedSquattedAndExpiredEntriesAreIgnored) {
  const Identity bad = virtual_identity(777);
  for (std::uint16_t table = 0; table < keys_.size(); ++table) {
    const DhtKey& key = keys_[table];
    HostileHost& host = add_hostile(key, 1);
    Entry entry = bait(bad, table, 1);
    std::string forged = seal(entry, key, bad);
    forged[30] = static_cast<char>(forged[30] ^ 1);
    put(host, key, entry_id(entry), forged);
    DhtKey elsewhere = key;
    elsewhere[0] ^= 1;
    entry = bait(bad, table, 2);
    put(host, key, entry_id(entry), seal(entry, elsewhere, bad));  // signed for another key
    entry = bait(bad, table, 3);
    put(host, key, entry_id(entry) + 1, seal(entry, key, bad));  // in the place of another
    entry = bait(bad, table, 4);
    entry.expires = now() - 10;
    put(host, key, entry_id(entry), seal(entry, key, bad));
    entry = bait(bad, table, 5);
    entry.expires = now() + 100 * 24 * 3600;
    put(host, key, entry_id(entry), seal(entry, key, bad));
    put(host, key, 99, "nothing of the kind");
    all_.hosts().stir(hostile_.back());
  }
  all_.hosts().run(30);
  const Asked asked = expect_only_the_truth();
  EXPECT_GE(asked.report.rejected, 5 * keys_.size());
  EXPECT_EQ(asked.report.unshown, 0U);  // nobody was even asked
  std::uint64_t refused = 0;
  for (VirtualPeers::HostId host = 0; host < kPeers; ++host) {
    refused += all_.node(host).status().refused_values;
  }
  EXPECT_GT(refused, 0U);  // by the honest nodes that were to store them
}

// In the name of the owner and of what it has published, with the sketch of a stranger, under every
// label and nearer to it than the truth: whoever gets that first still finds the true one.
TEST_F(PeerHostile, ForgedSketchesDoNotPushTheTruthOut) {
  const Identity bad = virtual_identity(780);
  const PublicKey owner = all_.identity(kOwner).public_key();
  for (std::uint16_t table = 0; table < keys_.size(); ++table) {
    Entry entry = bait(bad, table, 0);
    entry.resource = resource_id(kTestDetector, wanted_);
    std::ranges::transform(entry.sketch, entry.sketch.begin(), std::bit_not());
    std::string forged = seal(entry, keys_[table], bad);
    forged.replace(kEntryBytes - 96, owner.size(), reinterpret_cast<const char*>(owner.data()),
                   owner.size());
    entry.owner = owner;
    for (std::uint8_t number = 1; number <= 4; ++number) {
      HostileHost& host = add_hostile(keys_[table], number);
      put(host, keys_[table], entry_id(entry), forged);
      all_.hosts().stir(hostile_.back());
    }
  }
  std::size_t rejected = 0;
  for (int i = 0; i < 6; ++i) {
    // A newcomer: most others keep a copy of the truth themselves, and see it first.
    const VirtualPeers::HostId asker = all_.add({});
    all_.hosts().run(30);
    const Asked asked = all_.ask(asker, question_);
    EXPECT_EQ(asked.answers.size(), 1U) << asker;
    EXPECT_EQ(asked.report.strangers, 0U) << asker;
    rejected += asked.report.rejected;
  }
  EXPECT_GT(rejected, 0U) << "nobody got what is forged";
}

TEST_F(PeerHostile, WhoCannotShowWhatWasPublishedIsNotBelieved) {
  const Identity bad = virtual_identity(778);
  HostileHost& host = add_hostile(keys_[0], 1);
  for (std::uint32_t i = 0; i < 20; ++i) {
    const Entry entry = bait(bad, 0, i);
    put(host, keys_[0], entry_id(entry), seal(entry, keys_[0], bad));
  }
  all_.hosts().stir(hostile_.back());
  all_.hosts().run(30);
  // It shows what was asked for, as if it knew: a similarity of 1 to everything.
  all_.show = [&](VirtualPeers::HostId shower, const Entry& entry) -> Shown {
    if (shower == kOwner) return all_.shelf(shower).representation(entry.resource);
    return test_representation(question_.set);
  };
  const Asked asked = expect_only_the_truth();
  EXPECT_EQ(asked.report.unshown, 20U);
  // The true one, 16 that were under way when it was found out, and one after the first failure.
  EXPECT_LE(asked.report.asked, 1 + 16 + 1U);
}

TEST_F(PeerHostile, SpamOnOneLabelHidesNothingAndCostsABoundedAmount) {
  constexpr std::uint32_t kSpam = 5000;
  const Identity bad = virtual_identity(779);
  HostileHost& host = add_hostile(keys_[0], 1);
  const Traffic before = all_.hosts().traffic();
  const Traffic own_before = all_.hosts().traffic(hostile_.back());
  for (std::uint32_t i = 0; i < kSpam; ++i) {
    const Entry entry = bait(bad, 0, i);
    put(host, keys_[0], entry_id(entry), seal(entry, keys_[0], bad));
    if (i % 100 == 99) {
      all_.hosts().stir(hostile_.back());
      all_.hosts().run(2);
    }
  }
  all_.hosts().run(60);
  const Traffic sent = all_.hosts().traffic() - before;
  const Traffic own = all_.hosts().traffic(hostile_.back()) - own_before;
  const double amplification =
      static_cast<double>(sent.bytes - own.bytes) / static_cast<double>(own.bytes);
  std::size_t most_stored = 0;
  for (VirtualPeers::HostId peer = 0; peer < kPeers; ++peer) {
    most_stored = std::max(most_stored, all_.node(peer).status().stored_values);
  }
  const Asked asked = expect_only_the_truth();
  std::printf(
      "%u entries of spam: others sent %.2f bytes for each of the spammer's, and store at "
      "most %zu values; the question: %zu lookups, %zu asked, %.2f s\n",
      kSpam, amplification, most_stored, asked.report.lookups, asked.report.asked,
      asked.report.seconds);
  EXPECT_LT(amplification, 2);
  EXPECT_LE(most_stored, kMostOfOwner + 50);
  EXPECT_LE(asked.report.lookups, keys_.size() + question_.most_buckets);
  EXPECT_LE(asked.report.asked, 20U);
}

}  // namespace
}  // namespace twinsift::net
