// SPDX-License-Identifier: Apache-2.0
#include "eval/copy_scores.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace twinsift {
namespace {

class Judge {
 public:
  Judge(const CopySet& set, std::string_view level) : set_(set), level_(level) {
    outcome_.versions.resize(set.versions);
    for (std::uint32_t i = 0; i < set.copies.size(); ++i) {
      copy_at_.emplace(set.copies[i].path, i);
      ++outcome_.versions[set.copies[i].version].copies;
    }
  }

  void judge(const Group& group) {
    for (const MemberPair& pair : group.pairs) {
      judge(group.members[pair.a].path, group.members[pair.b].path);
    }
  }
  // A pair that was reported, in a group or, of recordings, as a link.
  void judge(const std::string& a, const std::string& b) {
    const auto copy_a = copy_at_.find(a);
    const auto copy_b = copy_at_.find(b);
    if (copy_a != copy_at_.end() && copy_b == copy_at_.end()) count(copy_a->second, b);
    if (copy_b != copy_at_.end() && copy_a == copy_at_.end()) count(copy_b->second, a);
  }

  LevelOutcome finish() {
    for (const auto& [files, copies] : wrong_) {
      outcome_.wrong.push_back({level_, files.first, files.second, copies});
    }
    std::ranges::stable_sort(outcome_.wrong, std::greater<>(), &WrongMatch::copies);
    return std::move(outcome_);
  }

 private:
  void count(std::uint32_t number, const std::string& file) {
    const Copy& copy = set_.copies[number];
    const std::string& original = set_.originals[copy.original];
    const auto theirs = set_.files.find(file);
    const auto ours = set_.files.find(original);
    const bool known = theirs != set_.files.end() && ours != set_.files.end();
    CopyScore& score = outcome_.versions[copy.version];
    if (file != original && !(known && theirs->second == ours->second)) {
      ++score.wrong;
      ++wrong_[{original, file}];
      return;
    }
    ++score.right;
    if (found_.insert(number).second) ++score.found;
  }

  const CopySet& set_;
  std::string level_;
  std::unordered_map<std::string_view, std::uint32_t> copy_at_;
  std::unordered_set<std::uint32_t> found_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> wrong_;
  LevelOutcome outcome_;
};

double share(std::uint64_t part, std::uint64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double CopyScore::recall() const { return copies == 0 ? 0 : share(found, copies); }
double CopyScore::precision() const { return right + wrong == 0 ? 1 : share(right, right + wrong); }

CopyScore& CopyScore::operator+=(const CopyScore& other) {
  copies += other.copies;
  found += other.found;
  right += other.right;
  wrong += other.wrong;
  return *this;
}

LevelOutcome score_copies(const CopySet& set, const Report& report, std::string_view level) {
  Judge judge(set, level);
  for (const Group& group : report.groups) judge.judge(group);
  for (const RecordingLink& link : report.links) judge.judge(link.a, link.b);
  return judge.finish();
}

}  // namespace twinsift
