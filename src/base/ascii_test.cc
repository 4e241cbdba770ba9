// SPDX-License-Identifier: Apache-2.0
#include "base/ascii.h"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace twinsift {
namespace {

TEST(Ascii, ClassifyAgreesWithScalarOnEveryByteAndPlace) {
  std::string text(64 * 4, ' ');
  for (unsigned c = 0; c < 256; ++c) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      text[i] = static_cast<char>((c + i * 37) & 0xFFU);
    }
    std::array<WordClasses, 4> fast;
    std::array<WordClasses, 4> slow;
    classify_words(text.data(), 4, fast.data());
    classify_words_scalar(text.data(), 4, slow.data());
    ASSERT_EQ(fast, slow) << "start byte " << c;
  }
}

TEST(Ascii, LowerAsciiFoldsCapitalsOnly) {
  for (unsigned c = 0; c < 256; ++c) {
    const std::uint64_t expected = c >= 'A' && c <= 'Z' ? c | 0x20U : c;
    for (const unsigned shift : {0U, 24U, 56U}) {
      const std::uint64_t around = 0xFF00FF00FF00FF00U & ~(std::uint64_t{0xFF} << shift);
      ASSERT_EQ(lower_ascii(around | (std::uint64_t{c} << shift)), around | (expected << shift));
    }
  }
}

// Words of every length up to 40 at every distance from the end of the text, where 8 bytes cannot
// be read at once; the text is on the heap, exactly as long, so that a sanitizer would see it.
TEST(Ascii, HashesAgreeWithScalar) {
  Rng rng(3);
  for (std::size_t length = 1; length <= 40; ++length) {
    for (std::size_t rest = 0; rest < 12; ++rest) {
      std::vector<char> bytes(700 + length + rest);
      for (char& c : bytes) c = static_cast<char>(rng.below(128));
      const std::string_view text(bytes.data(), bytes.size());
      std::vector<std::uint32_t> edges;
      for (std::uint32_t at = 0; at + 12 < 700;) {
        edges.push_back(at);
        at += 1 + static_cast<std::uint32_t>(rng.below(11));
        edges.push_back(at++);
      }
      edges.push_back(700);
      edges.push_back(700 + static_cast<std::uint32_t>(length));
      std::vector<std::uint64_t> fast(edges.size() / 2 + 3);
      std::vector<std::uint64_t> slow(edges.size() / 2 + 3);
      hash_ascii_words(text, edges, fast.data());
      hash_ascii_words_scalar(text, edges, slow.data());
      fast.resize(edges.size() / 2);
      slow.resize(edges.size() / 2);
      ASSERT_EQ(fast, slow) << length << " bytes, " << rest << " behind it";
    }
  }
}

}  // namespace
}  // namespace twinsift
