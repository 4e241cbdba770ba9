// SPDX-License-Identifier: Apache-2.0
// What is kept of a picture if pictures are compared by PDQ: its codes in eight orientations.
#pragma once

#include <array>
#include <cstdint>

#include "feature/pdq.h"
#include "feature/weights.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct PdqPrint {
  std::array<PdqCode, 8> codes{};  // in the order of feature/pdq.h
  std::uint32_t width = 0;         // of the original
  std::uint32_t height = 0;
  std::uint32_t quality = 0;
  std::array<std::uint64_t, 2> pixels{};  // digest at full size; zeros if unknown
  friend bool operator==(const PdqPrint&, const PdqPrint&) = default;
};

// 36 words: the codes, width and height, quality, the digest.
Packed pack(const PdqPrint& print);

// kCorrupt if these are not the words of such a print.
Result<PdqPrint> unpack_pdq_print(SetView packed);

}  // namespace twinsift
