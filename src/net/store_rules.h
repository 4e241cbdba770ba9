// SPDX-License-Identifier: Apache-2.0
// What a node keeps for others: entries and configurations that are what they say, and not too
// many.
//
// At most kMostEntries stand under a key, so that one datagram can answer, and at most kMostOfOwner
// of one owner, so that nobody alone can fill it.  What is full stays as it is: the first who came
// is kept until it expires, and a later one goes to another bucket (net/crowd.h).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "net/crowd.h"
#include "net/network.h"
#include "twinsift/result.h"

namespace twinsift::net {

// What a node keeps under one key.
struct StoredValue {
  std::uint64_t id = 0;
  std::string_view bytes;
};

// kLimit if there is no room; kCorrupt if the value is none that may stand under this key.
Status may_store(const Network& network, const DhtKey& key, const StoredValue& value,
                 std::span<const StoredValue> present, std::int64_t now);

// kCorrupt if the new value is not one, or not newer than the old one of the same id.
Status may_replace(const Network& network, const DhtKey& key, const StoredValue& old_value,
                   const StoredValue& new_value, std::int64_t now);

}  // namespace twinsift::net
