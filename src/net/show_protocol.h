// SPDX-License-Identifier: Apache-2.0
// What a peer says to another one over HTTP, to see what that one has published.
//
//     GET /twinsift/1/prove/OWNER/NONCE               signature 64 | ticket 16
//     GET /twinsift/1/show/RESOURCES/TICKET[/ASKER/SIGNATURE]  net/shown_list.h
//     GET /twinsift/1/report/VERSION                  what Peer::report() makes
//     GET /twinsift/1/hello                           net/hello.h
//
// First a question of some hundred bytes: is this address the owner's?  The owner signs a number
// that the asker has just drawn, so that an old answer proves nothing, and whoever was named in an
// entry by somebody else has been sent no more than that.  The ticket that comes along is good for
// the same caller for a minute or two; without one nothing is shown.  Then all that a question
// wants of this owner is asked for at once, up to kMostTogether resources, the best ones first.
// Where only some may ask, the asker signs the ticket and the list.
//
// What is signed begins with its purpose and the network, so that no signature is good for anything
// else.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

struct ProveRequest {
  PublicKey owner{};
  Nonce nonce{};
  friend bool operator==(const ProveRequest&, const ProveRequest&) = default;
};

struct SignedAsker {
  PublicKey key{};
  Signature signature{};
  friend bool operator==(const SignedAsker&, const SignedAsker&) = default;
};
struct ShowRequest {
  std::vector<ResourceId> resources{};  // 1 to kMostTogether, each once
  Ticket ticket{};
  std::optional<SignedAsker> asker{};
  friend bool operator==(const ShowRequest&, const ShowRequest&) = default;
};

struct ReportRequest {
  std::uint64_t version = 0;
  friend bool operator==(const ReportRequest&, const ReportRequest&) = default;
};

struct HelloRequest {
  friend bool operator==(const HelloRequest&, const HelloRequest&) = default;
};

using PeerRequest = std::variant<ProveRequest, ShowRequest, ReportRequest, HelloRequest>;

// What stands after GET; and back.  kCorrupt if it is nothing that target_of() makes.
std::string target_of(const PeerRequest& request);
Result<PeerRequest> parse_target(std::string_view target);

inline constexpr std::size_t kProofBytes = 64 + 16;
struct Proof {
  Signature signature{};
  Ticket ticket{};
};
std::string encode(const Proof& proof);
// kCorrupt if the owner has not signed this very question.
Result<Proof> open_proof(std::string_view bytes, const Network& network,
                         const ProveRequest& request);

// What the owner signs, and what the asker does.
std::string proof_message(const Network& network, const ProveRequest& request);
std::string asking_message(const Network& network, const PublicKey& owner,
                           std::span<const ResourceId> resources, const Ticket& ticket);

}  // namespace twinsift::net
