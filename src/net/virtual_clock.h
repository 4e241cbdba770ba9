// SPDX-License-Identifier: Apache-2.0
// The steady clock of a whole program, set by hand.
//
// OpenDHT is told the time, but asks the steady clock once more when something is put or asked for.
// A program that is linked with virtual_clock.cc has a std::chrono::steady_clock that stands still
// at any time it is given, in all libraries; until then, and afterwards, it is the system's.
// For simulations: no other thread should run meanwhile.
#pragma once

#include <chrono>
#include <optional>

namespace twinsift::net {

// Nothing: the system's clock again.
void set_virtual_time(std::optional<std::chrono::steady_clock::time_point> time);

}  // namespace twinsift::net
