// SPDX-License-Identifier: Apache-2.0
// An inverted index of sound: from keys to the moments of recordings that have them.
//
// A recording that is asked for looks up its keys (sound_keys.h) at every shift in pitch, and what
// is equal votes for a place (time_votes.h).  So a recording is indexed once, and found at all
// pitches.
//
// Keys that very many moments have are steady sounds and loops: their lists are not read, and a
// recording for which that is so for most keys is told as capped.
//
// Papers:  Haitsma, Kalker, "A Highly Robust Audio Fingerprinting System", ISMIR 2002, section 5.
// Differs: keys of two moments apart, whose length follows the number of moments, instead of one
//          whole code; so that by chance few are equal, and few bits have to be right.
// Cost:    8 bytes for each moment and table; 11 look-ups for each moment and table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "feature/sound_code.h"
#include "index/sound_keys.h"
#include "index/time_votes.h"
#include "twinsift/types.h"

namespace twinsift {

struct SoundCandidate {
  ItemId item = 0;
  SoundSeed seed;  // offsets count from the beginning of the item
};

// Add all items in order, then seal; then threads may ask.
class SoundIndex {
 public:
  explicit SoundIndex(const SoundKeys& keys) : keys_(keys), tables_(keys.tables) {}

  // The next item.  Requires: below 2^32 moments together.
  void add(std::span<const SoundCode> codes);
  void seal();

  struct Answer {
    std::vector<SoundCandidate> candidates;  // by item; the best seeds of one item first
    bool capped = false;
  };
  struct Question {
    std::span<const SoundCode> codes;
    ItemId before = 0;        // only items numbered below are asked for
    std::uint32_t votes = 2;  // that a seed needs
    std::size_t most = 4;     // seeds of one item
  };
  [[nodiscard]] Answer ask(const Question& question) const;

 private:
  void name_items(std::vector<SoundSeed> seeds, const Question& question, Answer& answer) const;

  SoundKeys keys_;
  std::vector<SoundKeyTable> tables_;
  std::vector<std::uint32_t> starts_ = {0};  // moments of items; one more than items
};

}  // namespace twinsift
