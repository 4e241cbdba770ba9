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

LearnedCodes learned_codes_of(const Thumbnail& thumbnail, Mirrored mirrored) {
  LearnedCodes codes{.plain = code_of(thumbnail)};
  if (mirrored == Mirrored::kToo) codes.mirrored = code_of(oriented(thumbnail, kMirrored));
  return codes;
}

LearnedDistance learned_distance(const LearnedCodes& a, const LearnedCodes& b) {
  const std::uint32_t plain = hamming_distance(a.plain, b.plain);
  // A network does not know that mirroring both changes nothing: so whichever is nearer.
  std::uint32_t mirrored = UINT32_MAX;
  if (a.mirrored) mirrored = hamming_distance(*a.mirrored, b.plain);
  if (b.mirrored) mirrored = std::min(mirrored, hamming_distance(a.plain, *b.mirrored));
  return plain <= mirrored ? LearnedDistance{plain, false} : LearnedDistance{mirrored, true};
}

}  // namespace twinsift
