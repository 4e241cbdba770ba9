// SPDX-License-Identifier: Apache-2.0
// No bytes may crash the import of a report; what is imported has groups with members, pairs that
// lead to members, and can be written as our own JSON and read back as the same.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "report/import.h"

namespace {

std::string written(const twinsift::Report& report) {
  std::string out;
  auto reporter = twinsift::make_reporter("json", {}, [&](std::string_view bytes) {
    out += bytes;
    return true;
  });
  (*reporter)->begin(report.run);
  write_report(report, **reporter);
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto report = twinsift::import_report(bytes, "fuzz");
  if (!report) {
    if (report.error().message.empty()) std::abort();
    return 0;
  }
  for (const auto& group : *report) {
    if (group.members.empty()) std::abort();
    for (const auto& pair : group.pairs) {
      if (pair.a >= group.members.size() || pair.b >= group.members.size()) std::abort();
    }
  }
  const std::string text = written(*report);
  const auto again = twinsift::import_report(text, "again");
  if (!again || written(*again) != text) std::abort();
  return 0;
}
