// SPDX-License-Identifier: Apache-2.0
// How often the group-sequential filter says something else than all components: the part of
// bench_filter that no machine can excuse.
#pragma once

#include "twinsift/result.h"

namespace twinsift::bench {

// Prints a table and returns whether the error of every filter stays below what it promises.
Result<bool> print_promise();

}  // namespace twinsift::bench
