// SPDX-License-Identifier: Apache-2.0
#include "index/sound_probe.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace twinsift {
namespace {

// Numbers in the tables: the shift in the highest four bits, then the moment.
constexpr unsigned kShiftAt = 28;
constexpr std::uint32_t kMoments = (1U << kShiftAt) - 1;
static_assert(2 * kMostShift < 16);

}  // namespace

SoundProbe::SoundProbe(std::span<const SoundCode> codes, const SoundKeys& keys)
    : keys_(keys), length_(codes.size()), tables_(keys.tables) {
  assert(codes.size() <= kMoments);
  for (unsigned t = 0; t < keys_.tables; ++t) {
    for (int shift = -kMostShift; shift <= kMostShift; ++shift) {
      const auto high = static_cast<std::uint32_t>(shift + kMostShift) << kShiftAt;
      each_sound_key(codes, keys_, t, shift, [&](std::size_t j, std::uint32_t key) {
        tables_[t].add(key, high | static_cast<std::uint32_t>(j));
      });
    }
    tables_[t].seal(keys_.bits);
  }
}

std::vector<SoundSeed> SoundProbe::seeds_in(std::span<const SoundCode> item, std::uint32_t votes,
                                            std::size_t most) const {
  TimeVotes all(length_);
  for (unsigned t = 0; t < keys_.tables; ++t) {
    each_sound_key(item, keys_, t, 0, [&](std::size_t i, std::uint32_t key) {
      const auto list = tables_[t].list_of(key);
      if (list.size() > keys_.longest) return;
      for (const std::uint64_t entry : list) {
        const auto number = static_cast<std::uint32_t>(entry);
        all.add(static_cast<int>(number >> kShiftAt) - kMostShift, i, number & kMoments);
      }
    });
  }
  std::vector<SoundSeed> seeds = all.seeds(votes, (item.size() + length_) * (2 * kMostShift + 1));
  const auto rank = [](const SoundSeed& s) {
    return std::tuple(~s.votes, ~s.hits, s.shift, s.at_y, s.offset);
  };
  std::ranges::sort(seeds, {}, rank);
  seeds.resize(std::min(seeds.size(), most));
  return seeds;
}

}  // namespace twinsift
