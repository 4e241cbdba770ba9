// SPDX-License-Identifier: Apache-2.0
// How large the errors of the sketches are: the part of bench_sketch that no machine can excuse.
#pragma once

#include "twinsift/result.h"

namespace twinsift::bench {

// Each prints a table and returns whether it says what is promised.
Result<bool> print_set_accuracy();
Result<bool> print_weighted_accuracy();

}  // namespace twinsift::bench
