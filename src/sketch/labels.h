// SPDX-License-Identifier: Apache-2.0
// Labels: the keys under which a set is published, so that similar sets meet under one of them.
//
// There are l tables.  A label of table j is made of k min-hashes of that table, each cut to b
// bits:
//     v_ji = min over x of permute64(x, key(j, i)),      bits_ji = lowest b bits of mix64(v_ji ^
//     G),
// so that two sets of similarity s agree in the bits of one hash with f(s) = s + (1 - s) 2^-b, in
// a label with f(s)^k, and in at least one of l labels with
//     pr(s) = 1 - (1 - f(s)^k)^l.
// b = 1 are the labels of the paper; wide ones (b = 64) need far fewer hashes for the same promise
// and meet far fewer strangers.
//
// A sketch of 1,024 such bits, with b = 1 and hashes of their own, tells before anybody is asked
// whether two sets that met are worth a comparison: the number of equal bits is binomial with
// (1 + s) / 2, independently of the labels.  There are four of them, and table j has the one of
// number j % 4: sets that meet in tables of c different sketches are told apart by c times as many
// independent bits, though each entry carries 1,024 (tune/strangers.h).
//
// Papers:  [POND] Papapetrou et al., sec. III-C and V-C (Lemma 4, Theorem 5).
// Differs: b may be any width, and there are sketches.  What is cached are the minima, not the
//          labels: more labels or more hashes compute only the difference, and other widths
//          compute nothing.
// Cost:    about 0.8 ns for each element and hash with AVX2, of which a sketch has 1,024; 8 bytes
//          for each minimum.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "twinsift/types.h"

namespace twinsift {

inline constexpr std::uint32_t kMaxHashes = 256;   // k: keys of a table must not meet the next
inline constexpr std::uint32_t kMaxTables = 4096;  // l

struct LabelShape {
  std::uint32_t width = 64;  // b, 1 to 64
  std::uint32_t hashes = 5;  // k, 1 to kMaxHashes
  std::uint32_t labels = 2;  // l, 1 to kMaxTables
  friend bool operator==(const LabelShape&, const LabelShape&) = default;
};

// With 256 bits, 96 bytes less in an entry, real texts take about half as many messages again:
// strangers just below the least similarity, of which they have many, would pass.
inline constexpr std::uint32_t kSketchBits = 1024;
using LabelSketch = std::array<std::uint64_t, kSketchBits / 64>;

inline constexpr std::uint32_t kSketches = 4;  // different ones of a set
// Which of them goes with a table.
constexpr std::uint32_t sketch_of_table(std::uint32_t table) { return table % kSketches; }
// How many of them so many tables have.
constexpr std::uint32_t sketches_of(std::uint32_t labels) {
  return labels < kSketches ? labels : kSketches;
}

// Bits that agree, 0 to kSketchBits.
TWINSIFT_EXPORT std::uint32_t agreeing_bits(const LabelSketch& a, const LabelSketch& b);

// The minima of one set under the hashes of one seed, as many as were needed so far.  The set
// itself is not kept: whoever asks brings it again.  Not thread-safe.
class TWINSIFT_EXPORT LabelMinima {
 public:
  explicit LabelMinima(std::uint64_t seed) : seed_(seed) {}

  // Has what labels of this shape need.  Returns how many minima had to be computed.  Requires:
  // the same set each time, not empty.
  std::size_t grow(std::span<const std::uint64_t> set, const LabelShape& shape);

  // The bits of the hashes of a table, one after the other, in bytes from the lowest bit on; the
  // rest of the last byte is 0.  A label with more hashes begins with the bits of this one.
  // Requires: grow() with a shape that has them; table < shape.labels.
  [[nodiscard]] std::string label(const LabelShape& shape, std::uint32_t table) const;

 private:
  std::uint64_t seed_;
  std::vector<std::vector<std::uint64_t>> tables_;
};

// One of the sketches.  Requires: the set is not empty; which < kSketches.
TWINSIFT_EXPORT LabelSketch label_sketch(std::span<const std::uint64_t> set, std::uint64_t seed,
                                         std::uint32_t which);
// All that so many tables have, by number.  Requires: the set is not empty.
TWINSIFT_EXPORT std::vector<LabelSketch> label_sketches(std::span<const std::uint64_t> set,
                                                        std::uint64_t seed, std::uint32_t labels);

}  // namespace twinsift
