// SPDX-License-Identifier: Apache-2.0
#include "net/sound_sets.h"

#include <algorithm>

#include "feature/sound_print.h"
#include "net/unary_set.h"

namespace twinsift::net {
namespace {

constexpr std::size_t kWindow = 4;  // codes that are counted together
constexpr unsigned kPitchStep = 8;  // neighbours say nearly the same

// Codes [begin, end), counted from `begin` in whole windows.
TokenSet counted_set(std::span<const SoundCode> codes) {
  UnarySet set;
  for (std::size_t row = 0; row + kWindow <= codes.size(); row += kWindow) {
    for (unsigned pitch = kPitchStep / 2; pitch < kSoundBits; pitch += kPitchStep) {
      std::uint32_t rising = 0;
      for (std::size_t i = 0; i < kWindow; ++i) {
        if ((codes[row + i][pitch / 64] >> (pitch % 64) & 1U) != 0) ++rising;
      }
      set.add(rising, kWindow);
    }
  }
  return set.finish();
}

}  // namespace

Result<std::vector<ContentSet>> sound_sets(const std::string& detector,
                                           std::span<const std::uint64_t> sound) {
  TWINSIFT_TRY(const SoundPrint print, unpack_sound_print(sound));
  const auto first = std::ranges::find_if(print.codes, is_heard);
  const auto last = std::find_if(print.codes.rbegin(), print.codes.rend(), is_heard).base();
  std::vector<ContentSet> sets;
  if (first >= last) return sets;
  const std::span<const SoundCode> heard(first, last);
  const auto rows = [](double seconds) {
    return static_cast<std::size_t>(seconds / kSoundRowSeconds) / kWindow * kWindow;
  };
  if (heard.size() < rows(kShortestSound)) return sets;
  const std::size_t length = std::min(heard.size() / kWindow * kWindow, rows(kSoundSeconds));
  const auto add = [&](std::size_t begin) {
    const auto from = static_cast<double>(first - print.codes.begin()) + static_cast<double>(begin);
    sets.push_back({.detector = detector,
                    .set = counted_set(heard.subspan(begin, length)),
                    .begin_seconds = code_seconds(from),
                    .end_seconds = code_seconds(from + static_cast<double>(length))});
  };
  add(0);
  if (heard.size() >= length + rows(kShortestSound)) add(heard.size() - length);
  return sets;
}

}  // namespace twinsift::net
