// SPDX-License-Identifier: Apache-2.0
#include "index/sound_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <tuple>

#include "base/radix.h"

namespace twinsift {
namespace {

constexpr std::size_t kApart = 3;  // moments of a key
constexpr unsigned kBitsOfMoment = 15;
// First bits of the keys of each table; no shift leads out of the code.
constexpr std::array<unsigned, kMostTables> kFirst = {kMostShift, kMostShift + 3, kMostShift + 5};
constexpr unsigned kStartBits = 18;

// Low bits of both moments in turn would cost more and find the same.
std::uint32_t key_of(const SoundCode& a, const SoundCode& b, unsigned first, unsigned bits) {
  const unsigned low = std::min(bits - bits / 2, kBitsOfMoment);
  const unsigned high = bits - low;
  const std::uint32_t of_a = spread_bits(a, first) & ((1U << low) - 1);
  const std::uint32_t of_b = spread_bits(b, first) & ((1U << high) - 1);
  return of_a | of_b << low;
}

unsigned start_bits(unsigned bits) { return std::min(bits, kStartBits); }

}  // namespace

template <class Visit>
void SoundIndex::each_key(std::span<const SoundCode> codes, unsigned table, int shift,
                          const Visit& visit) const {
  const auto first = static_cast<unsigned>(static_cast<int>(kFirst[table]) + shift);
  for (std::size_t j = 0; j + kApart < codes.size(); ++j) {
    if (!is_heard(codes[j]) || !is_heard(codes[j + kApart])) continue;
    visit(j, key_of(codes[j], codes[j + kApart], first, keys_.bits));
  }
}

void SoundIndex::add(std::span<const SoundCode> codes) {
  const std::uint32_t start = starts_.back();
  for (unsigned t = 0; t < keys_.tables; ++t) {
    each_key(codes, t, 0, [&](std::size_t j, std::uint32_t key) {
      tables_[t].entries.push_back(std::uint64_t{key} << 32U |
                                   (start + static_cast<std::uint32_t>(j)));
    });
  }
  starts_.push_back(start + static_cast<std::uint32_t>(codes.size()));
}

void SoundIndex::seal() {
  std::vector<std::uint64_t> scratch;
  const unsigned shift = 32 + keys_.bits - start_bits(keys_.bits);
  for (Table& table : tables_) {
    radix_sort(table.entries, 32, scratch);  // moments are in order already
    table.starts.assign((std::size_t{1} << start_bits(keys_.bits)) + 1, 0);
    for (const std::uint64_t entry : table.entries) ++table.starts[(entry >> shift) + 1];
    for (std::size_t i = 1; i < table.starts.size(); ++i) table.starts[i] += table.starts[i - 1];
  }
}

std::span<const std::uint64_t> SoundIndex::list_of(const Table& table, std::uint32_t key) const {
  const std::uint32_t start = key >> (keys_.bits - start_bits(keys_.bits));
  const auto bucket =
      std::span(table.entries)
          .subspan(table.starts[start], table.starts[start + 1] - table.starts[start]);
  const auto first = std::ranges::lower_bound(bucket, std::uint64_t{key} << 32U);
  const auto last = std::ranges::lower_bound(first, bucket.end(), (std::uint64_t{key} + 1) << 32U);
  return {first, last};
}

SoundIndex::Answer SoundIndex::ask(const Question& question) const {
  assert(question.before < starts_.size());
  const std::uint32_t end = starts_[question.before];
  TimeVotes votes(question.codes.size());
  std::uint64_t asked = 0;
  std::uint64_t too_long = 0;
  for (unsigned t = 0; t < keys_.tables; ++t) {
    for (int shift = -kMostShift; shift <= kMostShift; ++shift) {
      each_key(question.codes, t, shift, [&](std::size_t j, std::uint32_t key) {
        const auto list = list_of(tables_[t], key);
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
