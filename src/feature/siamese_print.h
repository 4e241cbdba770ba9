// SPDX-License-Identifier: Apache-2.0
// What is kept of a picture if pictures are compared by learned codes: the codes in eight
// orientations, for the paper's first method, and the features of the picture as it is, for its
// second.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "feature/hash_model.h"
#include "feature/square.h"
#include "feature/weights.h"
#include "feature/whole_image.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

struct SiamesePrint {
  std::array<ImageCode, 8>
      codes{};              // in the order of feature/thumbnail.h; bits beyond a code's are 0
  std::uint32_t width = 0;  // of the original
  std::uint32_t height = 0;
  bool plain = false;                     // too little in it for a code to mean anything
  std::array<std::uint64_t, 2> pixels{};  // digest at full size, if plain; zeros if unknown
  std::vector<float> features{};
  friend bool operator==(const SiamesePrint&, const SiamesePrint&) = default;
};

// 36 words and one for each two features: the codes, width and height, 1 if plain, the digest, the
// features.
Packed pack(const SiamesePrint& print);

// kCorrupt if these are not the words of such a print.
Result<SiamesePrint> unpack_siamese_print(SetView packed);

// The file of "siamese:FILE"; nothing if `features` is something else.
std::optional<std::string> siamese_file(std::string_view features);
// A model by which pictures can be compared.  kUnsupported: its codes have more than 256 bits.
Result<HashModel> load_siamese(const std::string& file);

// Codes and features.  Requires: codes of the model have at most 256 bits, and the picture as many
// channels as it wants.
SiamesePrint siamese_print_of(const PixelView& picture, const HashModel& model);

}  // namespace twinsift
