// SPDX-License-Identifier: Apache-2.0
#include "group/picture_local.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <tuple>
#include <utility>

#include "base/cancel.h"
#include "base/parallel.h"

namespace twinsift {
namespace {

// What one picture has in common with those before it.
struct Found {
  std::vector<LocalPair> pairs;
  std::uint64_t candidates = 0;
  bool capped = false;
};

class PairFinder {
 public:
  PairFinder(const LocalPictures& pictures, const InvertedWords& index,
             const LocalMatchOptions& options)
      : pictures_(pictures), index_(index), options_(options) {}

  [[nodiscard]] Found partners_of(std::uint32_t b, const std::stop_token& stop) const {
    Found found;
    const WordCandidates plain = index_.query(pictures_.words[b], b);
    WordCandidates mirrored;
    if (!pictures_.mirrored.empty()) mirrored = index_.query(pictures_.mirrored[b], b);
    found.capped = plain.capped || mirrored.capped;
    auto straight = plain.pictures.begin();
    auto reverse = mirrored.pictures.begin();
    while (straight != plain.pictures.end() || reverse != mirrored.pictures.end()) {
      if (stop.stop_requested()) break;
      const std::uint32_t a =
          std::min(straight != plain.pictures.end() ? straight->picture : UINT32_MAX,
                   reverse != mirrored.pictures.end() ? reverse->picture : UINT32_MAX);
      const bool as_it_is = straight != plain.pictures.end() && straight->picture == a;
      const bool in_a_mirror = reverse != mirrored.pictures.end() && reverse->picture == a;
      if (as_it_is) ++straight;
      if (in_a_mirror) ++reverse;
      ++found.candidates;
      // What is no candidate would not match: so this is match_local_or_mirrored.
      if (auto match = verify(a, b, as_it_is, in_a_mirror)) {
        found.pairs.push_back({a, b, std::move(*match)});
      }
    }
    return found;
  }

 private:
  [[nodiscard]] std::optional<LocalMatch> verify(std::uint32_t a, std::uint32_t b, bool as_it_is,
                                                 bool in_a_mirror) const {
    const LocalWords& words = pictures_.words[a];
    if (!in_a_mirror) return match_local(words, pictures_.words[b], options_);
    static const LocalWords kNone;
    return match_local_or_mirrored(words, as_it_is ? pictures_.words[b] : kNone,
                                   pictures_.mirrored[b], options_);
  }

  const LocalPictures& pictures_;
  const InvertedWords& index_;
  const LocalMatchOptions& options_;
};

}  // namespace

Result<LocalPairs> find_local_pairs(const LocalPictures& pictures, const LocalPairsOptions& options,
                                    const std::stop_token& stop) {
  assert(pictures.mirrored.empty() || pictures.mirrored.size() == pictures.words.size());
  InvertedWordsOptions lookup = options.index;
  lookup.radius = options.match.words.radius;
  lookup.least = options.match.consensus.least_inliers;
  const InvertedWords index(pictures.words, lookup);
  const PairFinder finder(pictures, index, options.match);
  std::vector<Found> found(pictures.words.size());
  parallel_for(found.size(), options.threads, stop, [&](std::size_t b, unsigned) {
    found[b] = finder.partners_of(static_cast<std::uint32_t>(b), stop);
  });
  if (stop.stop_requested()) return cancelled_error();
  LocalPairs all;
  for (std::uint32_t b = 0; b < found.size(); ++b) {
    all.candidates += found[b].candidates;
    if (found[b].capped) all.capped.push_back(b);
    std::ranges::move(found[b].pairs, std::back_inserter(all.pairs));
  }
  std::ranges::sort(all.pairs, {}, [](const LocalPair& pair) { return std::tie(pair.a, pair.b); });
  return all;
}

}  // namespace twinsift
