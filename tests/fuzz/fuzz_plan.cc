// SPDX-License-Identifier: Apache-2.0
// No bytes may crash the reading of a plan; one that is read is written and read back as it was.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "act/plan.h"

namespace {

std::string written(const twinsift::Plan& plan) {
  std::string text = plan_header_line(plan.header);
  for (const auto& action : plan.actions) text += plan_action_line(action);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto plan = twinsift::parse_plan(bytes, "fuzz");
  if (!plan) {
    if (plan.error().message.empty()) std::abort();
    return 0;
  }
  const std::string text = written(*plan);
  const auto again = twinsift::parse_plan(text, "again");
  if (!again || written(*again) != text) std::abort();
  return 0;
}
