// SPDX-License-Identifier: Apache-2.0
// The configuration: which labels the whole network uses, as one peer has computed it.
//
// It is versioned by the number of its period and signed.  The newest wins; of the same period
// that of the peer nearest to the place of the election, so that all who see the same ones choose
// the same.  Nobody is trusted: a peer takes only what keeps the network's promise by its own
// arithmetic and asks for no more labels than kMostLabels, so that a liar can make the network
// slower, but not blind.
//
// Papers:  [POND] sec. V-A.
// Differs: the paper lets each peer run with probability 1 / N, so that nobody does in 37 % of the
//          periods and two or more do in 26 %; and it broadcasts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/network.h"
#include "net/peer_identity.h"
#include "tune/label_plan.h"
#include "twinsift/result.h"

namespace twinsift::net {

inline constexpr std::uint32_t kMostLabels = 64;

struct Configuration {
  std::uint64_t version = 0;  // of the period in which it was made; 0: what all begin with
  LabelShape shape{};
  std::uint32_t least_agreeing = 0;  // bits of one sketch: tune/strangers.h
  PondLoad load{};                   // what it was computed from
  PublicKey signer{};
  friend bool operator==(const Configuration&, const Configuration&) = default;

  // By which labels of one shape are told from those of another: a new configuration with the same
  // labels publishes nothing anew.
  [[nodiscard]] std::uint64_t id() const;
};

// Of which labels a network may have.  `one_bit`: those of the paper.
LabelChoice label_choice(bool one_bit);

// What a network uses until somebody has tuned it: the plan for a thousand peers.
Result<Configuration> first_configuration(const PondGoal& goal, bool one_bit);

inline constexpr std::uint8_t kConfigurationKind = 2;  // its first byte
inline constexpr std::size_t kConfigurationBytes = 1 + 8 + 3 * 4 + 4 + 4 * 8 + 32 + 64;

// Requires: configuration.signer is the identity's key.
std::string seal(const Configuration& configuration, const DhtKey& key, const Identity& identity);

// The id of its value: one for each signer and version.  Never 0.
std::uint64_t configuration_id(const Configuration& configuration);

// kCorrupt if the bytes were not made for this key and id by their signer, if the version is not
// `version`, or if the configuration breaks the promise or asks for too much.
Result<Configuration> open_configuration(std::string_view bytes, const Network& network,
                                         std::uint64_t version, std::uint64_t id);
// What the storing nodes check, which do not know what they store: the signature and the sizes.
Status check_configuration(std::string_view bytes, const DhtKey& key, std::uint64_t id);

// Whether all peers that know both take the first one.
bool wins(const Network& network, const Configuration& a, const Configuration& b);

}  // namespace twinsift::net
