// SPDX-License-Identifier: Apache-2.0
#include "eval/recordings_scores.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace twinsift {
namespace {

// Frames of film are compared twice a second or so; sound many times.
constexpr double kFilmTolerance = 0.5;
constexpr double kSoundTolerance = 0.15;

// A stretch with a as the original and b as the copy.
Stretch oriented(const Stretch& stretch, bool copy_is_a) {
  if (!copy_is_a) return stretch;
  return {stretch.begin_b, stretch.end_b, stretch.begin_a, stretch.end_a};
}

class PlaceJudge {
 public:
  PlaceJudge(const CopySet& set, const std::vector<CopyMap>& maps, bool film)
      : set_(set), maps_(maps), film_(film), scores_(set.versions) {
    for (std::uint32_t i = 0; i < set.copies.size(); ++i) copy_at_.emplace(set.copies[i].path, i);
  }

  void judge(const Group& group) {
    for (const MemberPair& pair : group.pairs) {
      const std::string& a = group.members[pair.a].path;
      const std::string& b = group.members[pair.b].path;
      judge(a, b, pair.evidence.sound, pair.evidence.film);
    }
  }
  void judge(const RecordingLink& link) { judge(link.a, link.b, link.sound, link.film); }

  std::vector<PlaceScore> finish() { return std::move(scores_); }

 private:
  void judge(const std::string& a, const std::string& b, const std::optional<Timeline>& sound,
             const std::optional<Timeline>& film) {
    judge(a, b, film_ ? film : sound, true);
    judge(b, a, film_ ? film : sound, false);
  }

  void judge(const std::string& copy, const std::string& other,
             const std::optional<Timeline>& timeline, bool copy_is_a) {
    const auto found = copy_at_.find(copy);
    if (found == copy_at_.end()) return;
    const std::uint32_t number = found->second;
    if (other != set_.originals[set_.copies[number].original]) return;
    if (!judged_.insert(number).second) return;
    PlaceScore& score = scores_[set_.copies[number].version];
    ++score.judged;
    if (!timeline || timeline->stretches.empty()) return;
    if (is_right(*timeline, maps_[number], copy_is_a)) ++score.right;
    score.covered += covered(*timeline, maps_[number], copy_is_a);
  }

  [[nodiscard]] bool is_right(const Timeline& timeline, const CopyMap& map, bool copy_is_a) const {
    const auto longest = std::ranges::max_element(
        timeline.stretches, {}, [](const Stretch& s) { return s.end_a - s.begin_a; });
    const Stretch stretch = oriented(*longest, copy_is_a);
    const double in_copy = (stretch.begin_b + stretch.end_b) / 2;
    const double in_original = (stretch.begin_a + stretch.end_a) / 2;
    return std::abs(in_original - (map.offset + map.speed * in_copy)) <=
           (film_ ? kFilmTolerance : kSoundTolerance);
  }

  static double covered(const Timeline& timeline, const CopyMap& map, bool copy_is_a) {
    double sum = 0;
    for (const Stretch& s : timeline.stretches) {
      const Stretch stretch = oriented(s, copy_is_a);
      sum += stretch.end_b - stretch.begin_b;
    }
    return map.seconds > 0 ? std::clamp(sum / map.seconds, 0.0, 1.0) : 0;
  }

  const CopySet& set_;
  const std::vector<CopyMap>& maps_;
  bool film_;
  std::vector<PlaceScore> scores_;
  std::unordered_map<std::string_view, std::uint32_t> copy_at_;
  std::unordered_set<std::uint32_t> judged_;
};

double share(double part, std::uint64_t whole) {
  return whole == 0 ? 0 : part / static_cast<double>(whole);
}

}  // namespace

double PlaceScore::offset_ok() const { return share(static_cast<double>(right), judged); }
double PlaceScore::coverage() const { return share(covered, judged); }

std::vector<PlaceScore> score_places(const CopySet& set, const std::vector<CopyMap>& maps,
                                     const Report& report, bool film) {
  PlaceJudge judge(set, maps, film);
  for (const Group& group : report.groups) judge.judge(group);
  for (const RecordingLink& link : report.links) judge.judge(link);
  return judge.finish();
}

}  // namespace twinsift
