// SPDX-License-Identifier: Apache-2.0
// twinsift eval images DIR: how well copies of photos are found.
#pragma once

#include <stop_token>

#include "cli.h"
#include "terminal.h"

namespace twinsift::cli {

// Requires: two operands, of which the second is the folder.
int run_eval_images(const Arguments& args, Console& console, const std::stop_token& stop);

}  // namespace twinsift::cli
