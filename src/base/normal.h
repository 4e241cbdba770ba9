// SPDX-License-Identifier: Apache-2.0
// Normally distributed numbers, the same on every machine.
#pragma once

#include <cmath>

#include "base/portable_math.h"
#include "base/random.h"

namespace twinsift {

// Mean 0, variance 1.  Marsaglia's polar method: logarithm and root alone, which are the same
// number everywhere.
inline double normal(Rng& rng) {
  while (true) {
    const double x = 2 * rng.uniform() - 1;
    const double y = 2 * rng.uniform() - 1;
    const double s = x * x + y * y;
    if (s < 1 && s > 0) return x * std::sqrt(-2 * portable_log(s) / s);
  }
}

}  // namespace twinsift
