// SPDX-License-Identifier: Apache-2.0
// Vectors to measure indexes on: from a file, or made up.  picture_vectors.h has those of pictures.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/vector_index.h"
#include "twinsift/eval.h"
#include "twinsift/result.h"

namespace twinsift {

struct VectorSet {
  std::string name;  // "GIST of scenes"
  std::vector<float> values{};
  std::size_t dimension = 0;
  std::vector<std::uint32_t> groups{};  // of each vector; empty if nobody knows
  [[nodiscard]] VectorRows rows() const { return {values, dimension}; }
  [[nodiscard]] std::size_t size() const { return rows().size(); }
};

// Of a file: if its name ends in ".fvecs", for each vector its length as a 32-bit whole number and
// then its numbers as 32-bit floats, all little-endian; otherwise lines of numbers between commas,
// tabs or blanks, where empty lines and those that begin with '#' are passed over.
// kInvalidArgument or kCorrupt, naming the place, if a number is none or not finite, or lengths
// differ.
Result<VectorSet> read_vectors(const std::string& path);
Result<VectorSet> parse_text_vectors(std::string_view text);
Result<VectorSet> parse_fvecs(std::string_view bytes);

// 10,200 vectors as bench_vectors has them: 14 hot spots of 50 to 250, the others in groups of
// four. They fill `latent` dimensions of theirs, as those of pictures fill few of many.
struct MadeVectors {
  std::size_t count = 10'200;
  std::size_t dimension = 64;
  std::size_t latent = 64;  // equal to the dimension: every component is independent
  std::size_t hot_spots = 14;
  std::uint32_t group = 4;
  double noise = 0.25;  // around the centre of a group; centres spread by 1
};
std::size_t usual_hot_spots(std::size_t count);  // as many as bench_vectors has for 10,200
VectorSet make_clustered(const MadeVectors& made, std::uint64_t seed);

// Bags of 400 visual words, of norm 1: 300 words a picture with the frequencies of a vocabulary, in
// groups of pictures that share two thirds of theirs.
VectorSet make_bags(std::size_t count, std::uint32_t group, std::uint64_t seed);

}  // namespace twinsift
