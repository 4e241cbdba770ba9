// SPDX-License-Identifier: Apache-2.0
// Why a recording or a picture stays although it is much like the one to keep.
//
// Of texts a score says enough.  Two films that share their middle may score as high as a film and
// its excerpt, and the sound of a film says nothing of its pictures: so a recording may go only if
// the one to keep has nearly all of it, in film if there is film.  The stretches count, whatever
// the report calls the two.  A picture may go only if the one to keep shows nearly all of it, but
// for a plain border: the whole never goes for an enlarged part.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "twinsift/report.h"

namespace twinsift {

enum class MustStay : std::uint8_t {
  kNo,
  kLinked,     // each has stretches of time that the other lacks
  kLonger,     // the one to keep is only a part of it
  kSoundOnly,  // it has pictures, and only the sound was found to agree
  kUnproved,   // recordings of which no stretch was found to agree
  kWider,      // a picture of which the one to keep shows only a part
};

// Two items that do not have the same bytes.
struct KeptAndOther {
  std::string_view medium;
  Relation relation = Relation::kSame;  // of a to b
  const Evidence& evidence;
  bool keeps_a = true;                // else b is to be kept
  std::span<const Fact> other_facts;  // of the one that would go
};
MustStay must_stay(const KeptAndOther& items);

// For a comparison with the representative, members[0].
MustStay must_stay(const Group& group, const MemberPair& pair);

// "" for kNo; else short and stable: "only linked", "longer than the keeper", ...
std::string_view must_stay_reason(MustStay stays);
// One sentence about the one to keep, by its name: "it shares stretches of time with KEPT, and
// ...".
std::string must_stay_detail(MustStay stays, std::string_view kept);

}  // namespace twinsift
