// SPDX-License-Identifier: Apache-2.0
#include "feature/recording_print.h"

#include <cassert>
#include <cmath>

namespace twinsift {
namespace {

constexpr std::size_t kHead = 3;
constexpr double kMicroseconds = 1e6;
constexpr std::uint64_t kLongest = std::uint64_t{1} << 52U;  // exact as a double

}  // namespace

Packed pack(const RecordingPrint& print) {
  assert(print.seconds >= 0 && print.seconds * kMicroseconds < double(kLongest));
  assert(print.sound.size() <= UINT32_MAX && print.film.size() <= UINT32_MAX);
  Packed packed;
  packed.words = {static_cast<std::uint64_t>(std::llround(print.seconds * kMicroseconds)),
                  std::uint64_t{print.width} << 32U | print.height,
                  std::uint64_t{print.sound.size()} << 32U | print.film.size()};
  packed.words.insert(packed.words.end(), print.sound.begin(), print.sound.end());
  packed.words.insert(packed.words.end(), print.film.begin(), print.film.end());
  return packed;
}

Result<RecordingView> view_recording(SetView packed) {
  const Error corrupt{ErrorCode::kCorrupt, "these are not the words of a recording"};
  const auto words = packed.ids;
  if (!packed.packed || words.size() < kHead || words[0] > kLongest) return corrupt;
  const std::uint64_t sound = words[2] >> 32U;
  const std::uint64_t film = words[2] & UINT32_MAX;
  if (words.size() - kHead != sound + film) return corrupt;
  return RecordingView{.seconds = static_cast<double>(words[0]) / kMicroseconds,
                       .width = static_cast<std::uint32_t>(words[1] >> 32U),
                       .height = static_cast<std::uint32_t>(words[1]),
                       .sound = words.subspan(kHead, sound),
                       .film = words.subspan(kHead + sound, film)};
}

}  // namespace twinsift
