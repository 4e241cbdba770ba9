// SPDX-License-Identifier: Apache-2.0
#include "net/crowd.h"

#include <cassert>

#include "base/sha256.h"
#include "net/byte_text.h"

namespace twinsift::net {

std::array<Shard, 2> children_of(Shard parent) {
  assert(parent.depth < kDeepest);
  const auto depth = static_cast<std::uint8_t>(parent.depth + 1);
  return {Shard{depth, parent.branch}, Shard{depth, parent.branch | 1U << parent.depth}};
}

Shard child_for(Shard parent, const PublicKey& owner, const ResourceId& resource) {
  std::string text = "twinsift shard 1";
  put_bytes(owner, text);
  put_bytes(resource, text);
  const std::string digest = sha256(text);
  const auto bits = ByteReader(digest).number<std::uint32_t>();
  return children_of(parent)[bits >> parent.depth & 1U];
}

}  // namespace twinsift::net
