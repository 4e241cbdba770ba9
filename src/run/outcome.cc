// SPDX-License-Identifier: Apache-2.0
#include "run/outcome.h"

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "store/bytes.h"

namespace twinsift {
namespace {

// Changes whenever the bytes mean something else; no text before it was as long as this says.
constexpr std::uint32_t kLayout = 0xFFFFFF03;

// Each type is visited by one function that both directions share, so that they cannot differ.
class Encoder {
 public:
  static constexpr bool kReads = false;
  template <std::integral T>
  void number(const T& value) {
    append(bytes, value);
  }
  void real(const double& value) { append(bytes, std::bit_cast<std::uint64_t>(value)); }
  void text(const std::string& value) {
    number(static_cast<std::uint32_t>(value.size()));
    bytes += value;
  }
  template <class T, class Each>
  void list(const std::vector<T>& values, const Each& each) {
    number(static_cast<std::uint32_t>(values.size()));
    for (const T& value : values) each(value);
  }
  std::string bytes;
};

// What is not there is 0 or empty, and not good().
class Decoder {
 public:
  static constexpr bool kReads = true;
  explicit Decoder(std::string_view bytes) : bytes_(bytes) {}
  [[nodiscard]] bool good() const { return good_ && bytes_.empty(); }

  template <std::integral T>
  void number(T& value) {
    const std::string_view taken = take(sizeof(T));
    value = good_ ? load<T>(taken.data()) : T{};
  }
  void real(double& value) {
    std::uint64_t bits = 0;
    number(bits);
    value = std::bit_cast<double>(bits);
  }
  void text(std::string& value) {
    std::uint32_t size = 0;
    number(size);
    value = take(size);
  }
  template <class T, class Each>
  void list(std::vector<T>& values, const Each& each) {
    std::uint32_t size = 0;
    number(size);
    // Nothing is so small that there could be more of them than bytes.
    good_ = good_ && size <= bytes_.size();
    for (std::uint32_t i = 0; i < size && good_; ++i) each(values.emplace_back());
  }

 private:
  std::string_view take(std::size_t size) {
    good_ = good_ && size <= bytes_.size();
    const std::string_view taken = bytes_.substr(0, good_ ? size : 0);
    bytes_.remove_prefix(taken.size());
    return taken;
  }

  std::string_view bytes_;
  bool good_ = true;
};

template <class Coder, class Flag>
void visit_flag(Coder& coder, Flag& flag) {
  auto number = static_cast<std::uint8_t>(flag);
  coder.number(number);
  if constexpr (Coder::kReads) flag = static_cast<std::remove_cvref_t<Flag>>(number);
}

template <class Coder, class Optional, class Each>
void visit_optional(Coder& coder, Optional& value, const Each& each) {
  bool there = value.has_value();
  visit_flag(coder, there);
  if (!there) return;
  if constexpr (Coder::kReads) value.emplace();
  each(*value);
}

template <class Coder, class Place>
void visit_point(Coder& coder, Place& point) {
  coder.real(point.x);
  coder.real(point.y);
}

template <class Coder, class OnePlacement>
void visit_placement(Coder& coder, OnePlacement& placement) {
  for (auto& entry : placement.a_to_b) coder.real(entry);
  for (auto& corner : placement.frame_of_b) visit_point(coder, corner);
  visit_flag(coder, placement.mirrored);
  coder.real(placement.turned);
  coder.real(placement.scale);
  coder.real(placement.covered_a);
  coder.real(placement.covered_b);
  coder.number(placement.matched);
  coder.list(placement.points, [&](auto& pair) {
    visit_point(coder, pair.a);
    visit_point(coder, pair.b);
  });
}

template <class Coder, class OneTimeline>
void visit_timeline(Coder& coder, OneTimeline& timeline) {
  coder.real(timeline.seconds_a);
  coder.real(timeline.seconds_b);
  coder.list(timeline.stretches, [&](auto& stretch) {
    coder.real(stretch.begin_a);
    coder.real(stretch.end_a);
    coder.real(stretch.begin_b);
    coder.real(stretch.end_b);
  });
  coder.real(timeline.speed);
  coder.real(timeline.pitch);
  visit_flag(coder, timeline.mirrored);
  coder.real(timeline.agreement);
}

template <class Coder, class Recordings>
void visit_timelines(Coder& coder, Recordings& recordings) {
  const auto visit = [&](auto& timeline) { visit_timeline(coder, timeline); };
  visit_optional(coder, recordings.sound, visit);
  visit_optional(coder, recordings.film, visit);
}

template <class Coder, class Pair>
void visit_pair(Coder& coder, Pair& pair) {
  coder.number(pair.a);
  coder.number(pair.b);
  coder.real(pair.score);
  visit_flag(coder, pair.identical);
  visit_flag(coder, pair.relation);
  auto& evidence = pair.evidence;
  coder.real(evidence.jaccard);
  coder.real(evidence.containment_a);
  coder.real(evidence.containment_b);
  coder.number(evidence.shared);
  coder.number(evidence.total_a);
  coder.number(evidence.total_b);
  visit_optional(coder, evidence.bits, [&](auto& bits) { coder.number(bits); });
  visit_optional(coder, evidence.learned_bits, [&](auto& bits) { coder.number(bits); });
  visit_optional(coder, evidence.correlation, [&](auto& value) { coder.real(value); });
  visit_flag(coder, evidence.same_pixels);
  visit_optional(coder, evidence.placement,
                 [&](auto& placement) { visit_placement(coder, placement); });
  visit_timelines(coder, evidence);
}

template <class Coder, class Link>
void visit_link(Coder& coder, Link& link) {
  coder.text(link.a);
  coder.text(link.b);
  coder.text(link.medium);
  coder.real(link.score);
  visit_flag(coder, link.relation);
  visit_timelines(coder, link);
}

template <class Coder, class OneGroup>
void visit_group(Coder& coder, OneGroup& group) {
  coder.number(group.id);
  coder.text(group.medium);
  coder.real(group.score);
  coder.list(group.members, [&](auto& member) {
    coder.list(member.facts, [&](auto& fact) {
      coder.text(fact.first);
      coder.text(fact.second);
    });
  });
  coder.list(group.pairs, [&](auto& pair) { visit_pair(coder, pair); });
}

template <class Coder, class Pair>
void visit_folders(Coder& coder, Pair& pair) {
  coder.text(pair.a);
  coder.text(pair.b);
  visit_flag(coder, pair.relation);
  coder.real(pair.jaccard);
  coder.real(pair.containment_a);
  coder.real(pair.containment_b);
  coder.number(pair.both);
  coder.number(pair.only_a);
  coder.number(pair.only_b);
  coder.number(pair.both_bytes);
  coder.number(pair.only_a_bytes);
  coder.number(pair.only_b_bytes);
}

template <class Coder, class WholeOutcome>
void visit_outcome(Coder& coder, WholeOutcome& outcome) {
  const auto text = [&](auto& value) { coder.text(value); };
  coder.text(outcome.guarantee);
  coder.list(outcome.specs, text);
  coder.list(outcome.notes, text);
  coder.list(outcome.skipped, [&](auto& skipped) {
    coder.text(skipped.path);
    coder.text(skipped.reason);
    coder.text(skipped.detail);
  });
  coder.list(outcome.failed, [&](auto& file) { coder.number(file); });
  coder.list(outcome.links, [&](auto& link) { visit_link(coder, link); });
  coder.list(outcome.folders, [&](auto& pair) { visit_folders(coder, pair); });
  coder.list(outcome.groups, [&](auto& group) { visit_group(coder, group); });
  coder.list(outcome.files,
             [&](auto& members) { coder.list(members, [&](auto& file) { coder.number(file); }); });
}

bool makes_sense(const Outcome& outcome, std::uint32_t files) {
  const auto is_none = [&](std::uint32_t file) { return file >= files; };
  if (outcome.files.size() != outcome.groups.size() ||
      std::ranges::any_of(outcome.failed, is_none)) {
    return false;
  }
  for (std::size_t g = 0; g < outcome.groups.size(); ++g) {
    const Group& group = outcome.groups[g];
    const auto& members = outcome.files[g];
    const auto good = [&](const MemberPair& pair) {
      return pair.a < members.size() && pair.b < members.size() &&
             pair.relation <= Relation::kLinked;
    };
    if (members.empty() || members.size() != group.members.size() ||
        std::ranges::any_of(members, is_none) || !std::ranges::all_of(group.pairs, good)) {
      return false;
    }
  }
  const auto known = [](const auto& pair) { return pair.relation <= Relation::kLinked; };
  return std::ranges::all_of(outcome.folders, known) && std::ranges::all_of(outcome.links, known);
}

}  // namespace

std::string encode(const Outcome& outcome) {
  Encoder encoder;
  encoder.number(kLayout);
  visit_outcome(encoder, outcome);
  return std::move(encoder.bytes);
}

std::optional<Outcome> decode_outcome(std::string_view bytes, std::uint32_t files) {
  Decoder decoder(bytes);
  std::uint32_t layout = 0;
  decoder.number(layout);
  if (layout != kLayout) return std::nullopt;
  Outcome outcome;
  visit_outcome(decoder, outcome);
  if (!decoder.good() || !makes_sense(outcome, files)) return std::nullopt;
  return outcome;
}

}  // namespace twinsift
