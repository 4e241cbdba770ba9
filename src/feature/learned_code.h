// SPDX-License-Identifier: Apache-2.0
// The learned codes of whole pictures: those of the network that is shipped (feature/hash_model.h,
// docs/models.md), which was trained on copies of photos, hard ones among them.
//
// They find copies that the codes of gists miss (feature/whole_image.h), cropped, framed and turned
// ones, and cost ten times as much.  They are made of the thumbnail that is kept of every picture,
// so that nothing is decoded again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "feature/hash_model.h"
#include "feature/thumbnail.h"
#include "feature/whole_image.h"

namespace twinsift {

// The network, read when it is first asked for.
const HashModel& shipped_network();

// As the picture is, and mirrored, which costs as much again and which one of two pictures can do
// without.
struct LearnedCodes {
  ImageCode plain{};
  std::optional<ImageCode> mirrored{};
};
enum class Mirrored : std::uint8_t { kNo, kToo };
LearnedCodes learned_codes_of(const Thumbnail& thumbnail, Mirrored mirrored = Mirrored::kToo);

struct LearnedDistance {
  std::uint32_t bits = 0;  // that differ
  bool mirrored = false;   // one of the two would have to be
};
// The same for (b, a).
LearnedDistance learned_distance(const LearnedCodes& a, const LearnedCodes& b);

}  // namespace twinsift
