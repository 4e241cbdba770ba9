// SPDX-License-Identifier: Apache-2.0
// A node of the distributed hash table: OpenDHT, without its threads, sockets and clock.
//
// A value is an id and at most some hundred bytes.  It is kept by the eight nodes nearest to its
// key, and each of them looks at it first (net/store_rules.h): only entries and configurations that
// were signed for this key come in, not too many, and none longer than the network's lifetime.
// What OpenDHT would do for strangers beyond that is dropped at the door (net/wire_message.h).
//
// A value is put once and vanishes a lifetime later; whoever wants it to stay puts it again.
// OpenDHT's own permanent values would keep the old signature, and cost a question more for each
// node and value.
//
// Limits:  the bytes stand in the field that OpenDHT calls user_type, which alone can be asked for
//          together with the ids in one datagram from each node.
// Trust:   the nodes that are asked may lie: whoever asks checks everything again.
// Cost:    about 60 datagrams to put and 30 to ask in a network of 64 nodes; see docs/peers.md.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/datagrams.h"
#include "net/moment.h"
#include "net/network.h"
#include "net/rate_limit.h"
#include "twinsift/result.h"

namespace twinsift::net {

struct DhtNodeOptions {
  DhtKey place{};  // of this node: place_of() its identity
  // Requests from others in a second: all together, and from one address; -1: no limit.
  int most_requests = 1600;
  int most_requests_of_one = 200;
  std::size_t most_values = 200'000;  // of others; each takes about a kilobyte of memory
  // Bytes of large datagrams to one address that is not this machine's: who asks need not be who
  // gets the answer, and a full key answers with 400 times the bytes of the question.
  Rate large_bytes{.per_second = 64e3, .burst = 1e6};
};

struct DhtValue {
  std::uint64_t id = 0;
  std::string bytes;
  friend auto operator<=>(const DhtValue&, const DhtValue&) = default;
};

// Another node, as far as this one knows.
struct DhtContact {
  DhtKey place{};
  Address address{};
};

struct LookupEnd {
  bool reached = false;             // some node near the key has answered
  std::vector<DhtContact> nearest;  // to the key, nearest first, without this node
};

struct DhtNodeStatus {
  std::size_t good_nodes = 0;   // that have answered lately
  std::size_t known_nodes = 0;  // with those that may be gone
  std::size_t stored_values = 0;
  // Since the start:
  std::uint64_t refused_values = 0;     // by the rules
  std::uint64_t dropped_messages = 0;   // at the door
  std::uint64_t withheld_messages = 0;  // large ones, to somebody who got too many
};

// Not thread-safe.  Callbacks come from within receive(), tick(), put() and query(), and may put
// and query.
class DhtNode {
 public:
  // Requires: the datagrams live longer.  `now` is the present.
  DhtNode(const Network& network, const DhtNodeOptions& options, Datagrams& datagrams,
          const Moment& now);
  ~DhtNode();
  DhtNode(const DhtNode&) = delete;
  DhtNode& operator=(const DhtNode&) = delete;

  // Another peer of the network; any number of times.  It is asked again and again while nobody
  // answers.
  void join(const Address& address);

  // A datagram has come.
  void receive(const Address& from, std::string_view bytes, const Moment& now);
  // Does what is due; returns the second at which it wants to be called again at the latest.
  // Must be called soon after join(), put() and query(); Peer::tick() does it.
  double tick(const Moment& now);

  // Gives a value to the nodes nearest to the key, in the place of one with the same id.  `done`
  // says whether any of them has answered: not that it has taken it.
  void put(const DhtKey& key, DhtValue value, std::function<void(bool)> done);
  // Calls `found` for values as they come, each (id, bytes) once, and `done` at the end.
  void query(const DhtKey& key, std::function<void(const DhtValue&)> found,
             std::function<void(const LookupEnd&)> done);
  // Only who is near a place.
  void nearest(const DhtKey& place, std::function<void(const LookupEnd&)> done);

  [[nodiscard]] const DhtKey& place() const;
  [[nodiscard]] DhtNodeStatus status() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twinsift::net
