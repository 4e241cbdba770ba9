// SPDX-License-Identifier: Apache-2.0
#include "feature/words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/bits.h"
#include "base/hash.h"
#include "feature/words_unicode.h"

namespace twinsift {
namespace {

std::uint64_t load8(const char* p) {
  std::uint64_t x = 0;
  std::memcpy(&x, p, 8);
  return x;
}

// The last n = 1..8 bytes of a word, zero-filled.  Reading 8 and masking is quickest, but only
// where 8 may be read.
std::uint64_t load_tail(const char* p, std::size_t n, const char* limit) {
  if (limit - p >= 8) [[likely]]
    return load8(p) & (~std::uint64_t{0} >> (64 - 8 * n));
  std::uint64_t x = 0;
  for (std::size_t i = 0; i < n; ++i) {
    x |= std::uint64_t{static_cast<unsigned char>(p[i])} << (8 * i);
  }
  return x;
}

// A word of n bytes has the hash h_m, with h_0 = n G and h_i = mix64(lower(its i-th 8 bytes) +
// h_{i-1}), zero-filled at the end: bijective for words up to 8 bytes.  The last step is left
// to finish_words, which does many at once.
struct LastStep {
  std::uint64_t bytes;
  std::uint64_t add;
};
inline LastStep hash_word(const char* p, std::size_t n, const char* limit) {
  std::uint64_t h = kGolden * n;
  for (; n > 8; n -= 8, p += 8) h = mix64(lower_ascii(load8(p)) + h);
  return {load_tail(p, n, limit), h};
}

// What becomes of each word: one of these is the Emit of each_word.  room() is called before each
// 64 bytes of ASCII, which have 32 words at most.
class HashEmitter {
 public:
  HashEmitter(std::string_view text, std::vector<std::uint64_t>& out)
      : begin_(text.data()), limit_(text.data() + text.size()), out_(out) {}
  ~HashEmitter() { flush(); }
  HashEmitter(const HashEmitter&) = delete;
  HashEmitter& operator=(const HashEmitter&) = delete;

  void room() {
    if (count_ + 32 > kBatch) flush();
  }
  void ascii(std::size_t begin, std::size_t end) {
    add(hash_word(begin_ + begin, end - begin, limit_));
  }
  void folded(std::size_t /*begin*/, std::size_t /*end*/, std::string_view word) {
    room();
    add(hash_word(word.data(), word.size(), word.data() + word.size()));
  }

 private:
  static constexpr std::size_t kBatch = 512;
  void add(LastStep last) {
    bytes_[count_] = last.bytes;
    add_[count_++] = last.add;
  }
  void flush() {
    const std::size_t before = out_.size();
    out_.resize(before + count_);
    finish_words(std::span(bytes_).first(count_), add_.data(), out_.data() + before);
    count_ = 0;
  }
  const char* begin_;
  const char* limit_;
  std::vector<std::uint64_t>& out_;
  std::size_t count_ = 0;
  std::array<std::uint64_t, kBatch> bytes_;
  std::array<std::uint64_t, kBatch> add_;
};

struct PlaceEmitter {
  std::string_view text;
  std::vector<Word>& out;
  void add(std::uint64_t hash, std::size_t begin, std::size_t end) {
    out.push_back(
        {hash, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)});
  }
  void room() {}
  void ascii(std::size_t begin, std::size_t end) {
    const char* limit = text.data() + text.size();
    const LastStep last = hash_word(text.data() + begin, end - begin, limit);
    add(mix64(lower_ascii(last.bytes) + last.add), begin, end);
  }
  void folded(std::size_t begin, std::size_t end, std::string_view word) {
    add(hash_folded(word), begin, end);
  }
};

struct FoldEmitter {
  std::string_view text;
  std::vector<std::string>& out;
  void room() {}
  void ascii(std::size_t begin, std::size_t end) {
    std::string& word = out.emplace_back(text.substr(begin, end - begin));
    for (char& c : word) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  void folded(std::size_t /*begin*/, std::size_t /*end*/, std::string_view word) {
    out.emplace_back(word);
  }
};

// One block of an ASCII stretch that ends at `end`, zero-filled beyond.
WordClasses classify_tail(std::string_view text, std::size_t at, std::size_t end) {
  WordClasses classes;
  if (at >= end) return classes;
  std::array<char, 64> bytes{};
  std::memcpy(bytes.data(), text.data() + at, std::min<std::size_t>(64, end - at));
  classify_words(bytes.data(), 1, &classes);
  return classes;
}

// The words of one ASCII stretch, fed block by block.
template <class Emit>
class AsciiWords {
 public:
  AsciiWords(std::string_view text, Emit& emit) : text_(text), emit_(emit) {}

  // UAX #29 WB5-WB13b: letters, digits and _ hold together, and a joiner holds with the two
  // letters or two digits around it.  `next` is the block after this one, because whether '
  // joins depends on the byte after it.
  void block(std::size_t at, const WordClasses& c, const WordClasses& next) {
    const std::uint64_t before_let = (c.letters << 1U) | last_letter_;
    const std::uint64_t before_num = (c.digits << 1U) | last_digit_;
    const std::uint64_t after_let = (c.letters >> 1U) | (next.letters << 63U);
    const std::uint64_t after_num = (c.digits >> 1U) | (next.digits << 63U);
    last_letter_ = c.letters >> 63U;
    last_digit_ = c.digits >> 63U;
    const std::uint64_t joined = (c.between_any & before_let & after_let) |
                                 ((c.between_any | c.between_nums) & before_num & after_num);
    const std::uint64_t inside = c.letters | c.digits | c.extends | joined;
    underscores_ |= c.extends != 0;
    const std::uint64_t shifted = (inside << 1U) | (open_ ? 1U : 0U);
    std::uint64_t starts = inside & ~shifted;
    std::uint64_t ends = shifted & ~inside;
    emit_.room();
    if (open_ && ends != 0) {
      finish(begin_, at + static_cast<std::size_t>(std::countr_zero(ends)));
      ends &= ends - 1;
      open_ = false;
    }
    // Starts and ends alternate from here on, so they pair up in order.
    for (; ends != 0; starts &= starts - 1, ends &= ends - 1) {
      finish(at + static_cast<std::size_t>(std::countr_zero(starts)),
             at + static_cast<std::size_t>(std::countr_zero(ends)));
    }
    if (starts != 0) {
      begin_ = at + static_cast<std::size_t>(std::countr_zero(starts));
      open_ = true;
    }
  }

  void end(std::size_t at) {
    if (open_) finish(begin_, at);
  }

 private:
  void finish(std::size_t begin, std::size_t end) {
    if (underscores_ && only_underscores(begin, end)) return;
    emit_.ascii(begin, end);
  }

  [[nodiscard]] bool only_underscores(std::size_t begin, std::size_t end) const {
    return text_.substr(begin, end - begin).find_first_not_of('_') == std::string_view::npos;
  }

  std::string_view text_;
  Emit& emit_;
  bool underscores_ = false;  // seen so far: then words may be nothing but underscores
  std::uint64_t last_letter_ = 0;
  std::uint64_t last_digit_ = 0;
  std::size_t begin_ = 0;
  bool open_ = false;
};

template <class Emit>
void each_ascii_word(std::string_view text, std::size_t at, std::size_t end, Emit& emit) {
  constexpr std::size_t kChunk = 32;
  std::array<WordClasses, kChunk> classes;
  AsciiWords<Emit> words(text, emit);
  WordClasses here = classify_tail(text, at, end);
  while (at < end) {
    const std::size_t blocks = std::min<std::size_t>((end - at) / 64, kChunk);
    if (blocks < 2) {
      const WordClasses next = classify_tail(text, at + 64, end);
      words.block(at, here, next);
      here = next;
      at += 64;
      continue;
    }
    classify_words(text.data() + at, blocks, classes.data());
    for (std::size_t i = 0; i + 1 < blocks; ++i)
      words.block(at + 64 * i, classes[i], classes[i + 1]);
    at += 64 * (blocks - 1);
    here = classes[blocks - 1];
  }
  words.end(end);
}

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::size_t find_non_ascii(std::string_view text, std::size_t from) {
  std::size_t i = from;
  for (; i + 8 <= text.size(); i += 8) {
    const std::uint64_t high = load8(text.data() + i) & 0x8080808080808080U;
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
  const LastStep last = hash_word(folded.data(), folded.size(), folded.data() + folded.size());
  return mix64(lower_ascii(last.bytes) + last.add);
}

void hash_words(std::string_view text, std::vector<std::uint64_t>& out) {
  HashEmitter emit(text, out);
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
