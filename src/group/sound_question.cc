// SPDX-License-Identifier: Apache-2.0
#include "group/sound_question.h"

#include <algorithm>
#include <utility>

#include "verify/sound_fit.h"
#include "verify/sound_scan.h"

namespace twinsift {

SoundQuestion::SoundQuestion(SoundPrint asked, double recall)
    : asked_(std::move(asked)),
      plan_(plan_sound(asked_.codes.size(), recall)),
      probe_(asked_.codes, plan_.keys) {}

std::optional<Timeline> SoundQuestion::match(const SoundPrint& item) const {
  constexpr std::size_t kSeeds = 4;
  const auto seeds = probe_.seeds_in(item.codes, plan_.votes, kSeeds);
  const Hearing x(item);
  const Hearing y(asked_);
  const auto is_worth = [&](const SoundSeed& seed) { return is_worth_comparing(x, y, seed); };
  if (std::ranges::none_of(seeds, is_worth)) {
    const bool longer = x.size() >= y.size();
    if (!scan_offsets(longer ? x : y, longer ? y : x)) return std::nullopt;
  }
  return match_sound(item, asked_);
}

}  // namespace twinsift
