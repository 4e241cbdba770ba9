// SPDX-License-Identifier: Apache-2.0
// Films that may share a stretch with another: tables of sampled bits of the codes of their frames.
//
// A film gives one frame a second to the index (a short one more), and asks with all of its frames.
// Each of `tables` tables is keyed by `width` bits drawn at random; a question looks into one
// bucket of each and keeps what is within kHitBits.  Two codes of d differing bits meet with
//     p(d) = 1 - (1 - C(256 - d, width) / C(256, width))^tables,
// which may be small: a film has many frames.  A film becomes a candidate where hits at about the
// same offset have enough evidence together: two within 64 bits, or one within 40.  If n seconds
// are shared, frame by frame within d <= 64 bits, it is found with P(Binomial(n, p(d)) >= 2) at
// least, as long as frames differ in different bits.
//
// Papers:  [GIM99] Gionis, Indyk, Motwani, "Similarity Search in High Dimensions via Hashing", VLDB
//          1999.
// Differs: evidence of many weak hits instead of one sure one; hence wide keys and small buckets.
// Cost:    for an hour of film 144 kB of codes and 14 kB a table; for a question tables * frames
//          look-ups.  Keys grow with the logarithm of the collection as long as 64 tables keep the
//          promise, up to about 2,000 hours; from there on the buckets grow instead.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "feature/film_print.h"
#include "twinsift/types.h"

namespace twinsift {

struct FilmIndexPlan {
  std::uint32_t width = 0;
  std::uint32_t tables = 0;
  double found = 0;  // the promise for kPromisedSeconds and kPromisedBits
};

inline constexpr std::uint32_t kPromisedSeconds = 20;
inline constexpr std::uint32_t kPromisedBits = 64;

// p(d) above.
double film_code_found(std::uint32_t bits, std::uint32_t width, std::uint32_t tables);

// The widest keys, up to buckets of 16 codes, and the fewest tables that keep the promise.
FilmIndexPlan plan_film_index(std::uint64_t codes, double recall);

// The frames that a film gives to the index.
std::vector<std::uint32_t> indexed_frames(const FilmPrint& film);

struct FilmCandidate {
  ItemId film = 0;
  double evidence = 0;
  friend bool operator==(const FilmCandidate&, const FilmCandidate&) = default;
};

// Any number of threads may ask once it is built.
class FilmIndex {
 public:
  void add(ItemId film, const FilmPrint& print);
  // After all were added.
  void build(double recall, std::uint64_t seed);

  // By descending evidence, then by number; at most `most`.
  [[nodiscard]] std::vector<FilmCandidate> ask(const FilmPrint& print, std::size_t most) const;

  [[nodiscard]] const FilmIndexPlan& plan() const { return plan_; }
  [[nodiscard]] std::size_t codes() const { return owners_.size(); }
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Owner {
    ItemId film;
    float seconds;
  };
  struct Table {
    std::vector<std::uint64_t> masks;
    std::vector<std::uint32_t> starts;  // of the bucket of each key, and the end
    std::vector<std::uint32_t> rows;
  };
  struct Hit {
    std::uint32_t row;
    std::uint16_t bits;
    float seconds;  // in the question
  };
  void hits_of(const FilmCodes& codes, std::vector<Hit>& hits) const;
  void add_candidates(std::vector<Hit>& hits, std::vector<FilmCandidate>& candidates) const;

  FilmIndexPlan plan_;
  std::vector<std::uint64_t> words_;
  std::vector<Owner> owners_;
  std::vector<Table> tables_;
};

}  // namespace twinsift
