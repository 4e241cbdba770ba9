// SPDX-License-Identifier: Apache-2.0
// `simulate`: a simulation from the command line, with its result as JSON.
#pragma once

#include <span>
#include <string>

#include "net/simulation.h"

namespace twinsift::net {

// The arguments after the name of the command; see the table in simulate_main.cc.  Returns 0, or 2
// for anything that is wrong, with a sentence on standard error.
int simulate_main(std::span<const std::string> arguments);

std::string to_json(const SimulationOptions& options, const SimulationResult& result);

}  // namespace twinsift::net
