// SPDX-License-Identifier: Apache-2.0
// What 'twinsift tune' says of bands, and what 'twinsift tune pond' says of labels.
#pragma once

#include <stop_token>
#include <string>

#include "cli.h"

namespace twinsift::cli {

struct Tuned {
  std::string table;  // text or JSON, as asked for
  std::string plot;   // SVG, if asked for
};

Result<Tuned> tune_pond(const Arguments& args, const std::stop_token& stop);

}  // namespace twinsift::cli
