// SPDX-License-Identifier: Apache-2.0
#include "report/must_stay.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/recording_words.h"

namespace twinsift {

MustStay must_stay(const KeptAndOther& items) {
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
  }
  return "";
}

}  // namespace twinsift
