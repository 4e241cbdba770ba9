// SPDX-License-Identifier: Apache-2.0
#include "act/steps.h"

#include <utility>

namespace twinsift {
namespace {

StepHook& hook() {
  static StepHook the_hook;
  return the_hook;
}

}  // namespace

void set_step_hook(StepHook new_hook) { hook() = std::move(new_hook); }

int step(std::string_view name) { return hook() ? hook()(name) : 0; }

}  // namespace twinsift
