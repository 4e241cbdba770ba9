// SPDX-License-Identifier: Apache-2.0
#include "report/recording_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "report/facts.h"
#include "verify/time_score.h"

namespace twinsift {
namespace {

constexpr double kSlack = 1;        // seconds; detectors do not know edges better than that
constexpr double kWhole = 0.98;     // so much of one is all of it
constexpr double kNearly = 0.8;     // and so much nearly all, as for the score
constexpr double kChanged = 0.005;  // of speed; clocks of recorders differ by less
constexpr double kSemitone = 0.25;  // of pitch
constexpr std::size_t kMostNamed = 3;
constexpr double kMostSeconds = 1e9;

bool has_fact(std::span<const Fact> facts, std::span<const std::string_view> names) {
  return std::ranges::any_of(
      facts, [&](const Fact& fact) { return std::ranges::find(names, fact.first) != names.end(); });
}

// Stretches that follow each other in both recordings are one to a person.
std::vector<Stretch> joined(const Timeline& timeline) {
  std::vector<Stretch> joined;
  for (const Stretch& next : timeline.stretches) {
    const bool follows = !joined.empty() && next.begin_a - joined.back().end_a <= kSlack &&
                         std::abs(next.begin_b - joined.back().end_b) <= kSlack;
    if (!follows) {
      joined.push_back(next);
      continue;
    }
    joined.back().end_a = std::max(joined.back().end_a, next.end_a);
    joined.back().end_b = std::max(joined.back().end_b, next.end_b);
  }
  return joined;
}

using Interval = std::pair<double, double>;

// "0:30-1:00 and 2:00-2:15", or "5 stretches from 0:30 to 4:00".
std::string spans_of(const std::vector<Stretch>& stretches, bool in_a) {
  std::vector<std::string> spans;
  double first = kMostSeconds;
  double last = 0;
  for (const Stretch& s : stretches) {
    const auto [begin, end] = in_a ? Interval(s.begin_a, s.end_a) : Interval(s.begin_b, s.end_b);
    spans.push_back(clock_span(begin, end));
    first = std::min(first, begin);
    last = std::max(last, end);
  }
  if (spans.size() > kMostNamed) {
    return fmt::format("{} stretches from {} to {}", spans.size(), clock_time(first),
                       clock_time(last));
  }
  if (spans.size() == 1) return spans[0];
  const std::string tail = std::move(spans.back());
  spans.pop_back();
  return fmt::format("{} and {}", fmt::join(spans, ", "), tail);
}

// Where the two begin and end, for those that are nearly the same: "begins 0:12 later".
void add_edges(const Timeline& timeline, std::vector<std::string>& words) {
  const Stretch& first = timeline.stretches.front();
  const Stretch& last = timeline.stretches.back();
  const double begins = first.begin_a - first.begin_b * timeline.speed;
  const double ends =
      (timeline.seconds_a - last.end_a) - (timeline.seconds_b - last.end_b) * timeline.speed;
  if (std::abs(begins) >= kSlack) {
    words.push_back(fmt::format("begins {} {}", clock_time(std::abs(begins)),
                                begins > 0 ? "later" : "earlier"));
  }
  if (std::abs(ends) >= kSlack) {
    words.push_back(
        fmt::format("ends {} {}", clock_time(std::abs(ends)), ends > 0 ? "earlier" : "later"));
  }
}

void add_lead(const Timeline& timeline, const RecordingNames& names,
              std::vector<std::string>& words) {
  const std::vector<Stretch> stretches = joined(timeline);
  const SharedTime shared = shared_time(timeline);
  switch (stretches.empty() ? Relation::kLinked : shared.relation) {
    case Relation::kSame:
      words.push_back("the same, " + clock_time(timeline.seconds_b));
      if (stretches.size() > 1) words.push_back(fmt::format("in {} stretches", stretches.size()));
      return add_edges(timeline, words);
    case Relation::kContains:
      words.push_back(fmt::format("is {} of {}", spans_of(stretches, true), names.a));
      words.push_back(fmt::format("{} of {}", whole_percent(shared.share_a), names.a));
      return;
    case Relation::kContained:
      words.push_back(fmt::format("holds {} of {} at {}",
                                  shared.share_a >= kWhole ? "all" : whole_percent(shared.share_a),
                                  names.a, spans_of(stretches, false)));
      return;
    case Relation::kLinked:
      break;
  }
  if (stretches.empty()) return words.push_back("shares nothing with " + std::string(names.a));
  words.push_back(fmt::format("shares {} with {}: {}", clock_time(shared.seconds_a), names.a,
                              spans_of(stretches, true)));
  words.push_back(fmt::format("{} of {} and {} of {}", whole_percent(shared.share_a), names.a,
                              whole_percent(shared.share_b), names.b));
}

// A picture is a recording that lasts no time (verify/frame_match.h).
bool is_frame(const Timeline& timeline) {
  return timeline.stretches.size() == 1 && (timeline.seconds_a == 0) != (timeline.seconds_b == 0);
}

std::string frame_words(const Timeline& timeline, const RecordingNames& names) {
  const Stretch& moment = timeline.stretches[0];
  return timeline.seconds_b == 0
             ? fmt::format("is the frame at {} of {}", clock_time(moment.begin_a), names.a)
             : fmt::format("has {} as its frame at {}", names.a, clock_time(moment.begin_b));
}

std::string percent_of(double share) {
  const double tenths = std::round(std::abs(share) * 1000) / 10;
  return tenths == std::floor(tenths) ? fmt::format("{:.0f} %", tenths)
                                      : fmt::format("{:.1f} %", tenths);
}

std::string other_track_words(const Evidence& e, const Member& a, const Member& b) {
  if (e.film && e.sound) {
    const double heard = shared_time(*e.sound).seconds_a;
    if (heard >= kNearly * shared_time(*e.film).seconds_a) return "sound agrees, too";
    return "sound agrees for " + clock_time(heard);
  }
  if (e.film) {
    if (has_sound(a.facts) && has_sound(b.facts)) return "another soundtrack";
    if (has_sound(a.facts)) return "without sound";
    return has_sound(b.facts) ? "with sound" : "";
  }
  if (has_film(a.facts) && has_film(b.facts)) return "only the sound agrees";
  if (has_film(a.facts)) return "without the pictures";
  return has_film(b.facts) ? "with pictures" : "";
}

}  // namespace

bool has_sound(std::span<const Fact> facts) {
  constexpr std::array<std::string_view, 3> kNames = {"audio_codec", "sample_rate", "channels"};
  return has_fact(facts, kNames);
}

bool has_film(std::span<const Fact> facts) {
  constexpr std::array<std::string_view, 3> kNames = {"video_codec", "frame_rate", "width"};
  return has_fact(facts, kNames);
}

std::string clock_time(double seconds) {
  const double limited = std::isfinite(seconds) ? std::clamp(seconds, 0.0, kMostSeconds) : 0.0;
  const auto whole = static_cast<std::uint64_t>(limited + 0.5);
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string clock_span(double begin, double end) {
  return clock_time(begin) + '-' + clock_time(end);
}

const Timeline* main_timeline(const Evidence& evidence) {
  if (evidence.film) return &*evidence.film;
  return evidence.sound ? &*evidence.sound : nullptr;
}

SharedTime shared_time(const Timeline& timeline) {
  if (!(timeline.seconds_a > 0 && timeline.seconds_b > 0 && timeline.speed > 0)) return {};
  const TimeScore score = score_of(timeline);
  return {.seconds_a = score.covered_a * timeline.seconds_a,
          .share_a = score.covered_a,
          .share_b = score.covered_b,
          .relation = score.relation};
}

std::vector<std::string> change_words(const Evidence& evidence) {
  std::vector<std::string> words;
  const Timeline* timeline = main_timeline(evidence);
  if (timeline == nullptr || timeline->stretches.empty()) return words;
  const double speed = timeline->speed;
  const double pitch = evidence.sound ? evidence.sound->pitch : 1;
  const double semitones = pitch > 0 ? 12 * std::log2(pitch) : 0;
  const bool faster = speed > 1;
  const bool other_speed = std::abs(speed - 1) >= kChanged;
  const bool together = other_speed && pitch > 0 && std::abs(pitch / speed - 1) < 0.01;
  if (other_speed) {
    std::string word = percent_of(speed - 1) + (faster ? " faster" : " slower");
    if (together) word += faster ? " and higher" : " and lower";
    words.push_back(std::move(word));
  }
  if (!together && std::abs(semitones) >= kSemitone) {
    words.push_back(fmt::format("pitch {:+.1f} semitones", semitones));
  }
  if (evidence.film && evidence.film->mirrored) words.emplace_back("mirrored");
  return words;
}

std::string recording_words(const Evidence& evidence, const Member& a, const Member& b,
                            const RecordingNames& names) {
  const Timeline* timeline = main_timeline(evidence);
  if (timeline == nullptr) return "";
  if (is_frame(*timeline)) {
    return frame_words(*timeline, names) + (timeline->mirrored ? ", mirrored" : "");
  }
  std::vector<std::string> words;
  add_lead(*timeline, names, words);
  for (const std::string& change : change_words(evidence)) {
    words.push_back(change.ends_with("mirrored") || change.starts_with("pitch") ? change
                                                                                : "runs " + change);
  }
  words.push_back(other_track_words(evidence, a, b));
  std::erase(words, "");
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string link_words(const RecordingLink& link, const RecordingNames& names) {
  Evidence evidence;
  evidence.sound = link.sound;
  evidence.film = link.film;
  const std::string words = recording_words(evidence, {}, {}, names);
  return words.starts_with("the same") ? "is " + words : words;
}

}  // namespace twinsift
