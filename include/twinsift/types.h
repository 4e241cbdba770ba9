// SPDX-License-Identifier: Apache-2.0
// The nouns of twinsift, in the order in which data becomes them:
//   Input -> Feature -> Sketch -> Candidate -> Match -> Group
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#define TWINSIFT_EXPORT __attribute__((visibility("default")))

namespace twinsift {

// The bytes of one item and the name it is reported under.
struct Input {
  std::string_view uri;
  std::span<const std::byte> bytes;  // for a medium that streams: as many as recognising it took
  int file = -1;                     // open for reading, for a medium that streams; else -1
  std::stop_token stop{};            // asks what takes long to end early: kCancelled
};

// Hashed shingles, terms or visual words.  Sorted and unique wherever a header says "set".
using TokenSet = std::vector<std::uint64_t>;
struct WeightedSet {
  TokenSet tokens;
  std::vector<double> weights;  // weights[i] > 0 belongs to tokens[i]
};
using DenseVector = std::vector<float>;
// What a medium has packed for comparisons of its own, which only it can unpack: of a picture its
// code and thumbnail, or its key points; of a recording what is heard and seen in the course of
// time.
struct Packed {
  std::vector<std::uint64_t> words;
};

// What one item, or one time segment of it, looks like to the rest of the program.
struct Feature {
  std::variant<TokenSet, WeightedSet, DenseVector, Packed> value;
  double begin_seconds = 0;  // 0, 0: the whole item
  double end_seconds = 0;
};

// A name and a value worth telling a person: {"charset", "windows-1252"}, {"words", "1204"}.
using Fact = std::pair<std::string, std::string>;

using Sketch = std::vector<std::uint64_t>;  // fixed length for one Sketcher; empty: EMPTY sketch

struct Estimate {
  double value = 0;      // similarity in [0, 1]
  double std_error = 0;  // standard error of value
};

// What a filter makes of the sketches of two items; what it leaves open is compared exactly.
enum class Verdict : std::uint8_t { kReject, kAccept, kOpen };

// Items are numbered 0, 1, ... in the order in which a run keeps them: if a and b are near
// duplicates and a < b, then a is the one that stays.
using ItemId = std::uint32_t;

struct Candidate {
  ItemId a = 0;
  ItemId b = 0;
};

// A candidate pair whose exact similarity is known.
struct Match {
  ItemId a = 0;
  ItemId b = 0;
  double score = 0;
  friend bool operator==(const Match&, const Match&) = default;
};

// A stretch [begin, begin + length) of a text, in bytes of its decoded UTF-8.
struct Span {
  std::uint64_t begin = 0;
  std::uint64_t length = 0;
  friend bool operator==(const Span&, const Span&) = default;
};

// The same words in both texts.
struct Passage {
  Span a;
  Span b;
  std::uint32_t words = 0;
  friend bool operator==(const Passage&, const Passage&) = default;
};

// A place in a picture: (0, 0) is its upper left corner, (1, 1) its lower right one.
struct Point {
  double x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// The same place in both pictures.
struct PointPair {
  Point a;
  Point b;
  friend bool operator==(const PointPair&, const PointPair&) = default;
};

// How one picture lies in another.
struct Placement {
  // Row by row the projective map from places in a to places in b; the last entry is 1.
  std::array<double, 9> a_to_b = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  std::array<Point, 4> frame_of_b;  // corners of b in a, clockwise from b's upper left; may lie
                                    // outside of a
  bool mirrored = false;
  double turned = 0;     // degrees clockwise from a to b, in (-180, 180]; after mirroring
  double scale = 1;      // pixels of b for one of a, at their full sizes
  double covered_a = 0;  // share of a's area that b shows
  double covered_b = 0;
  std::uint32_t matched = 0;      // key points that fit; none if it was found otherwise
  std::vector<PointPair> points;  // these, where a person is to see them
  friend bool operator==(const Placement&, const Placement&) = default;
};

// The same stretch of time in two recordings, in seconds from their beginnings.
struct Stretch {
  double begin_a = 0;
  double end_a = 0;
  double begin_b = 0;
  double end_b = 0;
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

// Which parts of two recordings are the same, and what was done to b.
struct Timeline {
  double seconds_a = 0;  // how long they are
  double seconds_b = 0;
  std::vector<Stretch> stretches;  // in the order of a, where they do not overlap
  double speed = 1;                // seconds of a that pass in one of b: 1.25 if b runs faster
  double pitch = 1;                // frequencies of b for those of a
  bool mirrored = false;           // b shows the pictures of a left side right
  double agreement = 0;            // of what was compared along the stretches, 0 to 1
  friend bool operator==(const Timeline&, const Timeline&) = default;
};

// Why two items are thought to be the same.  For text: exact set similarities of the features
// and, where asked for, the shared passages in the order of their place in `a`.  For pictures:
// bits in which their codes differ, how well the pixels agree, and how one lies in the other.  For
// recordings: which of their stretches sound and look the same.
struct Evidence {
  double jaccard = 0;
  double containment_a = 0;  // share of a's features that b has
  double containment_b = 0;
  std::uint64_t shared = 0;  // features in both
  std::uint64_t total_a = 0;
  std::uint64_t total_b = 0;
  Passage longest;  // zero lengths if none was looked for or found
  std::vector<Passage> passages;
  std::optional<std::uint32_t> bits{};  // of 256 that differ, for the best of eight orientations
  std::optional<std::uint32_t> learned_bits{};  // the same of learned codes, if these found it
  std::optional<double> correlation{};  // of the pixels after one was laid over the other, -1 to 1
  bool same_pixels = false;             // at full size, in whatever format
  std::optional<Placement> placement{};
  std::optional<Timeline> sound{};
  std::optional<Timeline> film{};
};

// An item that could not be looked at, and why.
struct Skipped {
  std::string path;    // real bytes, or "name.jsonl:17" for a line of a corpus
  std::string reason;  // short and stable: "permission denied", "encrypted", ...
  std::string detail;  // one sentence
};

}  // namespace twinsift
