// SPDX-License-Identifier: Apache-2.0
// Where the programs are that twinsift starts for itself, such as its decoders.
#pragma once

#include <string>
#include <string_view>

#include "twinsift/types.h"

namespace twinsift {

// The path of the program `name`, or nothing if there is none.  The environment's `variable`
// wins, for packagers and tests; then a build tree, then an installation that was moved, then
// the installation as configured.
TWINSIFT_EXPORT std::string find_sibling_program(std::string_view name, const char* variable);

}  // namespace twinsift
