// SPDX-License-Identifier: Apache-2.0
// Groups of films and sound recordings for the browser test, with drawn frames and made-up waves.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "stored_png.h"
#include "twinsift/report.h"

namespace twinsift {

// One frame for every five seconds of a film that begins at `from`: colours go by, and a bar moves.
inline RecordingStrip film_strip(double from, double seconds, double speed = 1) {
  RecordingStrip strip;
  strip.seconds = seconds;
  for (double at = 0; at < seconds; at += 5) {
    const auto time = static_cast<std::uint32_t>(from + at * speed);
    const auto scene = [&](std::uint32_t x, std::uint32_t y) {
      const bool bar = x / 4 == time % 24;
      return std::array<std::uint8_t, 3>{
          static_cast<std::uint8_t>(bar ? 250 : 40 + 2 * (time % 90)),
          static_cast<std::uint8_t>(bar ? 250 : 60 + y),
          static_cast<std::uint8_t>(bar ? 250 : 200 - 2 * (time % 90))};
    };
    strip.frames.push_back({at, stored_png(96, 54, scene)});
  }
  return strip;
}

inline RecordingStrip sound_strip(double from, double seconds, double loudness = 1) {
  RecordingStrip strip;
  strip.seconds = seconds;
  constexpr int kPeaks = 600;
  for (int i = 0; i < kPeaks; ++i) {
    const double t = from + seconds * i / kPeaks;
    const double level = std::abs(std::sin(t / 7) * std::sin(t * 1.7) + 0.3 * std::sin(t * 13));
    strip.peaks.push_back(static_cast<std::uint8_t>(loudness * 190 * std::min(1.3, level)));
  }
  return strip;
}

inline Member recording(std::string path, std::uint64_t size, std::vector<Fact> facts) {
  Member made;
  made.path = std::move(path);
  made.size = size;
  made.mtime_ns = 1769860800123456789;
  made.digest = std::string(32, 'a');
  made.facts = std::move(facts);
  return made;
}

// A film of 90 s, its halves (the second mirrored and 25 % faster), an episode that shares two
// stretches with it, one that only sounds like it, and a copy.
inline Group film_group() {
  Group group;
  group.id = 1;
  group.medium = "video";
  group.score = 0.62;
  const std::vector<Fact> facts = {{"duration", "1:30"},
                                   {"width", "1920"},
                                   {"height", "1080"},
                                   {"video_codec", "h264"},
                                   {"audio_codec", "aac"}};
  for (const char* path : {"films/<img src=x onerror=alert(1)>.mkv", "films/first half.mp4",
                           "films/second\u202Eflah.mp4", "caf\xE9/episode 2.mkv",
                           "films/cover version.mkv", "backup/copy.mkv"}) {
    group.members.push_back(recording(path, 40'000'000, facts));
  }
  const auto add = [&](Relation relation, Timeline film) -> MemberPair& {
    MemberPair& pair = group.pairs.emplace_back();
    pair.b = static_cast<std::uint32_t>(group.pairs.size());
    pair.score = 0.79;
    pair.relation = relation;
    pair.strip_a = film_strip(0, 90);
    pair.strip_a.peaks = sound_strip(0, 90).peaks;
    pair.evidence.film = std::move(film);
    return pair;
  };
  add(Relation::kContains, {.seconds_a = 90, .seconds_b = 45, .stretches = {{0, 45, 0, 45}}})
      .strip_b = film_strip(0, 45);
  group.pairs[0].evidence.sound = group.pairs[0].evidence.film;
  group.pairs[0].strip_b.peaks = sound_strip(0, 45, 0.6).peaks;
  MemberPair& second = add(Relation::kContains, {.seconds_a = 90,
                                                 .seconds_b = 36,
                                                 .stretches = {{45, 90, 0, 36}},
                                                 .speed = 1.25,
                                                 .mirrored = true});
  second.strip_b = film_strip(45, 36, 1.25);
  add(Relation::kLinked,
      {.seconds_a = 90, .seconds_b = 120, .stretches = {{0, 12, 70, 82}, {60, 90, 10, 40}}})
      .strip_b = film_strip(50, 120);
  MemberPair& cover = add(Relation::kSame, {});
  cover.evidence.film.reset();
  cover.evidence.sound = Timeline{.seconds_a = 90, .seconds_b = 90, .stretches = {{0, 90, 0, 90}}};
  add(Relation::kSame, {}).identical = true;
  group.pairs.back().evidence.film.reset();
  group.pairs.back().score = 1;
  return group;
}

// A song and a copy that begins two seconds later, a semitone higher; their files are there.
inline Group song_group() {
  Group group;
  group.id = 2;
  group.medium = "audio";
  group.score = 0.93;
  group.members = {
      recording("sound & 100%?.wav", 9'000'000, {{"duration", "0:20"}, {"audio_codec", "pcm"}}),
      recording("caf\xE9 #2.wav", 4'000'000, {{"duration", "0:18"}, {"audio_codec", "pcm"}})};
  MemberPair& pair = group.pairs.emplace_back();
  pair.b = 1;
  pair.score = 0.93;
  pair.strip_a = sound_strip(0, 20);
  pair.strip_b = sound_strip(2, 18, 0.8);
  pair.evidence.sound = Timeline{.seconds_a = 20,
                                 .seconds_b = 18,
                                 .stretches = {{2, 9, 0, 7}, {10, 20, 8, 18}},
                                 .pitch = std::exp2(1.0 / 12)};
  return group;
}

inline RecordingLink film_link() {
  return {.a = "films/first half.mp4",
          .b = "caf\xE9/<b>episode</b> 3.mkv",
          .medium = "video",
          .score = 0.61,
          .sound = {},
          .film = Timeline{.seconds_a = 45, .seconds_b = 200, .stretches = {{10, 40, 150, 180}}}};
}

}  // namespace twinsift
