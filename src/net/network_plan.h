// SPDX-License-Identifier: Apache-2.0
// Which labels a network should use, from what a sample of its peers tells.
#pragma once

#include <span>

#include "net/configuration.h"
#include "net/estimate.h"

namespace twinsift::net {

// To change costs everybody everything once more: only for a plan that saves as much, of the
// messages of a period.
inline constexpr double kWorthAChange = 0.1;

// The best plan for the load, or the labels of `present` if that is not much better, or if the
// load allows none; version and signer are left open.  Requires: the sample is not empty.
Configuration plan_configuration(const PondGoal& goal, bool one_bit, const Configuration& present,
                                 double peers, std::span<const PeerReport> sample);

}  // namespace twinsift::net
