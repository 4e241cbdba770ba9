// SPDX-License-Identifier: Apache-2.0
// The configurations that a peer knows, and which of them it uses for what.
//
// A new one is not used at once.  Everybody learns of it in its period, and publishes under it,
// as well as under the one before, in the next; so two periods after its period began all is there
// where the new labels say, and three after it everybody asks there, even those whose clocks are
// wrong by a period.  One more period later the old labels are not published any longer, and what
// is left of them expires.  At no time does anybody ask where nobody has published: recall has no
// gap.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "net/configuration.h"
#include "net/network.h"

namespace twinsift::net {

inline constexpr std::int64_t kAskAfter = 3;       // periods
inline constexpr std::int64_t kPublishLonger = 1;  // period
// A newcomer must find the one that the others ask with.
inline constexpr std::uint64_t kVersionsBack = 4;

struct KnownConfiguration {
  Configuration configuration{};
  std::string bytes{};  // as it was signed; empty for the first one
};

// Not thread-safe.
class Configurations {
 public:
  // Requires: the network lives longer.
  Configurations(const Network& network, const Configuration& first);

  // Returns whether it is taken: nobody's better one of its version is known.  Requires: it was
  // opened, or made by this peer.
  bool offer(const Configuration& configuration, const std::string& bytes);

  [[nodiscard]] const Configuration& newest() const;
  // With which questions are asked now.
  [[nodiscard]] const Configuration& asking(std::int64_t unix_seconds) const;
  // Under which all is published now, each id once.
  [[nodiscard]] std::vector<Configuration> publishing(std::int64_t unix_seconds) const;
  // Of a version; null if none is known.
  [[nodiscard]] const KnownConfiguration* of_version(std::uint64_t version) const;
  // Forgets what nobody needs any longer.
  void forget(std::int64_t unix_seconds);

 private:
  [[nodiscard]] const KnownConfiguration& in_force(std::int64_t unix_seconds) const;

  const Network& network_;
  std::map<std::uint64_t, KnownConfiguration> known_;  // by version; never empty
};

}  // namespace twinsift::net
