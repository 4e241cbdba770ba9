// SPDX-License-Identifier: Apache-2.0
// Many films: all pairs that share a stretch.
//
// Few films are compared each with each; of many, index/film_index.h proposes the pairs.
// verify/film_match.h decides in either case.
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

namespace twinsift {

struct FilmTask {
  std::uint32_t items = 0;
  // Their packed prints; empty: nothing to see.  Called from many threads.
  std::function<Result<std::span<const std::uint64_t>>(ItemId)> packed;
  double recall = 0.95;
  unsigned threads = 1;
  std::stop_token stop{};
  std::function<bool(ItemId, ItemId)> allowed{};  // pairs that may match; empty: all
  std::function<void(std::string_view stage, std::uint64_t items, std::uint64_t total)> progress{};
  std::uint32_t few = 48;  // up to so many films are compared each with each
};

struct FilmPairs {
  struct Pair {
    ItemId a = 0;  // below b
    ItemId b = 0;
    Timeline timeline;
    friend bool operator==(const Pair&, const Pair&) = default;
  };
  std::vector<Pair> pairs;  // by a, then b
  std::uint64_t candidates = 0;
  std::uint64_t verified = 0;  // of which so many were compared
  std::vector<ItemId> capped;  // these had more candidates than were looked at
  std::string guarantee;
  std::string index;  // spec
};

// kCorrupt if a print is none, kInvalidArgument if the recall is not in (0, 1], kCancelled.
Result<FilmPairs> find_film_pairs(const FilmTask& task);

}  // namespace twinsift
