// SPDX-License-Identifier: Apache-2.0
#include "verify/sound_seeds.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>
#include <utility>

#include "base/radix.h"

namespace twinsift {
namespace {

// First bits of keys; no shift leads out of the code.
constexpr std::array<unsigned, 2> kPhases = {kMostShift, kMostShift + 4};
constexpr unsigned kShifts = 2 * kMostShift + 1;
constexpr std::size_t kApart = 3;  // moments of a key
constexpr unsigned kBitsOfMoment = 15;
constexpr unsigned kChance = 17;  // log2 of how many equal keys chance may make

// As many bits as make 2^kChance equal keys of unrelated sounds.
unsigned key_bits(const Hearing& x, const Hearing& y) {
  const auto pairs = static_cast<std::uint64_t>(x.size()) * static_cast<std::uint64_t>(y.size()) *
                     kShifts * kPhases.size();
  const auto bits = static_cast<unsigned>(std::bit_width(pairs));
  return std::clamp(bits, kChance + 10, kChance + 2 * kBitsOfMoment) - kChance;
}

std::uint32_t key_of(const Hearing& sound, std::size_t i, unsigned first, unsigned bits) {
  std::uint32_t key = spread_bits(sound.codes[i], first);
  if (bits > kBitsOfMoment) key |= spread_bits(sound.codes[i + kApart], first) << kBitsOfMoment;
  return key & ((std::uint32_t{1} << bits) - 1);
}

std::size_t keyed_moments(const Hearing& sound, unsigned bits) {
  const std::size_t rest = bits > kBitsOfMoment ? kApart : 0;
  return sound.codes.size() - std::min(sound.codes.size(), rest);
}

// The keys of x: moments in the order of their buckets.
class KeyTable {
 public:
  KeyTable(const Hearing& x, unsigned first, unsigned bits) {
    bucket_bits_ = std::min(bits, 16U);
    const std::size_t n = keyed_moments(x, bits);
    starts_.assign((std::size_t{1} << bucket_bits_) + 1, 0);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> keyed;  // key, moment
    for (std::size_t i = 0; i < n; ++i) {
      if (x.heard[i] == 0) continue;
      keyed.emplace_back(key_of(x, i, first, bits), static_cast<std::uint32_t>(i));
      ++starts_[bucket(keyed.back().first) + 1];
    }
    for (std::size_t i = 1; i < starts_.size(); ++i) starts_[i] += starts_[i - 1];
    entries_.resize(keyed.size());
    std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
    for (const auto& entry : keyed) entries_[next[bucket(entry.first)]++] = entry;
  }

  template <class Visit>
  void each(std::uint32_t key, const Visit& visit) const {
    const std::size_t b = bucket(key);
    for (std::uint32_t k = starts_[b]; k < starts_[b + 1]; ++k) {
      if (entries_[k].first == key) visit(entries_[k].second);
    }
  }

 private:
  [[nodiscard]] std::size_t bucket(std::uint32_t key) const {
    return key & ((std::size_t{1} << bucket_bits_) - 1);
  }
  unsigned bucket_bits_ = 0;
  std::vector<std::uint32_t> starts_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> entries_;
};

// A cell as one number, so that votes are counted by sorting: shift, chunk of y, place in x.
struct Cells {
  std::ptrdiff_t length_y = 0;

  // Requires: below 2^26 moments each, 48 days.
  [[nodiscard]] std::uint64_t number(unsigned shift, std::ptrdiff_t chunk, std::size_t i,
                                     std::size_t j) const {
    const std::ptrdiff_t offset =
        static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(j) + length_y;
    return std::uint64_t{shift} << 56U | static_cast<std::uint64_t>(chunk) << 28U |
           static_cast<std::uint64_t>(offset / kSeedWidth);
  }
  [[nodiscard]] SoundSeed seed(std::uint64_t cell, std::uint32_t votes) const {
    constexpr std::uint64_t kField = (std::uint64_t{1} << 28U) - 1;
    return {votes, static_cast<int>(cell >> 56U) - kMostShift,
            static_cast<std::ptrdiff_t>(cell >> 28U & kField) * (kSeedLength / 2),
            static_cast<std::ptrdiff_t>(cell & kField) * kSeedWidth - length_y};
  }
};

// Each vote counts in the two chunks that overlap there.
std::vector<std::uint64_t> cast_votes(const Hearing& x, const Hearing& y, const Cells& cells) {
  const unsigned bits = key_bits(x, y);
  const std::size_t n = keyed_moments(y, bits);
  std::vector<std::uint64_t> votes;
  for (const unsigned phase : kPhases) {
    const KeyTable table(x, phase, bits);
    for (std::size_t j = 0; j < n; ++j) {
      if (y.heard[j] == 0) continue;
      const auto chunk = static_cast<std::ptrdiff_t>(j) / (kSeedLength / 2);
      for (unsigned shift = 0; shift < kShifts; ++shift) {
        table.each(key_of(y, j, phase + shift - kPhases[0], bits), [&](std::uint32_t i) {
          votes.push_back(cells.number(shift, chunk, i, j));
          if (chunk > 0) votes.push_back(cells.number(shift, chunk - 1, i, j));
        });
      }
    }
  }
  return votes;
}

}  // namespace

std::vector<SoundSeed> find_seeds(const Hearing& x, const Hearing& y, std::size_t most) {
  const Cells cells{y.size()};
  std::vector<std::uint64_t> votes = cast_votes(x, y, cells);
  std::vector<std::uint64_t> scratch;
  radix_sort(votes, 0, scratch);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> counted;  // cell, votes
  for (std::size_t i = 0; i < votes.size();) {
    std::size_t end = i;
    while (end < votes.size() && votes[end] == votes[i]) ++end;
    counted.emplace_back(votes[i], static_cast<std::uint32_t>(end - i));
    i = end;
  }
  std::vector<SoundSeed> seeds;
  for (std::size_t i = 0; i < counted.size(); ++i) {
    const auto [cell, own] = counted[i];
    const bool next = i + 1 < counted.size() && counted[i + 1].first == cell + 1;
    const std::uint32_t sum = own + (next ? counted[i + 1].second : 0);
    if (sum >= 2) seeds.push_back(cells.seed(cell, sum));
  }
  const auto key = [](const SoundSeed& s) {
    return std::tuple(~s.votes, s.shift, s.at_y, s.offset);
  };
  const auto before = [&](const SoundSeed& a, const SoundSeed& b) { return key(a) < key(b); };
  const std::size_t kept = std::min(most, seeds.size());
  std::ranges::partial_sort(seeds, seeds.begin() + static_cast<std::ptrdiff_t>(kept), before);
  seeds.resize(kept);
  return seeds;
}

}  // namespace twinsift
