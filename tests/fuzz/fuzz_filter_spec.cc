// SPDX-License-Identifier: Apache-2.0
// No text may crash the parser of filter specs; the full spec of what it makes gives the same
// options again, and the table of any task is one whose bounds neither cross nor fall, or an error
// that says why there is none.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "verify/filter.h"

namespace {

using twinsift::FilterTask;
using twinsift::Look;

void check_table(const twinsift::EarlyStopTable& table, const FilterTask& task) {
  if (table.looks.empty() || table.looks.back().bins != task.k || table.spec.empty()) std::abort();
  std::int64_t most = 0;
  std::uint32_t before = 0;
  for (const Look& look : table.looks) {
    if (look.bins <= before || look.weight < 1) std::abort();
    most += std::int64_t{look.weight} * (look.bins - before);
    before = look.bins;
    if (look.reject >= look.accept || look.reject < -1 || look.reject >= most) std::abort();
    if (look.accept < 0 || look.accept > most + 1) std::abort();
  }
}

void check(std::string_view spec, const FilterTask& task) {
  const auto options = twinsift::parse_filter(spec);
  if (!options) {
    if (options.error().message.empty()) std::abort();
    return;
  }
  const std::string full = twinsift::filter_spec(*options);
  const auto again = twinsift::parse_filter(full);
  if (!again || *again != *options || twinsift::filter_spec(*again) != full) std::abort();
  const auto table = twinsift::make_filter(*options, task);
  if (table) {
    check_table(*table, task);
  } else if (table.error().message.empty()) {
    std::abort();
  }
}

}  // namespace

// Five bytes are the task, those up to a zero its looks, and the rest the spec.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 6) return 0;
  FilterTask task;
  task.k = data[0] + 256U * (data[1] % 4U);
  task.threshold_permille = data[2] + 256U * (data[3] % 8U);
  task.code_bits = data[4] % 70U;
  std::uint32_t bins = 0;
  std::size_t at = 5;
  for (; at < size && data[at] != 0; ++at) task.looks.push_back(bins += data[at]);
  if (data[3] >= 128) task.looks.clear();
  const std::string text(reinterpret_cast<const char*>(data) + at, size - at);
  const std::string spec = text.substr(text.empty() ? 0 : 1);
  check(spec, task);
  for (const char* name : {"gs1:", "goph1:", "hoph1:", "cws1:", "bayes1:", "none"}) {
    check(name + spec, task);
  }
  return 0;
}
