// SPDX-License-Identifier: Apache-2.0
#include "group/picture_local.h"

#include <algorithm>
#include <cassert>
#include <mutex>
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

// Some of the pictures, which the others are compared with.
class Block {
 public:
  Block(std::uint32_t begin, std::vector<LocalWords> words, const LocalPairsOptions& options)
      : begin_(begin),
        words_(std::move(words)),
        options_(options.match),
        index_(words_, lookup_of(options)) {}

  // Adds those pictures of the block before b that match it.
  void add_partners(std::uint32_t b, const LocalPrint& print, const std::stop_token& stop,
                    Found& found) const {
    const std::uint32_t end = b - begin_;  // beyond the block, all of it
    const WordCandidates plain = index_.query(print.words, end);
    const WordCandidates mirrored = index_.query(print.mirrored, end);
    found.capped = found.capped || plain.capped || mirrored.capped;
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
      if (auto match = verify(a, print, as_it_is, in_a_mirror)) {
        match->placement.points = {};
        found.pairs.push_back({begin_ + a, b, std::move(*match)});
      }
    }
  }

 private:
  static InvertedWordsOptions lookup_of(const LocalPairsOptions& options) {
    InvertedWordsOptions lookup = options.index;
    lookup.radius = options.match.words.radius;
    lookup.least = options.match.consensus.least_inliers;
    return lookup;
  }

  [[nodiscard]] std::optional<LocalMatch> verify(std::uint32_t a, const LocalPrint& b,
                                                 bool as_it_is, bool in_a_mirror) const {
    if (!in_a_mirror) return match_local(words_[a], b.words, options_);
    static const LocalWords kNone;
    return match_local_or_mirrored(words_[a], as_it_is ? b.words : kNone, b.mirrored, options_);
  }

  std::uint32_t begin_;
  std::vector<LocalWords> words_;
  const LocalMatchOptions& options_;
  InvertedWords index_;
};

Result<std::vector<LocalWords>> words_of(const LocalPictures& pictures, std::uint32_t begin,
                                         std::uint32_t end) {
  std::vector<LocalWords> words;
  words.reserve(end - begin);
  for (std::uint32_t i = begin; i < end; ++i) {
    TWINSIFT_TRY(LocalPrint print, pictures.print(i));
    words.push_back(std::move(print.words));
  }
  return words;
}

// One block against all pictures from its first on.
Status compare_with_block(const LocalPictures& pictures, std::uint32_t begin,
                          const LocalPairsOptions& options, const std::stop_token& stop,
                          std::vector<Found>& found) {
  const std::uint32_t end = begin + std::min(options.block, pictures.count - begin);
  TWINSIFT_TRY(std::vector<LocalWords> words, words_of(pictures, begin, end));
  const Block block(begin, std::move(words), options);
  std::optional<Error> error;
  std::mutex mutex;
  parallel_for(pictures.count - begin, options.threads, stop, [&](std::size_t i, unsigned) {
    const auto b = static_cast<std::uint32_t>(begin + i);
    const Result<LocalPrint> print = pictures.print(b);
    if (print) return block.add_partners(b, *print, stop, found[b]);
    const std::scoped_lock lock(mutex);
    if (!error) error = print.error();
  });
  if (stop.stop_requested()) return cancelled_error();
  if (error) return *error;
  return ok();
}

}  // namespace

Result<LocalPairs> find_local_pairs(const LocalPictures& pictures, const LocalPairsOptions& options,
                                    const std::stop_token& stop) {
  assert(options.block > 0);
  std::vector<Found> found(pictures.count);
  for (std::uint32_t begin = 0; begin < pictures.count;) {
    TWINSIFT_TRY([[maybe_unused]] const auto compared,
                 compare_with_block(pictures, begin, options, stop, found));
    begin += std::min(options.block, pictures.count - begin);
  }
  LocalPairs all;
  for (std::uint32_t b = 0; b < found.size(); ++b) {
    all.candidates += found[b].candidates;
    if (found[b].capped) all.capped.push_back(b);
    std::ranges::move(found[b].pairs, std::back_inserter(all.pairs));
    found[b].pairs = {};
  }
  std::ranges::sort(all.pairs, {}, [](const LocalPair& pair) { return std::tie(pair.a, pair.b); });
  return all;
}

}  // namespace twinsift
