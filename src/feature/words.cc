// SPDX-License-Identifier: Apache-2.0
#include "feature/words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>
#include <span>

#include "base/ascii.h"
#include "base/bits.h"
#include "feature/words_unicode.h"

namespace twinsift {
namespace {

// What becomes of the words: one of these is the Emit of each_word.  ascii() gets the edges of
// words, begin and end in turn; folded() one word after Unicode's rules.
struct HashEmitter {
  std::string_view text;
  std::vector<std::uint64_t>& out;
  void ascii(std::span<const std::uint32_t> edges) {
    const std::size_t before = out.size();
    out.resize(before + edges.size() / 2 + 3);
    hash_ascii_words(text, edges, out.data() + before);
    out.resize(before + edges.size() / 2);
  }
  void folded(std::size_t /*begin*/, std::size_t /*end*/, std::string_view word) {
    out.push_back(hash_folded(word));
  }
};

struct PlaceEmitter {
  std::string_view text;
  std::vector<Word>& out;
  void ascii(std::span<const std::uint32_t> edges) {
    for (std::size_t i = 0; i < edges.size(); i += 2) {
      out.push_back(
          {hash_ascii_word(text, edges[i], edges[i + 1]), edges[i], edges[i + 1] - edges[i]});
    }
  }
  void folded(std::size_t begin, std::size_t end, std::string_view word) {
    out.push_back({hash_folded(word), static_cast<std::uint32_t>(begin),
                   static_cast<std::uint32_t>(end - begin)});
  }
};

struct FoldEmitter {
  std::string_view text;
  std::vector<std::string>& out;
  void ascii(std::span<const std::uint32_t> edges) {
    for (std::size_t i = 0; i < edges.size(); i += 2) {
      std::string& word = out.emplace_back(text.substr(edges[i], edges[i + 1] - edges[i]));
      for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
    }
  }
  void folded(std::size_t /*begin*/, std::size_t /*end*/, std::string_view word) {
    out.emplace_back(word);
  }
};

// The words of one ASCII stretch, block by block, as masks of their edges: where one begins, and
// where the first byte after it is.
class WordEdges {
 public:
  // UAX #29 WB5-WB13b: letters, digits and _ hold together, and a joiner holds with the two
  // letters or two digits around it.  `next` is the block after this one, because whether '
  // joins depends on the byte after it.
  std::uint64_t block(const WordClasses& c, const WordClasses& next) {
    const std::uint64_t before_let = (c.letters << 1U) | last_letter_;
    const std::uint64_t before_num = (c.digits << 1U) | last_digit_;
    const std::uint64_t after_let = (c.letters >> 1U) | (next.letters << 63U);
    const std::uint64_t after_num = (c.digits >> 1U) | (next.digits << 63U);
    last_letter_ = c.letters >> 63U;
    last_digit_ = c.digits >> 63U;
    const std::uint64_t joined = (c.between_any & before_let & after_let) |
                                 ((c.between_any | c.between_nums) & before_num & after_num);
    const std::uint64_t inside = c.letters | c.digits | c.extends | joined;
    underscores_ |= c.extends;
    const std::uint64_t edges = inside ^ ((inside << 1U) | last_inside_);
    last_inside_ = inside >> 63U;
    return edges;
  }

  // Whether a word of the blocks since the last call may be nothing but underscores.
  bool underscores() {
    const bool seen = seen_before_ || underscores_ != 0;
    seen_before_ = underscores_ != 0;
    underscores_ = 0;
    return seen;
  }

 private:
  std::uint64_t underscores_ = 0;
  bool seen_before_ = false;
  std::uint64_t last_letter_ = 0;
  std::uint64_t last_digit_ = 0;
  std::uint64_t last_inside_ = 0;
};

// Drops the words that are nothing but underscores; returns how many edges are left.
std::size_t drop_underscores(std::string_view text, std::span<std::uint32_t> edges) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < edges.size(); i += 2) {
    const std::string_view word = text.substr(edges[i], edges[i + 1] - edges[i]);
    edges[kept] = edges[i];
    edges[kept + 1] = edges[i + 1];
    const bool keep = word[0] != '_' || word.find_first_not_of('_') != std::string_view::npos;
    kept += keep ? 2U : 0U;
  }
  return kept;
}

template <class Emit>
void each_ascii_word(std::string_view text, std::size_t at, std::size_t end, Emit& emit) {
  constexpr std::size_t kChunk = 32;
  std::array<WordClasses, kChunk + 2> classes;
  std::array<std::uint64_t, kChunk + 1> masks;
  std::array<std::uint32_t, 64 * (kChunk + 1) + 16> edges;
  std::size_t open = 0;  // 1: edges[0] is the begin of a word without an end yet
  WordEdges words;
  while (at < end) {
    const std::size_t whole = (end - at) / 64;
    std::size_t blocks = std::min(whole, kChunk);
    classify_words(text.data() + at, std::min(whole, kChunk + 1), classes.data());
    if (whole <= kChunk) {  // the last block, zero-filled, and nothing behind it
      std::array<char, 64> bytes{};
      std::memcpy(bytes.data(), text.data() + at + 64 * whole, end - at - 64 * whole);
      classify_words(bytes.data(), 1, &classes[blocks++]);
      classes[blocks] = {};
    }
    for (std::size_t i = 0; i < blocks; ++i) masks[i] = words.block(classes[i], classes[i + 1]);
    std::size_t count = open + bit_positions(std::span(masks).first(blocks),
                                             static_cast<std::uint32_t>(at), &edges[open]);
    const std::uint32_t last = count > 0 ? edges[count - 1] : 0;
    open = count % 2;
    count -= open;
    const auto closed = std::span(edges).first(count);
    emit.ascii(closed.first(words.underscores() ? drop_underscores(text, closed) : count));
    edges[0] = last;
    at += 64 * blocks;
  }
}

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::size_t find_non_ascii(std::string_view text, std::size_t from) {
  const auto load8 = [&](std::size_t at) {
    std::uint64_t x = 0;
    std::memcpy(&x, text.data() + at, 8);
    return x;
  };
  std::size_t i = from;
  for (; i + 32 <= text.size(); i += 32) {
    const std::uint64_t any = load8(i) | load8(i + 8) | load8(i + 16) | load8(i + 24);
    if ((any & 0x8080808080808080U) != 0) break;
  }
  for (; i + 8 <= text.size(); i += 8) {
    const std::uint64_t high = load8(i) & 0x8080808080808080U;
    if (high != 0) return i + static_cast<std::size_t>(std::countr_zero(high)) / 8;
  }
  for (; i < text.size(); ++i) {
    if (static_cast<unsigned char>(text[i]) >= 0x80U) return i;
  }
  return text.size();
}

// The end of the stretch for ICU that begins before the non-ASCII byte at `at`: the first white
// space after which kGap bytes are ASCII.  Short ASCII gaps are left inside, because starting
// ICU costs more than running it over them.
std::size_t unicode_end(std::string_view text, std::size_t at) {
  constexpr std::size_t kGap = 64;
  while (true) {
    std::size_t end = at + 1;
    while (end < text.size() && !is_ascii_space(text[end])) ++end;
    const std::size_t next = find_non_ascii(text.substr(0, std::min(text.size(), end + kGap)), end);
    if (next >= std::min(text.size(), end + kGap)) return end;
    at = next;
  }
}

template <class Emit>
void each_word(std::string_view text, Emit& emit) {
  assert(text.size() < UINT32_MAX);
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t other = find_non_ascii(text, at);
    std::size_t begin = other;
    while (begin > at && !is_ascii_space(text[begin - 1])) --begin;
    if (other == text.size()) begin = text.size();
    if (begin > at) each_ascii_word(text, at, begin, emit);
    if (begin == text.size()) return;
    at = unicode_end(text, other);
    each_unicode_word(text.substr(begin, at - begin),
                      [&](std::uint32_t offset, std::uint32_t length, std::string_view folded) {
                        emit.folded(begin + offset, begin + offset + length, folded);
                      });
  }
}

}  // namespace

std::uint64_t hash_folded(std::string_view folded) {
  return hash_ascii_word(folded, 0, folded.size());
}

void hash_words(std::string_view text, std::vector<std::uint64_t>& out) {
  HashEmitter emit{text, out};
  each_word(text, emit);
}

void find_words(std::string_view text, std::vector<Word>& out) {
  PlaceEmitter emit{text, out};
  each_word(text, emit);
}

void fold_words(std::string_view text, std::vector<std::string>& out) {
  FoldEmitter emit{text, out};
  each_word(text, emit);
}

void find_words_reference(std::string_view text, std::vector<Word>& out) {
  each_icu_word(text, [&](std::uint32_t begin, std::uint32_t length, std::string_view folded) {
    out.push_back({hash_folded(folded), begin, length});
  });
}

}  // namespace twinsift
