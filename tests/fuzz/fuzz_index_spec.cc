// SPDX-License-Identifier: Apache-2.0
// No text may crash the parser of index specs; the spec of what it makes is canonical and makes an
// index with the same keys again.
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "twinsift/index.h"

namespace {

void check(std::string_view spec) {
  const auto index = twinsift::make_index(spec);
  if (!index) {
    if (index.error().message.empty()) std::abort();
    return;
  }
  const std::string canonical = (*index)->spec();
  const auto again = twinsift::make_index(canonical);
  if (!again || (*again)->spec() != canonical) std::abort();
  if ((*again)->tables() != (*index)->tables() || (*index)->tables() == 0) std::abort();
  for (const double s : {0.0, 0.5, 1.0}) {
    const double found = (*index)->found(s);
    if (!(found >= 0 && found <= 1) || found != (*again)->found(s)) std::abort();
  }
  if ((*index)->found(0) != 0 || (*index)->found(1) != 1) std::abort();
  // The numbers b and r of "banding1:b=B,r=R" stand at its end.
  const std::uint64_t rows = std::stoull(canonical.substr(canonical.rfind('=') + 1));
  if (rows * (*index)->tables() > 10'000) return;
  twinsift::Sketch sketch(rows * (*index)->tables());
  std::iota(sketch.begin(), sketch.end(), 1U);
  std::vector<std::uint32_t> keys((*index)->tables());
  std::vector<std::uint32_t> same((*index)->tables());
  (*index)->keys(sketch, keys);
  (*again)->keys(sketch, same);
  if (keys != same) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check(text);
  check("banding1:" + text);
  check("banding1:b=" + text);
  return 0;
}
