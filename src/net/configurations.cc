// SPDX-License-Identifier: Apache-2.0
#include "net/configurations.h"

#include <algorithm>
#include <iterator>

namespace twinsift::net {

Configurations::Configurations(const Network& network, const Configuration& first)
    : network_(network) {
  known_[0] = {.configuration = first};
}

bool Configurations::offer(const Configuration& configuration, const std::string& bytes) {
  const auto found = known_.find(configuration.version);
  if (found != known_.end() && !wins(network_, configuration, found->second.configuration)) {
    return false;
  }
  known_[configuration.version] = {configuration, bytes};
  return true;
}

const Configuration& Configurations::newest() const {
  return std::prev(known_.end())->second.configuration;
}

const KnownConfiguration& Configurations::in_force(std::int64_t unix_seconds) const {
  const std::uint64_t version = network_.version_at(unix_seconds);
  const std::uint64_t last = version < kAskAfter ? 0 : version - kAskAfter;
  const auto after = known_.upper_bound(last);
  return after == known_.begin() ? after->second : std::prev(after)->second;
}

const Configuration& Configurations::asking(std::int64_t unix_seconds) const {
  return in_force(unix_seconds).configuration;
}

std::vector<Configuration> Configurations::publishing(std::int64_t unix_seconds) const {
  const std::int64_t before = unix_seconds - kPublishLonger * network_.options().period.count();
  std::vector<Configuration> all;
  for (auto known = known_.find(in_force(before).configuration.version); known != known_.end();
       ++known) {
    const Configuration& configuration = known->second.configuration;
    const bool there = std::ranges::any_of(
        all, [&](const Configuration& other) { return other.id() == configuration.id(); });
    if (!there) all.push_back(configuration);
  }
  return all;
}

const KnownConfiguration* Configurations::of_version(std::uint64_t version) const {
  const auto found = known_.find(version);
  return found == known_.end() ? nullptr : &found->second;
}

void Configurations::forget(std::int64_t unix_seconds) {
  const std::int64_t before = unix_seconds - 2 * network_.options().period.count();
  known_.erase(known_.begin(), known_.find(in_force(before).configuration.version));
}

}  // namespace twinsift::net
