// SPDX-License-Identifier: Apache-2.0
// Any words are refused, or are a print that packs to the same words.
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "feature/local_print.h"
#include "feature/pdq_print.h"
#include "feature/picture_print.h"

namespace {

using namespace twinsift;

template <class Unpack>
void check(const Packed& packed, Unpack unpack) {
  const auto print = unpack(packed);
  if (print && pack(*print).words != packed.words) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Packed packed;
  packed.words.resize(size / 8);
  if (size >= 8) std::memcpy(packed.words.data(), data, size / 8 * 8);
  check(packed, unpack_local_print);
  // These have a length of their own, which would hardly be met by chance.
  packed.words.resize(520);
  check(packed, unpack_print);
  packed.words.resize(36);
  check(packed, unpack_pdq_print);
  return 0;
}
