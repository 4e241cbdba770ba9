// SPDX-License-Identifier: Apache-2.0
// The lecture notes in parts, with so many pairs for each point.
#pragma once

#include <cstdint>

#include "eval/report.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift::paper_003 {

Result<EvalSection> s_curves(const EvalOptions& options, std::uint32_t pairs);

// With the sketches of the options, whose k is that of each point.
Result<EvalSection> estimator_error(const EvalOptions& options, std::uint32_t pairs);

}  // namespace twinsift::paper_003
