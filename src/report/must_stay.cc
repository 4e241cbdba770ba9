// SPDX-License-Identifier: Apache-2.0
#include "report/must_stay.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/recording_words.h"

namespace twinsift {

namespace {

// What was cut off a picture at level "same" is less than this leaves.
constexpr double kNearlyAll = 0.75;

bool is_wider(const KeptAndOther& items) {
  if (!items.evidence.placement || items.evidence.same_pixels) return false;
  const Placement& placement = *items.evidence.placement;
  const double covered = items.keeps_a ? placement.covered_b : placement.covered_a;
  const bool bordered =
      std::ranges::find(items.other_facts, "border", &Fact::first) != items.other_facts.end();
  return covered < kNearlyAll && !bordered;
}

}  // namespace

MustStay must_stay(const KeptAndOther& items) {
  if (items.medium == "image" && items.relation != Relation::kLinked) {
    return is_wider(items) ? MustStay::kWider : MustStay::kNo;
  }
  const Timeline* timeline = main_timeline(items.evidence);
  const bool recordings = items.medium == "audio" || items.medium == "video";
  // Those that share nothing are called linked, too.
  if (timeline == nullptr && recordings) return MustStay::kUnproved;
  const bool has_pictures = items.medium == "video" || has_film(items.other_facts);
  if (timeline != nullptr && has_pictures && !items.evidence.film) return MustStay::kSoundOnly;
  if (items.relation == Relation::kLinked) return MustStay::kLinked;
  if (timeline == nullptr) return MustStay::kNo;
  const Relation shown = shared_time(*timeline).relation;
  if (shown == Relation::kLinked) return MustStay::kLinked;
  const Relation longer = items.keeps_a ? Relation::kContained : Relation::kContains;
  return items.relation == longer || shown == longer ? MustStay::kLonger : MustStay::kNo;
}

MustStay must_stay(const Group& group, const MemberPair& pair) {
  const std::uint32_t other = pair.a == 0 ? pair.b : pair.a;
  if (pair.identical || other >= group.members.size()) return MustStay::kNo;
  return must_stay({.medium = group.medium,
                    .relation = pair.relation,
                    .evidence = pair.evidence,
                    .keeps_a = pair.a == 0,
                    .other_facts = group.members[other].facts});
}

std::string_view must_stay_reason(MustStay stays) {
  switch (stays) {
    case MustStay::kNo:
      break;
    case MustStay::kLinked:
      return "only linked";
    case MustStay::kLonger:
      return "longer than the keeper";
    case MustStay::kSoundOnly:
      return "only the sound agrees";
    case MustStay::kUnproved:
      return "no stretch agrees";
    case MustStay::kWider:
      return "shows more than the keeper";
  }
  return "";
}

std::string must_stay_detail(MustStay stays, std::string_view kept) {
  switch (stays) {
    case MustStay::kNo:
      break;
    case MustStay::kLinked:
      return fmt::format("it shares stretches of time with {}, and each has others besides", kept);
    case MustStay::kLonger:
      return fmt::format("{} is only a part of it", kept);
    case MustStay::kSoundOnly:
      return fmt::format("its pictures were not found to be those of {}", kept);
    case MustStay::kUnproved:
      return fmt::format("nothing shows which of its stretches are those of {}", kept);
    case MustStay::kWider:
      return fmt::format("{} shows only a part of it", kept);
  }
  return "";
}

}  // namespace twinsift
