// SPDX-License-Identifier: Apache-2.0
// What 'twinsift train codes' does: --images DIR... --out FILE [--seed N].
#pragma once

#include <stop_token>
#include <string>

#include "cli.h"

namespace twinsift::cli {

// What there is to say of it, in lines of text.
Result<std::string> train_codes(const Arguments& args, const std::stop_token& stop);

}  // namespace twinsift::cli
