// SPDX-License-Identifier: Apache-2.0
// Prints of sound: what they cost, what comparing two of them costs, and finding the copies among
// many recordings.
//
//     bench_sound [RECORDINGS]     made-up music of a minute each, and a noisy, faster copy of each
//     bench_sound FILE.f32 ...     all pairs of these: one channel of floats at 6,000 Hz, as by
//                                  ffmpeg -i FILE -ac 1 -ar 6000 -f f32le FILE.f32
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "bench/timing.h"
#include "feature/test_sound.h"
#include "group/sound_matcher.h"
#include "group/sound_question.h"

namespace twinsift::bench {
namespace {

constexpr double kSeconds = 60;        // of a made-up recording
constexpr double kTargetPrint = 0.35;  // milliseconds for a second of sound
constexpr double kTargetBytes = 1e6;   // for an hour
constexpr double kTargetRecall = 0.99;

using Words = std::vector<std::uint64_t>;

struct Recordings {
  std::vector<std::string> names;
  std::vector<Words> prints;
  double seconds = 0;
  double printing = 0;  // processor time

  void add(std::string name, std::span<const float> samples) {
    const Stopwatch watch;
    prints.push_back(words_of(samples));
    printing += watch.elapsed().cpu;
    names.push_back(std::move(name));
    seconds += static_cast<double>(samples.size()) / kSoundRate;
  }
};

double share(std::ptrdiff_t part, std::ptrdiff_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

bool tell(std::string_view what, double value, double target, bool at_most) {
  const bool met = at_most ? value <= target : value >= target;
  fmt::print("  {:<46} {:>10.3f}  target {} {:.3f}  {}\n", what, value,
             at_most ? "<=" : ">=", target, met ? "met" : "MISSED");
  return met;
}

Result<SoundPairs> all_pairs(const Recordings& recordings) {
  SoundTask task;
  task.items = static_cast<std::uint32_t>(recordings.prints.size());
  task.packed = [&](ItemId i) -> Result<std::span<const std::uint64_t>> {
    return std::span<const std::uint64_t>(recordings.prints[i]);
  };
  const Stopwatch watch;
  auto found = find_sound_pairs(task);
  if (found) {
    fmt::print("  {} recordings: {:.2f} s, {} candidates, {} verified, {} pairs\n  {}\n  {}\n",
               task.items, watch.elapsed().cpu, found->stats.candidates, found->stats.verified,
               found->pairs.size(), found->spec, found->guarantee);
  }
  return found;
}

bool tell_prints(const Recordings& recordings) {
  double bytes = 0;
  for (const Words& words : recordings.prints) bytes += 8.0 * static_cast<double>(words.size());
  const double per_second = 1e3 * recordings.printing / recordings.seconds;
  tell("print: ms for a second of sound", per_second, kTargetPrint, true);  // a machine's promise
  return tell("print: bytes for an hour", 3600 * bytes / recordings.seconds, kTargetBytes, true);
}

// One recording against each of the others, as query() does it, and by comparing with all.
bool tell_query(const Recordings& recordings, std::size_t asked) {
  std::vector<SoundPrint> prints;
  for (const Words& words : recordings.prints) {
    if (!words.empty()) prints.push_back(*unpack_sound_print(words));
  }
  const SoundPrint question = *unpack_sound_print(recordings.prints[asked]);
  const auto count_of = [&](const auto& match) {
    return std::ranges::count_if(prints, [&](const SoundPrint& p) { return match(p).has_value(); });
  };
  std::ptrdiff_t found = 0;
  std::ptrdiff_t all = 0;
  const double probing = best_seconds(3, [&] {
    const SoundQuestion probe(question, 0.99);
    found = count_of([&](const SoundPrint& print) { return probe.match(print); });
  });
  const double comparing = best_seconds(1, [&] {
    all = count_of([&](const SoundPrint& print) { return match_sound(print, question); });
  });
  const double each = 1e3 / static_cast<double>(prints.size());
  fmt::print(
      "  a query of {:.0f} s: {:.3f} ms for each recording, {} found; comparing: {:.3f} ms\n",
      question.seconds(), each * probing, found, each * comparing);
  return tell("query: found of what comparing finds", share(found, all), 1, false);
}

bool made_up(std::uint32_t count) {
  Recordings recordings;
  for (std::uint32_t i = 0; i < count; ++i) {
    recordings.add(fmt::format("{}", i), made_up_music(i, kSeconds));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const double speed = 0.94 + 0.02 * (i % 7);
    const Samples copy = faster(cut(made_up_music(i, kSeconds), 10, 20), speed);
    recordings.add(fmt::format("{} x {:.2f}", i, speed), with_noise(copy, i, 15));
  }
  bool met = tell_prints(recordings);
  const SoundPrint a = *unpack_sound_print(recordings.prints[0]);
  const SoundPrint b = *unpack_sound_print(recordings.prints[count]);
  const SoundPrint other = *unpack_sound_print(recordings.prints[count - 1]);
  const double same = best_seconds(5, [&] { keep(match_sound(a, b) ? 1 : 0); });
  const double unlike = best_seconds(5, [&] { keep(match_sound(a, other) ? 1 : 0); });
  fmt::print("  match_sound: {:.2f} ms of a copy, {:.2f} ms of others\n", 1e3 * same, 1e3 * unlike);
  const auto found = all_pairs(recordings);
  if (!found) return false;
  std::uint32_t right = 0;
  for (const SoundPair& pair : found->pairs) right += pair.b == pair.a + count ? 1 : 0;
  met = tell_query(recordings, count) && met;
  met = tell("share of copies found", double{1} * right / count, kTargetRecall, false) && met;
  return tell("pairs that are none", static_cast<double>(found->pairs.size() - right), 0, true) &&
         met;
}

bool of_files(std::span<char*> paths) {
  Recordings recordings;
  for (const char* path : paths) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return false;
    Samples samples(static_cast<std::size_t>(file.tellg()) / sizeof(float));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(samples.data()),
              static_cast<std::streamsize>(samples.size() * sizeof(float)));
    recordings.add(path, samples);
  }
  const bool met = tell_prints(recordings);
  const auto found = all_pairs(recordings);
  if (!found) return false;
  if (!tell_query(recordings, 0)) return false;
  for (const SoundPair& pair : found->pairs) {
    const Stretch& first = pair.timeline.stretches.front();
    fmt::print(
        "{}\t{}\t{} stretches\t{:.1f}-{:.1f}\t{:.1f}-{:.1f}\tspeed {:.4f}\tpitch {:.4f}\t{:.3f}\n",
        recordings.names[pair.a], recordings.names[pair.b], pair.timeline.stretches.size(),
        first.begin_a, first.end_a, first.begin_b, first.end_b, pair.timeline.speed,
        pair.timeline.pitch, pair.timeline.agreement);
  }
  return met;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  std::uint32_t count = 200;
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first.ends_with(".f32")) {
    return twinsift::bench::of_files(std::span(argv, static_cast<std::size_t>(argc)).subspan(1))
               ? 0
               : 1;
  }
  if (!first.empty()) std::from_chars(first.data(), first.data() + first.size(), count);
  return twinsift::bench::made_up(std::max(count, 2U)) ? 0 : 1;
}
