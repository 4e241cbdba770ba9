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

#include "net/entry.h"
#include "net/network.h"

namespace twinsift::net {

inline constexpr std::size_t kMostEntries = 256;  // under one key: 43 KB of at most 65 KB
inline constexpr std::size_t kMostOfOwner = 64;   // of these
// Who asks follows a bucket before it is full: entries above one may have expired since.
inline constexpr std::size_t kCrowd = kMostEntries * 3 / 4;
inline constexpr std::size_t kCrowdOfOwner = kMostOfOwner * 3 / 4;
inline constexpr std::uint8_t kDeepest = 8;

// The child of a bucket in which an entry belongs.
Shard child_for(Shard parent, const PublicKey& owner, const ResourceId& resource);

// Both children.  Requires: depth < kDeepest.
std::array<Shard, 2> children_of(Shard parent);

}  // namespace twinsift::net
