// SPDX-License-Identifier: Apache-2.0
// A node of the distributed hash table: OpenDHT, without its threads, sockets and clock.
//
// A value is an id and at most some hundred bytes.  It is kept by the nodes nearest to its key, and
// each of them looks at it first: only entries and configurations that were signed for this key
// come in, at most kMostEntries under a key and so many of one owner, none longer than the
// network's lifetime.  So nobody can fill a node with anything else, or keep others out of a label.
//
// Limits:  the bytes stand in the field that OpenDHT calls user_type, which alone can be asked for
//          together with the ids in one datagram from each node.
// Trust:   the nodes that are asked may lie: whoever asks checks everything again.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/datagrams.h"
#include "net/moment.h"
#include "net/network.h"
#include "twinsift/result.h"

namespace twinsift::net {

struct DhtNodeOptions {
  DhtKey place{};  // of this node: place_of() its identity
  // Of requests from others, in a second: all together, and from one address; -1: no limit.
  int most_requests = 1600;
  int most_requests_of_one = 200;
  std::size_t most_stored = std::size_t{64} << 20U;  // bytes of values, of all others together
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
  bool reached = false;  // some node near the key has answered
  bool full = false;     // one of them has kMostEntries under this key: there may be more
  std::vector<DhtContact> nearest;
};

struct DhtNodeStatus {
  std::size_t good_nodes = 0;
  std::size_t known_nodes = 0;
  std::size_t stored_values = 0;
  std::size_t stored_bytes = 0;
  std::uint64_t refused_values = 0;  // since the start
};

// Not thread-safe.  Callbacks come from within receive(), tick(), put() and query().
class DhtNode {
 public:
  // Requires: the datagrams live longer.
  DhtNode(const Network& network, const DhtNodeOptions& options, Datagrams& datagrams);
  ~DhtNode();
  DhtNode(const DhtNode&) = delete;
  DhtNode& operator=(const DhtNode&) = delete;

  // Another peer of the network; any number of times.  It is pinged until somebody is known.
  void join(const Address& address);

  // A datagram has come.
  void receive(const Address& from, std::string_view bytes, const Moment& now);
  // Does what is due; returns the second at which it wants to be called again at the latest.
  double tick(const Moment& now);

  // Gives a value to the nodes nearest to the key, in the place of one with the same id.  `done`
  // says whether any of them has answered: not that it has taken it.
  void put(const DhtKey& key, DhtValue value, std::function<void(bool)> done);
  // Calls `found` for values as they come, each (id, bytes) once, and `done` at the end.
  void query(const DhtKey& key, std::function<void(const DhtValue&)> found,
             std::function<void(const LookupEnd&)> done);
  // Only who is near a place: DhtKey() may be asked for, too.
  void nearest(const DhtKey& place, std::function<void(std::vector<DhtContact>)> done);

  [[nodiscard]] DhtNodeStatus status() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace twinsift::net
