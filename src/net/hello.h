// SPDX-License-Identifier: Apache-2.0
// What a peer says of its network and its clock to whoever is about to join it, so that a network
// that cannot work is refused with the reason, and not joined in vain.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/deadline_socket.h"
#include "net/entry.h"
#include "net/network.h"
#include "net/peer_identity.h"
#include "twinsift/result.h"

namespace twinsift::net {

struct Hello {
  std::uint32_t dht_id = 0;  // which every datagram tells, too
  std::int64_t unix_seconds = 0;
  double similarity = 0;  // the network's promise
  double recall = 0;
  std::uint32_t period = 0;  // seconds
  std::uint32_t lifetime = 0;
  bool one_bit = false;
  PublicKey key{};
  friend bool operator==(const Hello&, const Hello&) = default;
};

inline constexpr std::size_t kHelloBytes = 4 + 4 + 8 + 8 + 8 + 4 + 4 + 1 + 32;

Hello hello_of(const Network& network, const PublicKey& key, bool one_bit, std::int64_t now);

std::string encode(const Hello& hello);
Result<Hello> decode_hello(std::string_view bytes);  // kCorrupt

// From somebody who is to be joined.  kIo, kLimit or kCorrupt if no peer answers there.
Result<Hello> ask_hello(const Address& address, Deadline deadline);

// kInvalidArgument if a peer that would say `mine` cannot work with one that says `other`, if both
// have one key, and so one place among the nodes, or if their clocks are further apart than
// kClockSkew.
Status check_hello(const Hello& mine, const Hello& other, const Address& address);
// A sentence if the clocks differ by some minutes, which is allowed; else empty.
std::string clock_note(const Hello& mine, const Hello& other, const Address& address);

}  // namespace twinsift::net
