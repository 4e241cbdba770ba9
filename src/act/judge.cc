// SPDX-License-Identifier: Apache-2.0
#include "act/judge.h"

#include "report/recording_words.h"
#include "twinsift/media.h"

namespace twinsift {
namespace {

// What a report of ours does not exceed.
constexpr std::size_t kMaxMedium = 64;
constexpr std::size_t kMaxSpec = 1024;
constexpr std::int64_t kSecond = 1'000'000'000;

// What a picture lacks is not told by shares.
double share_in_keeper(std::string_view medium, const Evidence& evidence, bool loser_is_b) {
  if (const Timeline* timeline = main_timeline(evidence)) {
    const SharedTime shared = shared_time(*timeline);
    return loser_is_b ? shared.share_b : shared.share_a;
  }
  if (medium == "image") return 1;
  return loser_is_b ? evidence.containment_b : evidence.containment_a;
}

bool has_other_sound(const Evidence& evidence, const Member& loser) {
  return evidence.film && !evidence.sound && has_sound(loser.facts);
}

}  // namespace

bool is_unchanged(const Member& member, const FileProof& file) {
  if (!member.digest.empty()) return member.digest == file.digest;
  const bool same_size = member.size == 0 || member.size == file.size;
  const bool same_time =
      member.mtime_ns == 0 || member.mtime_ns / kSecond == file.mtime_ns / kSecond;
  return same_size && same_time;
}

Judge::Judge(const Report& report, Compare compare)
    : report_(report), compare_(std::move(compare)) {
  if (compare_) return;
  CompareOptions options;
  static_cast<MediaOptions&>(options.match) = media_options_of(report.run.detectors);
  compare_ = [options](const std::string& a, const std::string& b) {
    return twinsift::compare(a, b, options);
  };
}

std::string Judge::detector_of(const std::string& medium) const {
  if (medium == "file") return "bytes";
  if (medium.empty() || medium.size() > kMaxMedium) return "unknown";
  const std::string name = medium == "audio" || medium == "video" ? "av" : medium;
  const auto names_it = [&](const std::string& spec) {
    return spec.starts_with(name) && spec.size() > name.size() && spec.size() < kMaxSpec &&
           spec[name.size()] >= '0' && spec[name.size()] <= '9';
  };
  for (const std::string& spec : report_.run.detectors) {
    if (names_it(spec)) return spec;
  }
  const auto media = make_media_types(media_options_of(report_.run.detectors));
  if (!media) return medium;
  for (const auto& type : *media) {
    if (names_it(type->spec())) return type->spec();
  }
  return medium;
}

void Judge::learn(const MemberPair& pair, const FileProof& a, const FileProof& b) {
  const Member& member_a = group_->members[pair.a];
  const Member& member_b = group_->members[pair.b];
  // Without a digest in the report nobody knows which contents the score belongs to.
  // Bytes alone give no score but 0 and 1.
  if (group_->medium == "file") return;
  if (member_a.digest != a.digest || member_b.digest != b.digest || a.digest == b.digest) return;
  const std::string detector = detector_of(group_->medium);
  for (const bool keeps_a : {true, false}) {
    const Member& keeper = keeps_a ? member_a : member_b;
    const Member& loser = keeps_a ? member_b : member_a;
    known_.insert_or_assign(
        {keeper.digest, loser.digest},
        Judgement{.score = pair.score,
                  .detector = detector,
                  .stays = must_stay({.medium = group_->medium,
                                      .relation = pair.relation,
                                      .evidence = pair.evidence,
                                      .keeps_a = keeps_a,
                                      .other_facts = loser.facts}),
                  .loser_in_keeper = share_in_keeper(group_->medium, pair.evidence, keeps_a),
                  .recordings = main_timeline(pair.evidence) != nullptr,
                  .other_sound = has_other_sound(pair.evidence, loser),
                  .keeper_facts = keeper.facts,
                  .loser_facts = loser.facts});
  }
}

Result<Judgement> Judge::judge(const FileProof& keeper, const FileProof& loser) {
  const auto known = known_.find({keeper.digest, loser.digest});
  if (known != known_.end()) return known->second;
  TWINSIFT_TRY(Comparison found, compare_(keeper.path, loser.path));
  if (found.a.digest != keeper.digest || found.b.digest != loser.digest) {
    return Error{ErrorCode::kIo, loser.path + ": changed while reading: it or the keeper"};
  }
  Judgement judgement{.score = found.score,
                      .detector = detector_of(found.medium),
                      .stays = must_stay({.medium = found.medium,
                                          .relation = found.relation,
                                          .evidence = found.evidence,
                                          .other_facts = found.b.facts}),
                      .loser_in_keeper = share_in_keeper(found.medium, found.evidence, true),
                      .recordings = main_timeline(found.evidence) != nullptr,
                      .other_sound = has_other_sound(found.evidence, found.b),
                      .keeper_facts = std::move(found.a.facts),
                      .loser_facts = std::move(found.b.facts)};
  known_.insert_or_assign({keeper.digest, loser.digest}, judgement);
  return judgement;
}

}  // namespace twinsift
