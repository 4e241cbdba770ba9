// SPDX-License-Identifier: Apache-2.0
// Crowded labels: a bucket that one datagram cannot answer becomes a tree.
//
// A storing node keeps at most kMostEntries under a key, so that the answer to one question always
// fits.  Whoever finds a bucket full publishes in one of its two children, by the next bit of a
// hash of owner and resource; whoever asks and finds a bucket full asks its children, too.  An
// entry is always in the first bucket on its way that had room, and every bucket above it is full:
// so nothing is missed, and the promise stands.  A tree that is deeper than kDeepest, or has more
// full buckets than a question may follow, is not followed to its end, and the question says so.
//
// Cost: a label with n entries takes at most 2 n / kCrowd questions more than one.
#pragma once

#include <array>
#include <cstdint>

#include "net/bucket_sizes.h"
#include "net/entry.h"
#include "net/network.h"

namespace twinsift::net {

// Of an answer each entry takes its bytes, 9 for its id and 3 for its length; all else, of which
// most are the places and addresses of 16 nodes, is less than a kilobyte.
static_assert(kMostEntries * (kEntryBytes + 9 + 3) + 1024 <= 65'507, "a datagram of UDP");

inline constexpr std::size_t kMostOfOwner = 64;  // under one key
inline constexpr std::size_t kCrowdOfOwner = kMostOfOwner * 3 / 4;
inline constexpr std::uint8_t kDeepest = 8;

// The child of a bucket in which an entry belongs.
Shard child_for(Shard parent, const PublicKey& owner, const ResourceId& resource);

// Both children.  Requires: depth < kDeepest.
std::array<Shard, 2> children_of(Shard parent);

}  // namespace twinsift::net
