// SPDX-License-Identifier: Apache-2.0
// The lookups of a node that are under way, and what each of the nodes that were asked says.
//
// OpenDHT takes the values of the first node that has any, and drops what others have: to it, two
// values with the same fields are one, whatever is in the fields.  So a node that is quick and
// lies, or has only some, would hide all others.  Here the answers are read as they come in, and
// all of them count.  Which key an answer is for is known from the request that it answers.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "net/dht_node.h"
#include "net/entry.h"
#include "net/network.h"

namespace twinsift::net {

// Not thread-safe.
class Lookups {
 public:
  using Id = std::uint64_t;

  Id begin(const DhtKey& key, std::function<void(const DhtValue&)> found);
  void end(Id lookup);

  // A datagram goes out, or has come in.
  void sent(const Address& to, std::string_view bytes, double now);
  void received(const Address& from, std::string_view bytes);
  // A value from elsewhere, for one lookup.
  void give(Id lookup, const DhtValue& value);

 private:
  struct Lookup {
    DhtKey key{};
    std::function<void(const DhtValue&)> found;
    std::set<DhtValue> given{};
  };
  using Request = std::pair<Address, std::uint32_t>;  // whom, and the number of the transaction

  Id last_ = 0;
  std::map<Id, Lookup> lookups_;
  std::multimap<DhtKey, Id> by_key_;
  std::map<Request, DhtKey> requests_;
  std::deque<std::pair<double, Request>> ages_;
};

}  // namespace twinsift::net
