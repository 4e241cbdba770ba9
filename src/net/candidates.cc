// SPDX-License-Identifier: Apache-2.0
#include "net/candidates.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace twinsift::net {

// Without sketches all tables say the same.
std::size_t Candidates::sketch_of(const Entry& entry) const {
  return sketches_.empty() ? 0 : sketch_of_table(entry.table);
}

std::uint32_t Candidates::agreeing(const Entry& entry) const {
  if (sketches_.empty()) return 0;
  assert(sketch_of(entry) < sketches_.size());
  return agreeing_bits(entry.sketch, sketches_[sketch_of(entry)]);
}

bool Candidates::may_pass(Bits hoped) const {
  std::ranges::sort(hoped, std::greater());
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < hoped.size(); ++i) {
    sum += hoped[i];
    if (sum >= least_[i]) return true;
  }
  return false;
}

std::size_t Candidates::check_held(Candidate& candidate, std::int64_t now) const {
  std::size_t wrong = 0;
  for (const Held& held : candidate.held) {
    const Result<Entry> entry =
        open_entry(held.value.bytes, held.key, held.value.id, now, lifetime_);
    if (!entry) {
      ++wrong;
      continue;
    }
    const std::size_t which = sketch_of(*entry);
    if (!candidate.seen[which]) candidate.agreeing[which] = agreeing(*entry);
    candidate.seen[which] = true;
    if (!candidate.entry) candidate.entry = *entry;
  }
  candidate.held.clear();
  candidate.hoped = {};
  return wrong;
}

// Puts it into the queue, to another place of it, or out of it.
void Candidates::decide(Candidate& candidate) {
  if (candidate.waits) queue_.erase(*candidate.waits);
  candidate.waits.reset();
  const auto seen = static_cast<std::size_t>(std::ranges::count(candidate.seen, true));
  if (seen == 0) return;
  const std::uint32_t sum =
      std::accumulate(candidate.agreeing.begin(), candidate.agreeing.end(), 0U);
  if (sum < least_[seen - 1]) return;
  candidate.waits =
      queue_.emplace(static_cast<double>(sum) / static_cast<double>(seen), *candidate.entry);
}

std::size_t Candidates::take(const Entry& peeked, const DhtKey& key, const DhtValue& value,
                             std::int64_t now) {
  Candidate& candidate = all_[{peeked.owner, peeked.resource}];
  const std::size_t which = sketch_of(peeked);
  if (candidate.removed || candidate.seen[which]) return 0;
  candidate.held.push_back({key, value});
  candidate.hoped[which] = std::max(candidate.hoped[which], agreeing(peeked));
  if (!candidate.entry && !may_pass(candidate.hoped)) return 0;
  const std::size_t wrong = check_held(candidate, now);
  decide(candidate);
  return wrong;
}

Candidates::Queue::const_iterator Candidates::remove(Queue::const_iterator at) {
  Candidate& candidate = all_[{at->second.owner, at->second.resource}];
  candidate.removed = true;
  candidate.waits.reset();
  return queue_.erase(at);
}

void Candidates::put_back(const Entry& entry) {
  Candidate& candidate = all_[{entry.owner, entry.resource}];
  candidate.removed = false;
  decide(candidate);
}

// All that came of the others was false.
bool Candidates::is_known(const Candidate& candidate) {
  return candidate.entry || !candidate.held.empty();
}

std::size_t Candidates::size() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(all_, [](const auto& of) { return is_known(of.second); }));
}

std::size_t Candidates::strangers() const {
  return static_cast<std::size_t>(std::ranges::count_if(all_, [](const auto& of) {
    return is_known(of.second) && !of.second.removed && !of.second.waits;
  }));
}

}  // namespace twinsift::net
