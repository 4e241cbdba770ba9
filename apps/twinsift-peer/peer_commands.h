// SPDX-License-Identifier: Apache-2.0
// The actions of 'twinsift peer'.  Each returns the exit status of the process.
#pragma once

#include "cli.h"
#include "terminal.h"

namespace twinsift::cli {

int peer_start(const Arguments& args, Console& console);
int peer_query(const Arguments& args, Console& console);
int peer_publish(const Arguments& args, Console& console);
int peer_status(const Arguments& args, Console& console);
int peer_stop(const Arguments& args, Console& console);

}  // namespace twinsift::cli
