// SPDX-License-Identifier: Apache-2.0
// What a peer says to another one over HTTP, to see what that one has published.
//
//     GET /twinsift/2/show/OWNER/NONCE/RESOURCES[/TICKET/ASKER/SIGNATURE]
//                                             proof 64 | net/shown_list.h, covered by net/veil.h
//     GET /twinsift/2/ticket                  ticket 16
//     GET /twinsift/2/report/VERSION          what Peer::report() makes
//     GET /twinsift/2/hello                   net/hello.h
//
// All that a question wants of an owner is asked for at once, up to kMostTogether resources, the
// best ones first: one request, one answer.  The answer begins with a proof: the owner's signature
// of the request, in which there is a number that the asker has just drawn, so that an old answer
// proves nothing.  The asker reads and checks these 64 bytes before all others.  Whoever was named
// in an entry by somebody else has been sent one request, and can make nobody read more than that.
// What follows needs no signature: sets are known by their hash.
//
// Where only some may ask, the asker signs the request, too, with a ticket that the owner has made
// for this very connection: a signature that was overheard is good for nobody else.  Only they pay
// for a ticket, two messages more; clocks need not agree, and the owner remembers nothing.
//
// What is signed begins with its purpose and the network, so that no signature is good for anything
// else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "net/entry.h"
#include "net/network.h"
#include "net/peer_identity.h"
#include "net/shown_list.h"
#include "twinsift/result.h"

namespace twinsift::net {

using Nonce = std::array<std::uint8_t, 16>;   // drawn by the asker
using Ticket = std::array<std::uint8_t, 16>;  // made by the owner

struct SignedAsker {
  Ticket ticket{};
  PublicKey key{};
  Signature signature{};
  friend bool operator==(const SignedAsker&, const SignedAsker&) = default;
};
struct ShowRequest {
  PublicKey owner{};
  Nonce nonce{};
  std::vector<ResourceId> resources{};  // 1 to kMostTogether, each once
  std::optional<SignedAsker> asker{};
  friend bool operator==(const ShowRequest&, const ShowRequest&) = default;
};

struct TicketRequest {
  friend bool operator==(const TicketRequest&, const TicketRequest&) = default;
};

struct ReportRequest {
  std::uint64_t version = 0;
  friend bool operator==(const ReportRequest&, const ReportRequest&) = default;
};

struct HelloRequest {
  friend bool operator==(const HelloRequest&, const HelloRequest&) = default;
};

using PeerRequest = std::variant<TicketRequest, ShowRequest, ReportRequest, HelloRequest>;

// What stands after GET; and back.  kCorrupt if it is nothing that target_of() makes.
std::string target_of(const PeerRequest& request);
Result<PeerRequest> parse_target(std::string_view target);

// What an answer to a ShowRequest begins with, and how long it may be.
inline constexpr std::size_t kProofBytes = std::tuple_size_v<Signature>;
inline constexpr std::size_t kMostAnswered = kProofBytes + kMostShown;
std::string make_proof(const Network& network, const Identity& owner, const ShowRequest& request);
// kCorrupt if these are not kProofBytes with which the owner has signed this very request.
Status check_proof(std::string_view bytes, const Network& network, const ShowRequest& request);

// What the asker signs: all of the request but the signature.  Requires: request.asker.
std::string asking_message(const Network& network, const ShowRequest& request);

}  // namespace twinsift::net
