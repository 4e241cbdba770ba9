// SPDX-License-Identifier: Apache-2.0
// What a peer tells of itself to whoever tunes the network, as signed bytes.
//
// Whoever tunes asks peers at places it has drawn, and takes a report only if the hash of its
// signer is the place that was asked: so a report counts for one peer, once.  Lies about oneself
// are possible; they shift a mean over the sample.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/estimate.h"
#include "net/network.h"
#include "net/peer_identity.h"
#include "twinsift/result.h"

namespace twinsift::net {

inline constexpr std::size_t kMostReportedSets = 32;
inline constexpr std::size_t kMostReportBytes = 16 << 10;

// Only the first kMostReportedSets sets are told.
std::string seal(const PeerReport& report, const Network& network, std::uint64_t version,
                 const Identity& identity);

// kCorrupt if these are no bytes that seal() has made, for this network and version, by the peer
// whose place this is, or if a number is none.
Result<PeerReport> open_report(std::string_view bytes, const Network& network,
                               std::uint64_t version, const DhtKey& place);

}  // namespace twinsift::net
