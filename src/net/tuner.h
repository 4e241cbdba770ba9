// SPDX-License-Identifier: Apache-2.0
// Finds the configurations of the network, and makes a new one when this peer is elected.
//
// In each period the peer nearest to the place of the election asks a sample of the others for
// their reports and publishes a configuration (net/network_plan.h).  Should it fail, the two next
// ones do so later.  Everybody looks twice in the second half of a period, so that nobody makes one
// then: some would not learn of it, and ask or publish elsewhere.  Whoever is elected also puts
// those of the last periods again, so that newcomers learn what the others ask with.
//
// Papers:  [POND] sec. V-A.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "base/random.h"
#include "net/asker.h"
#include "net/configurations.h"
#include "net/dht_node.h"
#include "net/estimate.h"
#include "net/lifeline.h"
#include "net/network.h"
#include "net/peer_identity.h"

namespace twinsift::net {

struct TunerOptions {
  bool tunes = true;
  bool one_bit = false;
};

// Not thread-safe.
class Tuner {
 public:
  // Requires: all that is given lives longer.
  Tuner(const TunerOptions& options, const Network& network, const Identity& identity,
        DhtNode& node, Asker& asker, Configurations& configurations,
        std::function<PeerReport()> own_report);

  // Does what is due; returns when to be called again at the latest.  Requires: the node knows
  // others.
  double tick(const Moment& now);

  // It has looked for the configurations of the last periods, and nobody needs to wait.
  [[nodiscard]] bool discovered() const { return discovered_; }
  // How many peers there are; 0: not known.
  [[nodiscard]] double peers() const;
  // What any lookup shows of the neighbours of a place.
  void saw(const DhtKey& place, const LookupEnd& end);
  [[nodiscard]] std::uint64_t rejected() const { return rejected_; }
  [[nodiscard]] std::uint64_t made() const { return made_; }  // configurations, by this peer

 private:
  enum class Duty : std::uint8_t { kUnknown, kAsked, kNone, kWaits, kDone };
  struct Sample;

  void begin_period(const Moment& now);
  void find(std::uint64_t version, std::function<void()> then);
  void ask_rank();
  void serve();
  void start_sample();
  void ask_one(const std::shared_ptr<Sample>& sample);
  void finish(Sample& sample);
  void put_again();
  [[nodiscard]] Neighbourhood neighbourhood(const DhtKey& place, const LookupEnd& end) const;
  // The time at which so much of the present period has passed.
  [[nodiscard]] double at(double share) const;

  TunerOptions options_;
  const Network& network_;
  const Identity& identity_;
  DhtNode& node_;
  Asker& asker_;
  Configurations& configurations_;
  std::function<PeerReport()> own_report_;
  Rng rng_;
  Moment now_{};
  std::uint64_t version_ = 0;
  double own_share_ = 0;  // of a period: all look at times of their own
  double first_look_ = 0;
  double second_look_ = 0;
  Duty duty_ = Duty::kUnknown;
  double duty_at_ = 0;
  bool looked_back_ = false;
  bool discovered_ = false;
  std::size_t lookups_open_ = 0;
  std::deque<std::pair<double, Neighbourhood>> seen_;  // and when
  std::shared_ptr<Sample> sample_;                     // shared with the answers that are under way
  std::uint64_t rejected_ = 0;
  std::uint64_t made_ = 0;
  Lifeline lifeline_;
};

}  // namespace twinsift::net
