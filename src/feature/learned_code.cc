// SPDX-License-Identifier: Apache-2.0
#include "feature/learned_code.h"

#include <algorithm>
#include <cassert>

#include "base/bit_code.h"
#include "feature/models.h"

namespace twinsift {
namespace {

constexpr int kMirrored = 4;  // feature/thumbnail.h

ImageCode code_of(const Thumbnail& thumbnail) {
  const HashDescription description = shipped_network().describe(thumbnail);
  ImageCode code{};
  assert(description.code.size() <= code.size());
  std::ranges::copy(description.code, code.begin());
  return code;
}

}  // namespace

const HashModel& shipped_network() {
  static const HashModel model = [] {
    auto parsed = HashModel::parse(copy_model());
    assert(parsed && parsed->shape().side == kThumbnailSide && parsed->shape().colours == 1);
    return *std::move(parsed);
  }();
  return model;
}

LearnedCodes learned_codes_of(const Thumbnail& thumbnail) {
  return {.plain = code_of(thumbnail), .mirrored = code_of(oriented(thumbnail, kMirrored))};
}

LearnedDistance learned_distance(const LearnedCodes& a, const LearnedCodes& b) {
  const std::uint32_t plain = hamming_distance(a.plain, b.plain);
  // A network does not know that mirroring both changes nothing: so whichever is nearer.
  const std::uint32_t mirrored =
      std::min(hamming_distance(a.plain, b.mirrored), hamming_distance(a.mirrored, b.plain));
  return plain <= mirrored ? LearnedDistance{plain, false} : LearnedDistance{mirrored, true};
}

}  // namespace twinsift
