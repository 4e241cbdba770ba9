// SPDX-License-Identifier: Apache-2.0
#include "net/virtual_peers.h"

#include <algorithm>
#include <utility>

namespace twinsift::net {
namespace {

constexpr double kDeadSeconds = 3;  // until a caller gives up
constexpr double kHandshakes = 1;   // round trips before a question is sent: that of TCP

}  // namespace

// Asks peers of the same process, as HTTP would.
class VirtualAsker final : public Asker {
 public:
  VirtualAsker(VirtualPeers& peers, VirtualNetwork::HostId self) : peers_(peers), self_(self) {}

  void fetch(const std::vector<Entry>& entries,
             std::function<void(std::vector<Shown>)> done) override {
    ++peers_.fetches_;
    const auto each = [count = entries.size(),
                       done = std::move(done)](Result<std::vector<Shown>> answer) {
      done(answer ? *std::move(answer)
                  : std::vector<Shown>(count, Result<Representation>(answer.error())));
    };
    call<std::vector<Shown>>(entries.front().address, each,
                             [this, entries](VirtualNetwork::HostId host) {
                               return Result<std::vector<Shown>>(show(host, entries));
                             });
  }

  void report(const Address& address, std::uint64_t version,
              std::function<void(Result<std::string>)> done) override {
    ++peers_.reports_;
    call<std::string>(address, std::move(done), [this, version](VirtualNetwork::HostId host) {
      return peers_.peer(host).report(version);
    });
  }

 private:
  std::vector<Shown> show(VirtualNetwork::HostId host, const std::vector<Entry>& entries) {
    std::vector<Shown> all;
    for (const Entry& entry : entries) {
      all.push_back(peers_.show ? peers_.show(host, entry)
                                : Shown(peers_.shelf(host).representation(entry.resource)));
    }
    return all;
  }

  template <class T, class Reply>
  void call(const Address& address, std::function<void(Result<T>)> done, Reply reply) {
    VirtualNetwork& hosts = peers_.hosts();
    const VirtualNetwork::HostId host = hosts.host_at(address);
    if (host == VirtualNetwork::kNobody) {
      hosts.after(kDeadSeconds, self_, [done] { done(Error{ErrorCode::kIo, "nobody answers"}); });
      return;
    }
    const double one_way = hosts.latency(self_, host);
    hosts.after((2 * kHandshakes + 2) * one_way, self_, [this, address, done, reply] {
      const VirtualNetwork::HostId still = peers_.hosts().host_at(address);
      if (still == VirtualNetwork::kNobody) {
        done(Error{ErrorCode::kIo, "it has gone"});
      } else {
        done(reply(still));
      }
    });
  }

  VirtualPeers& peers_;
  VirtualNetwork::HostId self_;
};

class VirtualPeer final : public VirtualHost {
 public:
  VirtualPeer(VirtualPeers& peers, VirtualNetwork::HostId self, MemoryShelf shelf,
              PeerOptions options, Datagrams& datagrams, const Moment& now)
      : shelf_(std::move(shelf)),
        asker_(peers, self),
        node_(peers.network(),
              {.place = place_of(peers.identity(self).public_key()),
               .most_requests = -1,
               .most_requests_of_one = -1},
              datagrams, now) {
    options.address = datagrams.bound();
    peer_ = *Peer::make(options, peers.network(), peers.identity(self), shelf_, node_, asker_);
  }

  void receive(const Address& from, std::string_view bytes, const Moment& now) override {
    node_.receive(from, bytes, now);
  }
  double tick(const Moment& now) override { return peer_->tick(now); }

  Peer& peer() { return *peer_; }
  DhtNode& node() { return node_; }
  MemoryShelf& shelf() { return shelf_; }

 private:
  MemoryShelf shelf_;
  VirtualAsker asker_;
  DhtNode node_;
  std::unique_ptr<Peer> peer_;
};

ResourceId MemoryShelf::put(Representation representation) {
  const ResourceId id = resource_id(representation.detector, representation.set);
  shown_[id] = std::move(representation);
  return id;
}

Result<std::vector<Resource>> MemoryShelf::resources() const {
  std::vector<Resource> all;
  all.reserve(shown_.size());
  for (const auto& [id, shown] : shown_) all.push_back({id, shown.detector});
  return all;
}

Result<Representation> MemoryShelf::representation(const ResourceId& resource) const {
  const auto found = shown_.find(resource);
  if (found == shown_.end()) return Error{ErrorCode::kNotFound, "no such resource"};
  return found->second;
}

Identity virtual_identity(std::uint64_t number) {
  std::string seed(32, 'v');
  for (std::size_t i = 0; i < 8; ++i) seed[i] = static_cast<char>(number >> (8 * i) & 0xFFU);
  return *Identity::from_seed(seed);
}

VirtualPeers::VirtualPeers(const VirtualPeersOptions& options)
    : options_(options),
      network_(options.network),
      rng_(options.virtual_network.seed),
      hosts_(options.virtual_network) {}
VirtualPeers::~VirtualPeers() = default;

VirtualPeers::HostId VirtualPeers::add(MemoryShelf shelf, std::int64_t clock_error) {
  const std::vector<HostId> others = living();
  const auto id = static_cast<HostId>(hosts_.size());
  while (identities_.size() <= id) identities_.push_back(virtual_identity(identities_.size()));
  hosts_.add(
      [&](Datagrams& datagrams) {
        auto peer = std::make_unique<VirtualPeer>(*this, id, std::move(shelf), options_.peer,
                                                  datagrams, hosts_.now(id));
        if (!others.empty()) {
          const std::uint32_t luck = rng_.below(static_cast<std::uint32_t>(others.size()));
          peer->node().join(hosts_.address(others[luck]));
        }
        return peer;
      },
      clock_error);
  return id;
}

std::vector<VirtualPeers::HostId> VirtualPeers::living() const {
  std::vector<HostId> all;
  for (HostId id = 0; id < hosts_.size(); ++id) {
    if (id < identities_.size() && hosts_.is_alive(id)) all.push_back(id);
  }
  return all;
}

Peer& VirtualPeers::peer(HostId host) {
  return dynamic_cast<VirtualPeer&>(*hosts_.host(host)).peer();
}
DhtNode& VirtualPeers::node(HostId host) {
  return dynamic_cast<VirtualPeer&>(*hosts_.host(host)).node();
}
MemoryShelf& VirtualPeers::shelf(HostId host) {
  return dynamic_cast<VirtualPeer&>(*hosts_.host(host)).shelf();
}

std::shared_ptr<Asked> VirtualPeers::start(HostId host, Question question) {
  auto asked = std::make_shared<Asked>();  // shared: the peer fills it
  peer(host).ask(
      std::move(question), [asked](const Answer& answer) { asked->answers.push_back(answer); },
      [asked](const QuestionReport& report) {
        asked->report = report;
        asked->done = true;
      });
  hosts_.stir(host);
  return asked;
}

Asked VirtualPeers::ask(HostId host, Question question) {
  const std::shared_ptr<Asked> asked = start(host, std::move(question));
  hosts_.run_until([&] { return asked->done; }, 600);
  return *asked;
}

bool VirtualPeers::run_until_published(double seconds) {
  const double end = hosts_.seconds() + seconds;
  const auto published = [&](HostId host) {
    const PeerStatus status = peer(host).status();
    return status.resources == shelf(host).size() && status.labels_waiting == 0;
  };
  while (!std::ranges::all_of(living(), published)) {
    if (hosts_.seconds() >= end) return false;
    hosts_.run(5);
  }
  return true;
}

}  // namespace twinsift::net
