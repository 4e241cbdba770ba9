// SPDX-License-Identifier: Apache-2.0
// No text may crash the parser of sketch specs; the spec of what it makes is canonical, makes the
// same sketcher again, and small sketchers sketch: a set is like itself, and ids may repeat.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "twinsift/sketch.h"

namespace {

using twinsift::Feature;
using twinsift::Sketcher;
using twinsift::TokenSet;

void check_sketches(const Sketcher& sketcher, const Sketcher& again) {
  const auto a = sketcher.sketch(Feature{.value = TokenSet{1, 2, 3, UINT64_MAX}});
  const auto b = again.sketch(Feature{.value = TokenSet{UINT64_MAX, 3, 3, 2, 1}});
  if (!a || !b || *a != *b || a->size() != sketcher.k()) std::abort();
  if (sketcher.similarity(*a, *b).value != 1) std::abort();
  const auto merged = sketcher.merge(*a, *b);
  if (merged && *merged != *a) std::abort();
}

void check(std::string_view spec) {
  const auto sketcher = twinsift::make_sketcher(spec);
  if (!sketcher) {
    if (sketcher.error().message.empty()) std::abort();
    return;
  }
  const std::string canonical = (*sketcher)->spec();
  const auto again = twinsift::make_sketcher(canonical);
  if (!again || (*again)->spec() != canonical || (*again)->k() != (*sketcher)->k()) std::abort();
  if ((*sketcher)->k() <= 300) check_sketches(**sketcher, **again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check(text);
  // The names are given, so that the keys and values are what is searched.
  for (const char* name : {"fss1:", "minhash1:", "oph1:", "doph1:", "hoph1:", "superminhash1:",
                           "lecture1:", "dart1:", "cws1:", "icws1:"}) {
    check(name + text);
  }
  return 0;
}
