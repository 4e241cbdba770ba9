// SPDX-License-Identifier: Apache-2.0
// An item that others may have, as the sets that are asked for.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "net/content_sets.h"
#include "twinsift/result.h"

namespace twinsift::cli {

// A file, or a text on standard input ("-"), seen with the media of these specs, which are those
// of the running peer.  None: there is nothing in it to compare.
Result<std::vector<net::ContentSet>> question_sets(const std::string& item,
                                                   const std::vector<std::string>& specs,
                                                   const std::stop_token& stop);

}  // namespace twinsift::cli
