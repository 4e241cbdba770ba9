// SPDX-License-Identifier: Apache-2.0
// How work that was asked to stop says that it did.
#pragma once

#include "twinsift/result.h"

namespace twinsift {

inline Error cancelled_error() { return Error{ErrorCode::kCancelled, "the run was stopped"}; }

}  // namespace twinsift
