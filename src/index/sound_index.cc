// SPDX-License-Identifier: Apache-2.0
#include "index/sound_index.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace twinsift {

void SoundIndex::add(std::span<const SoundCode> codes) {
  const std::uint32_t start = starts_.back();
  for (unsigned t = 0; t < keys_.tables; ++t) {
    each_sound_key(codes, keys_, t, 0, [&](std::size_t j, std::uint32_t key) {
      tables_[t].add(key, start + static_cast<std::uint32_t>(j));
    });
  }
  starts_.push_back(start + static_cast<std::uint32_t>(codes.size()));
}

void SoundIndex::seal() {
  for (SoundKeyTable& table : tables_) table.seal(keys_.bits);
}

SoundIndex::Answer SoundIndex::ask(const Question& question) const {
  assert(question.before < starts_.size());
  const std::uint32_t end = starts_[question.before];
  TimeVotes votes(question.codes.size());
  std::uint64_t asked = 0;
  std::uint64_t too_long = 0;
  for (unsigned t = 0; t < keys_.tables; ++t) {
    for (int shift = -kMostShift; shift <= kMostShift; ++shift) {
      each_sound_key(question.codes, keys_, t, shift, [&](std::size_t j, std::uint32_t key) {
        const auto list = tables_[t].list_of(key);
        asked += shift == 0 ? 1 : 0;
        if (list.size() > keys_.longest) {
          too_long += shift == 0 ? 1 : 0;
          return;
        }
        for (const std::uint64_t entry : list) {
          const auto i = static_cast<std::uint32_t>(entry);
          if (i >= end) break;
          votes.add(shift, i, j);
        }
      });
    }
  }
  const std::uint64_t offsets = (end + question.codes.size()) * (2 * kMostShift + 1);
  Answer answer;
  answer.capped = 2 * too_long > asked;
  name_items(votes.seeds(question.votes, offsets), question, answer);
  return answer;
}

// An offset may lead from one item into the next: then it is a seed of both.
void SoundIndex::name_items(std::vector<SoundSeed> seeds, const Question& question,
                            Answer& answer) const {
  std::vector<SoundCandidate>& all = answer.candidates;
  for (const SoundSeed& seed : seeds) {
    const std::ptrdiff_t from = seed.at_y + seed.offset;
    const std::ptrdiff_t to = from + kSeedLength + kSeedWidth;
    const auto first =
        std::upper_bound(starts_.begin(), starts_.end(),
                         static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(from, 0)));
    for (auto item = static_cast<std::size_t>(first - starts_.begin()) - 1;
         item < question.before && static_cast<std::ptrdiff_t>(starts_[item]) < to; ++item) {
      SoundCandidate candidate{static_cast<ItemId>(item), seed};
      candidate.seed.offset -= static_cast<std::ptrdiff_t>(starts_[item]);
      all.push_back(candidate);
    }
  }
  const auto rank = [](const SoundCandidate& c) {
    return std::tuple(c.item, ~c.seed.votes, ~c.seed.hits, c.seed.shift, c.seed.at_y,
                      c.seed.offset);
  };
  std::ranges::sort(all, {}, rank);
  std::size_t kept = 0;
  std::size_t of_item = 0;
  for (std::size_t k = 0; k < all.size(); ++k) {
    of_item = kept > 0 && all[kept - 1].item == all[k].item ? of_item + 1 : 1;
    if (of_item <= question.most) all[kept++] = all[k];
  }
  all.resize(kept);
}

}  // namespace twinsift
