// SPDX-License-Identifier: Apache-2.0
// Publishes the catalogue: each label of each item once in a period, under all configurations that
// hold, paced.
//
// To publish a label is to look at its bucket first, which costs nothing more: a put has to find
// the same nodes.  If the bucket is full, the entry goes to a child (net/crowd.h), and is looked
// after four times in a period, since those above may expire.  Whoever looks while many others
// publish the same may find room that is gone a moment later: what is new and has a popular label
// is published once more after a minute.
//
// Papers:  [POND] sec. IV-A.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "net/catalogue.h"
#include "net/configuration.h"
#include "net/dht_node.h"
#include "net/lifeline.h"
#include "net/network.h"
#include "net/pacer.h"
#include "net/peer_identity.h"

namespace twinsift::net {

struct PublisherOptions {
  Address address{};
  Rate rate{};
  std::size_t most_under_way = 64;
};

struct PublisherStatus {
  std::size_t labels = 0;       // to publish in a period
  std::size_t waiting = 0;      // of these: that were not published yet
  std::uint64_t published = 0;  // since the start
  std::uint64_t crowded = 0;    // of these: in a child
  std::uint64_t unplaced = 0;   // no bucket of the label's tree had room
  std::uint64_t failed = 0;     // nobody answered; tried again
  std::size_t unreadable = 0;   // items whose set the shelf could not show
};

// Not thread-safe.
class Publisher {
 public:
  // Requires: all that is given lives longer.
  Publisher(const PublisherOptions& options, const Network& network, const Identity& identity,
            Catalogue& catalogue, DhtNode& node);

  // Under which to publish from now on.
  void use(const std::vector<Configuration>& configurations, double now);
  void add_item(std::uint32_t item, double now);
  void remove_item(std::uint32_t item);
  // Everything is due now.
  void publish_again(double now);

  // Starts what is due; returns when to be called again at the latest.
  double tick(const Moment& now);
  // A lookup has ended: who is near to which place.
  std::function<void(const DhtKey&, const LookupEnd&)> on_lookup;

  [[nodiscard]] PublisherStatus status() const;

 private:
  struct Thing {
    std::uint32_t item = 0;
    std::uint32_t table = 0;
    std::uint64_t configuration = 0;  // its id
    LabelShape shape{};
    bool sketch = true;
    std::uint32_t generation = 0;  // counts the things that had this number
    bool published = false;
  };
  struct Look;  // at one bucket
  struct Crowd {
    std::size_t others = 0;
    std::size_t own = 0;  // of this peer, but of other items
    [[nodiscard]] bool is_full() const;
  };

  void add_things(std::uint32_t item, const Configuration& configuration, double now);
  void remove_things(std::uint32_t item, std::uint64_t configuration);
  void start(std::uint64_t number);
  void look(std::uint64_t number, std::uint32_t generation, const std::string& label, Shard shard);
  void decide(const Look& look, const LookupEnd& end);
  void put(const Look& look);
  void try_again(std::uint64_t number, std::uint32_t generation, double seconds);
  [[nodiscard]] Crowd crowd(const Look& look) const;
  void look_after(const Look& look);
  void put_done(std::uint64_t number, std::uint32_t generation, bool answered);

  PublisherOptions options_;
  const Network& network_;
  const Identity& identity_;
  Catalogue& catalogue_;
  DhtNode& node_;
  Moment now_{};
  Pacer pacer_;
  std::vector<Configuration> configurations_;
  std::vector<Thing> things_;
  std::vector<std::uint64_t> free_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::vector<std::uint64_t>> numbers_;
  std::size_t under_way_ = 0;
  std::size_t unpublished_ = 0;
  PublisherStatus status_{};
  Lifeline lifeline_;
};

}  // namespace twinsift::net
