// SPDX-License-Identifier: Apache-2.0
// Peers on a virtual network: for tests and evaluation.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "base/random.h"
#include "net/asker.h"
#include "net/dht_node.h"
#include "net/network.h"
#include "net/peer.h"
#include "net/peer_identity.h"
#include "net/shelf.h"
#include "net/virtual_network.h"

namespace twinsift::net {

// A shelf in memory.
class MemoryShelf final : public Shelf {
 public:
  ResourceId put(Representation representation);
  void remove(const ResourceId& resource) { shown_.erase(resource); }
  [[nodiscard]] std::size_t size() const { return shown_.size(); }

  [[nodiscard]] Result<std::vector<Resource>> resources() const override;
  [[nodiscard]] Result<Representation> representation(const ResourceId& resource) const override;

 private:
  std::map<ResourceId, Representation> shown_;
};

struct VirtualPeersOptions {
  NetworkOptions network{};
  VirtualNetworkOptions virtual_network{};
  PeerOptions peer{};  // of each; the address is filled in
};

struct Asked {
  std::vector<Answer> answers;
  QuestionReport report{};
  bool done = false;
};

class VirtualPeer;

// Not thread-safe; one at a time in a process.
class VirtualPeers {
 public:
  explicit VirtualPeers(const VirtualPeersOptions& options);
  ~VirtualPeers();

  using HostId = VirtualNetwork::HostId;

  // A peer that joins one of the living; its identity is made from its number.
  HostId add(MemoryShelf shelf, std::int64_t clock_error = 0);
  [[nodiscard]] std::vector<HostId> living() const;
  [[nodiscard]] Peer& peer(HostId host);
  [[nodiscard]] DhtNode& node(HostId host);
  [[nodiscard]] MemoryShelf& shelf(HostId host);
  [[nodiscard]] const Identity& identity(HostId host) const { return identities_[host]; }
  [[nodiscard]] const Network& network() const { return network_; }
  VirtualNetwork& hosts() { return hosts_; }

  // The answer fills itself while time passes.
  std::shared_ptr<Asked> start(HostId host, Question question);
  // Lets time pass until it is done.
  Asked ask(HostId host, Question question);
  // Until every living peer has published everything at least once, at most so long.
  bool run_until_published(double seconds);

  // What a peer shows to another one when it is asked; for tests of those who lie.
  std::function<Shown(HostId, const Entry&)> show;
  // How often an owner was asked.
  [[nodiscard]] std::uint64_t fetches() const { return fetches_; }
  [[nodiscard]] std::uint64_t reports() const { return reports_; }

 private:
  friend class VirtualAsker;

  VirtualPeersOptions options_;
  Network network_;
  Rng rng_;
  std::uint64_t fetches_ = 0;
  std::uint64_t reports_ = 0;
  std::deque<Identity> identities_;  // peers hold references
  VirtualNetwork hosts_;             // last: peers use the others
};

// An identity for a number.
Identity virtual_identity(std::uint64_t number);

}  // namespace twinsift::net
