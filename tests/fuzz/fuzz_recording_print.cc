// SPDX-License-Identifier: Apache-2.0
// Any words are refused, or are a print that packs to the same words; and whatever two prints claim
// to be, laying one against the other ends with stretches that lie within them.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "feature/film_print.h"
#include "feature/recording_print.h"
#include "feature/sound_print.h"
#include "verify/recording_match.h"

namespace {

using namespace twinsift;
using Words = std::vector<std::uint64_t>;

void require(bool holds) {
  if (!holds) std::abort();
}

Words words_of(const std::uint8_t* data, std::size_t size) {
  Words words(size / 8);
  if (!words.empty()) std::memcpy(words.data(), data, words.size() * 8);
  return words;
}

// The sound of as many codes as the words have room for: its head would hardly be met by chance.
Words as_sound(const Words& words) {
  if (words.size() < 2) return {};
  SoundPrint print;
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    print.codes.push_back({words[i], words[i + 1]});
  }
  print.samples = (print.codes.size() + 2) * kSoundHop;
  return pack_sound_print(print);
}

// The film of as many entries, each of which says in its first word when it is seen and whether
// other codes are there.
Words as_film(const Words& words) {
  FilmPrint print;
  std::uint32_t time = 0;
  for (std::size_t i = 0; i + 4 < words.size(); i += 5) {
    const std::uint64_t head = words[i];
    const std::uint32_t begin = time + static_cast<std::uint32_t>(head % 2000);
    const std::uint32_t end = begin + static_cast<std::uint32_t>((head >> 16U) % (kLongestRun + 1));
    const ImageCode code = {words[i + 1], words[i + 2], words[i + 3], words[i + 4]};
    print.frames.add(code, begin, end);
    if ((head >> 32U) % 2 == 1) print.mirrored.add(code, begin, end);
    if ((head >> 33U) % 2 == 1) {
      for (FilmCodes& part : print.cropped) part.add(code, begin, end);
    }
    time = end + 1;
  }
  if (print.frames.size() == 0) return {};
  print.seconds = 0.001 * time;
  // As if the codes were stills, too: the decoder of these takes any bytes.
  print.stills.count = static_cast<std::uint32_t>(std::min(print.frames.size(), kCloseFrames));
  for (const std::uint64_t word : words) {
    print.stills.bytes.push_back(static_cast<std::uint8_t>(word >> 7U));
  }
  return pack(print);
}

void check_timeline(const std::optional<Timeline>& timeline) {
  if (!timeline) return;
  require(std::isfinite(timeline->speed) && timeline->speed > 0);
  require(timeline->agreement >= 0 && timeline->agreement <= 1);
  for (const Stretch& stretch : timeline->stretches) {
    require(stretch.begin_a >= 0 && stretch.begin_a <= stretch.end_a);
    require(stretch.end_a <= timeline->seconds_a + 1e-6);
    require(stretch.begin_b >= 0 && stretch.begin_b <= stretch.end_b);
    require(stretch.end_b <= timeline->seconds_b + 1e-6);
  }
}

void check_match(const RecordingPrint& print_a, const RecordingPrint& print_b) {
  const Packed a = pack(print_a);
  const Packed b = pack(print_b);
  const auto view_a = view_recording(a);
  const auto view_b = view_recording(b);
  require(view_a && view_b);
  const auto match = match_recordings(*view_a, *view_b);
  require(match.has_value());
  require(match->time.score >= 0 && match->time.score <= 1);
  require(match->time.covered_a >= 0 && match->time.covered_a <= 1);
  require(match->time.covered_b >= 0 && match->time.covered_b <= 1);
  check_timeline(match->sound);
  check_timeline(match->film);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Words words = words_of(data, size);
  if (const auto film = unpack_film_print(words)) require(pack(*film) == words);
  if (const auto sound = unpack_sound_print(words)) require(pack_sound_print(*sound) == words);
  const Packed packed{words};
  static_cast<void>(view_recording(packed));

  const Words first(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2));
  const Words second(words.begin() + static_cast<std::ptrdiff_t>(words.size() / 2), words.end());
  const auto print_of = [](const Words& part, bool film) {
    return RecordingPrint{.seconds = 1,
                          .width = film ? 1U : 0U,
                          .height = film ? 1U : 0U,
                          .sound = as_sound(part),
                          .film = film ? as_film(part) : Words{}};
  };
  for (const bool film : {false, true}) {
    check_match(print_of(first, film), print_of(second, film));
    check_match(print_of(first, film), print_of(first, film));
  }
  return 0;
}
