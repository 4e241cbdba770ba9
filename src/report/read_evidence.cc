// SPDX-License-Identifier: Apache-2.0
#include "report/read_evidence.h"

#include <array>
#include <span>

#include <fmt/format.h>

namespace twinsift {
namespace {

// More than any recording lasts, and few enough for sums to stay exact enough.
constexpr double kMostSeconds = 1e9;
constexpr double kMostSpeed = 1000;

// `count` numbers in brackets.
Status read_numbers(const JsonObject& object, std::string_view key, std::span<double> numbers) {
  TWINSIFT_TRY(const auto elements, object.array(key));
  std::size_t count = 0;
  for (const auto element : elements) {
    double value = 0;
    if (element.get(value) != simdjson::SUCCESS) {
      return object.wrong(key, "holds something that is not a number");
    }
    if (count < numbers.size()) numbers[count] = value;
    ++count;
  }
  if (count == numbers.size()) return ok();
  return object.wrong(key, fmt::format("does not hold {} numbers", numbers.size()));
}

Result<Point> read_point(const JsonObject& object, std::string_view key) {
  std::array<double, 2> place = {};
  TWINSIFT_TRY([[maybe_unused]] const auto read, read_numbers(object, key, place));
  return Point{place[0], place[1]};
}

Status read_frame(const JsonObject& object, std::array<Point, 4>& frame) {
  constexpr std::string_view kKey = "frame_of_b";
  TWINSIFT_TRY(const auto corners, object.array(kKey));
  std::size_t count = 0;
  for (const auto corner : corners) {
    Point place;
    if (corner.at(0).get(place.x) != simdjson::SUCCESS ||
        corner.at(1).get(place.y) != simdjson::SUCCESS) {
      return object.wrong(kKey, "holds something that is not a place such as [0.5,0.5]");
    }
    if (count < frame.size()) frame[count] = place;
    ++count;
  }
  if (count == frame.size()) return ok();
  return object.wrong(kKey, "does not hold four corners");
}

Result<double> read_between(const JsonObject& object, std::string_view key, double least,
                            double most) {
  TWINSIFT_TRY(const double value, object.number(key));
  if (value >= least && value <= most) return value;
  return object.wrong(key, fmt::format("is not between {} and {}", least, most));
}

Result<std::uint32_t> read_small(const JsonObject& object, std::string_view key,
                                 std::uint32_t most) {
  TWINSIFT_TRY(const std::uint64_t count, object.count(key));
  if (count > most) return object.wrong(key, fmt::format("is greater than {}", most));
  return static_cast<std::uint32_t>(count);
}

Result<Placement> read_placement(const JsonObject& object) {
  Placement placement;
  TWINSIFT_TRY(placement.mirrored, object.flag("mirrored"));
  TWINSIFT_TRY(placement.turned, read_between(object, "turned", -180, 180));
  TWINSIFT_TRY(placement.scale, read_between(object, "scale", 0, 1e9));
  TWINSIFT_TRY(placement.covered_a, object.share("covered_a"));
  TWINSIFT_TRY(placement.covered_b, object.share("covered_b"));
  TWINSIFT_TRY([[maybe_unused]] const auto map, read_numbers(object, "a_to_b", placement.a_to_b));
  TWINSIFT_TRY([[maybe_unused]] const auto frame, read_frame(object, placement.frame_of_b));
  TWINSIFT_TRY(placement.matched, read_small(object, "matched", UINT32_MAX));
  if (!object.has("points")) return placement;
  const auto add_point = [&](const JsonObject& element) -> Status {
    PointPair pair;
    TWINSIFT_TRY(pair.a, read_point(element, "a"));
    TWINSIFT_TRY(pair.b, read_point(element, "b"));
    placement.points.push_back(pair);
    return ok();
  };
  TWINSIFT_TRY([[maybe_unused]] const auto points, for_each_object(object, "points", add_point));
  return placement;
}

Status read_evidence_of_pictures(const JsonObject& object, Evidence& evidence) {
  if (object.has("bits")) {
    TWINSIFT_TRY(evidence.bits, read_small(object, "bits", 256));
  }
  if (object.has("learned_bits")) {
    TWINSIFT_TRY(evidence.learned_bits, read_small(object, "learned_bits", 256));
  }
  if (object.has("correlation")) {
    TWINSIFT_TRY(evidence.correlation, read_between(object, "correlation", -1, 1));
  }
  if (object.has("same_pixels")) {
    TWINSIFT_TRY(evidence.same_pixels, object.flag("same_pixels"));
  }
  if (object.has("placement")) {
    TWINSIFT_TRY(const JsonObject placement, object.object("placement"));
    TWINSIFT_TRY(evidence.placement, read_placement(placement));
  }
  return ok();
}

// Above 0, because speeds and lengths are divided by.
Result<double> read_positive(const JsonObject& object, std::string_view key, double most) {
  TWINSIFT_TRY(const double value, object.number(key));
  if (value > 0 && value <= most) return value;
  return object.wrong(key, fmt::format("is not above 0 and at most {}", most));
}

Status read_stretches(const JsonObject& object, std::vector<Stretch>& stretches) {
  constexpr std::string_view kKey = "stretches";
  TWINSIFT_TRY(const auto elements, object.array(kKey));
  for (const auto element : elements) {
    std::array<double, 4> times = {};
    simdjson::dom::array numbers;
    bool good = element.get(numbers) == simdjson::SUCCESS && numbers.size() == times.size();
    for (std::size_t i = 0; i < times.size() && good; ++i) {
      good = numbers.at(i).get(times[i]) == simdjson::SUCCESS && times[i] >= 0 &&
             times[i] <= kMostSeconds;
    }
    if (!good || times[0] > times[1] || times[2] > times[3]) {
      return object.wrong(kKey, "holds something that is not [begin_a,end_a,begin_b,end_b]");
    }
    stretches.push_back({times[0], times[1], times[2], times[3]});
  }
  return ok();
}

}  // namespace

Result<std::optional<Timeline>> read_timeline(const JsonObject& parent, std::string_view key) {
  if (!parent.has(key)) return std::optional<Timeline>();
  TWINSIFT_TRY(const JsonObject object, parent.object(key));
  Timeline timeline;
  TWINSIFT_TRY(timeline.seconds_a, read_positive(object, "seconds_a", kMostSeconds));
  TWINSIFT_TRY(timeline.seconds_b, read_positive(object, "seconds_b", kMostSeconds));
  TWINSIFT_TRY(timeline.speed, read_positive(object, "speed", kMostSpeed));
  TWINSIFT_TRY(timeline.pitch, read_positive(object, "pitch", kMostSpeed));
  TWINSIFT_TRY(timeline.agreement, object.share("agreement"));
  if (object.has("mirrored")) {
    TWINSIFT_TRY(timeline.mirrored, object.flag("mirrored"));
  }
  TWINSIFT_TRY([[maybe_unused]] const auto read, read_stretches(object, timeline.stretches));
  return std::optional<Timeline>(std::move(timeline));
}

Result<Evidence> read_evidence(const JsonObject& object) {
  Evidence evidence;
  TWINSIFT_TRY(evidence.jaccard, object.share("jaccard"));
  TWINSIFT_TRY(evidence.containment_a, object.share("containment_a"));
  TWINSIFT_TRY(evidence.containment_b, object.share("containment_b"));
  TWINSIFT_TRY(evidence.shared, object.count("shared"));
  TWINSIFT_TRY(evidence.total_a, object.count("total_a"));
  TWINSIFT_TRY(evidence.total_b, object.count("total_b"));
  TWINSIFT_TRY([[maybe_unused]] const auto pictures, read_evidence_of_pictures(object, evidence));
  TWINSIFT_TRY(evidence.sound, read_timeline(object, "sound"));
  TWINSIFT_TRY(evidence.film, read_timeline(object, "film"));
  return evidence;
}

}  // namespace twinsift
