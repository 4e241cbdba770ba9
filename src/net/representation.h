// SPDX-License-Identifier: Apache-2.0
// What a peer shows of a resource: its set, and what people want to know of it.
//
// The id of a resource is a hash of its detector and its set.  It stands in signed entries before
// anybody asks, so an owner can show only the set that it has published, whatever is asked: the
// asker hashes what comes, and computes the similarity itself.  Nobody's word is taken for it, and
// the question never leaves the asker.
//
// Differs: in the paper the asker sends its representation to all candidates, and believes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/entry.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift::net {

struct Representation {
  std::string detector;  // spec of what made the set
  TokenSet set;          // sorted, unique, not empty
  // Of these the id says nothing: they are as true as their owner.
  std::string title;  // a file name
  double begin_seconds = 0;
  double end_seconds = 0;  // 0, 0: of the whole item
  friend bool operator==(const Representation&, const Representation&) = default;
};

inline constexpr std::size_t kMostShown = std::size_t{16} << 20U;  // bytes

ResourceId resource_id(std::string_view detector, std::span<const std::uint64_t> set);

std::string encode(const Representation& representation);
// kCorrupt if these are not bytes of encode(), or if they are not those of this resource.
Result<Representation> decode_representation(std::string_view bytes, const ResourceId& resource);

}  // namespace twinsift::net
