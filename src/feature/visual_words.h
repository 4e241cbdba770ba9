// SPDX-License-Identifier: Apache-2.0
// Visual words: descriptors of key points become numbers that can be looked up.
//
// A vocabulary is a list of typical descriptors.  The word of a key point is the nearest of them;
// its signature says in 128 bits on which side of the word it lies.  Two points of the same word
// look alike if most of these bits agree: about 64 differ by chance.
//
// The signature is the sign of 128 sums of the entries of the descriptor less those of its word,
// each with signs of its own: those of Hadamard's matrix, times a fixed random sign of each entry.
// The sums are orthogonal, of whole numbers, and cost 7 * 128 additions.
//
// Papers:  J. Sivic, A. Zisserman, "Video Google", ICCV 2003.
//          H. Jegou, M. Douze, C. Schmid, "Hamming Embedding and Weak Geometric Consistency for
//          Large Scale Image Search", ECCV 2008.
//          Zhang et al., MTAP 2018, section 3.2: a picture as the set of its visual words.
// Differs: signatures have 128 bits, from all of the descriptor (there: 64), and the word itself is
// the
//          threshold (there: the medians of its descriptors, which would double the model).
// Cost:    7 us a key point with 8,192 words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "feature/key_points.h"
#include "feature/word_tree.h"
#include "twinsift/result.h"
#include "twinsift/types.h"

namespace twinsift {

// Immutable; shared by threads.
class Vocabulary {
 public:
  static constexpr std::uint32_t kVersion = 1;
  static constexpr std::uint32_t kMostWords = 1U << 20U;

  // The bytes of a model file, as serialise() made them.
  static Result<Vocabulary> parse(std::span<const std::byte> bytes);
  // Requires: at least one word and one cell.
  explicit Vocabulary(WordTree tree);

  // Byte by byte, little-endian: "TWSWORDS", u32 version, u32 words, u32 cells; for each cell the
  // u32 end of its words and the 128 bytes of its middle; 128 bytes for each word; u32 CRC-32C of
  // all before it.
  [[nodiscard]] std::string serialise() const;

  [[nodiscard]] std::uint32_t size() const {
    return static_cast<std::uint32_t>(tree_.words.size());
  }
  // "words1:n=8192,id=0123456789abcdef": words of different vocabularies must not meet.
  [[nodiscard]] const std::string& spec() const { return spec_; }

  [[nodiscard]] LocalWords words_of(const KeyPoints& points) const;
  // Those that the picture mirrored left to right would have.
  [[nodiscard]] LocalWords mirrored_words_of(const KeyPoints& points) const;
  // The signature of a descriptor whose word is known.
  [[nodiscard]] std::array<std::uint64_t, 2> signature(const SiftDescriptor& descriptor,
                                                       std::uint32_t word) const;
  // How often each word occurs, scaled to length 1; all 0 for no words.
  [[nodiscard]] DenseVector bag_of_features(const LocalWords& words) const;

 private:
  WordTree tree_;
  std::string spec_;
};

// Each word once, hashed and ascending: what sketches of sets take.
TokenSet word_set(const LocalWords& words);

// The key points that the picture mirrored left to right has.
KeyPoints mirrored(const KeyPoints& points);

// The vocabulary that is shipped with the program.
const Vocabulary& shipped_vocabulary();

}  // namespace twinsift
