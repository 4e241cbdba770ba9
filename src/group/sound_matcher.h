// SPDX-License-Identifier: Apache-2.0
// From the sound of recordings to all pairs that share some: an index proposes
// (index/sound_index.h), a first look at the place rejects what chance proposed, and match_sound
// decides.  What then has no match is laid against all others at every offset
// (verify/sound_scan.h): noise as loud as the music leaves hardly a key of the index.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "twinsift/result.h"
#include "twinsift/types.h"
#include "verify/sound_match.h"

namespace twinsift {

struct SoundTask {
  std::uint32_t items = 0;
  // Their words; empty if there is nothing to hear.  Called from many threads.
  std::function<Result<std::span<const std::uint64_t>>(ItemId)> packed;
  double recall = 0.95;
  unsigned threads = 1;
  std::stop_token stop{};
  std::function<bool(ItemId, ItemId)> allowed{};  // pairs that may match; empty: all
  std::function<void(std::string_view stage, std::uint64_t items, std::uint64_t total)> progress{};
  SoundMatchOptions options{};
  // What has no match is laid against all others at so many offsets at most, all together: two
  // minutes of a processor.
  std::uint64_t most_offsets = 4'000'000'000;
};

struct SoundPair {
  ItemId a = 0;
  ItemId b = 0;
  Timeline timeline;
  friend bool operator==(const SoundPair&, const SoundPair&) = default;
};

struct SoundPairs {
  std::vector<SoundPair> pairs;  // a < b; by b, then a
  struct Stats {
    std::uint64_t candidates = 0;  // pairs with a seed
    std::uint64_t verified = 0;    // of these, those that were compared as wholes
  } stats;
  std::string guarantee;  // says so if some are unscanned
  std::string spec;
  std::vector<ItemId> capped;   // items that may have more matches before them
  std::uint32_t unscanned = 0;  // items that would have had to be laid against too many others
};

// The same for any number of threads.
Result<SoundPairs> find_sound_pairs(const SoundTask& task);

}  // namespace twinsift
