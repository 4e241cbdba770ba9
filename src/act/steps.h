// SPDX-License-Identifier: Apache-2.0
// The steps of whatever changes the disk, so that a test can stand between any two of them.
//
// Each change in disk.h is announced before and after it happens.  A test that ends its process
// at the n-th announcement, for every n, has killed the program everywhere it can be killed; one
// that answers with an errno has seen every failure.  Without a hook a step costs one comparison.
#pragma once

#include <functional>
#include <string_view>

namespace twinsift {

// Hears "rename" before and "rename done" after a rename, and so on.  What it answers before a
// change is the errno that the change then fails with; 0 lets it happen.
using StepHook = std::function<int(std::string_view step)>;

// For tests.  Not thread-safe; an empty hook takes the last one away.
void set_step_hook(StepHook hook);

int step(std::string_view name);

}  // namespace twinsift
