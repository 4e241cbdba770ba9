// SPDX-License-Identifier: Apache-2.0
#include "feature/shingle.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <charconv>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/utf8.h"
#include "feature/words.h"
#include "feature/words_unicode.h"

namespace twinsift {
namespace {

// P = 3 mod 4, so that P^j - 1 keeps nearly all of its bits: swapped words must not cancel.
constexpr std::uint64_t kBase = 0xD6E8FEB86659FD93U;
static_assert(kBase % 4 == 3);

constexpr std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
  std::uint64_t result = 1;
  for (std::uint32_t i = 0; i < exponent; ++i) result *= base;
  return result;
}

constexpr std::uint64_t hash_char(char32_t c) { return mix64(c + kGolden); }

constexpr auto kAsciiHashes = [] {
  std::array<std::uint64_t, 128> table{};
  for (char32_t c = 0; c < table.size(); ++c) {
    table[c] = hash_char(c >= U'A' && c <= U'Z' ? c | 0x20U : c);
  }
  return table;
}();

bool is_ascii_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// Appends the hashes of the characters of text, runs of white space as one space between others.
class CharHasher {
 public:
  explicit CharHasher(std::vector<std::uint64_t>& out) : out_(out) {}

  void text(std::string_view text) {
    const auto other = [](char c) { return static_cast<unsigned char>(c) >= 0x80U; };
    if (std::ranges::none_of(text, other)) {
      for (const char c : text) ascii(c);
    } else {
      code_points(fold_unicode(text));
    }
  }

 private:
  void ascii(char c) {
    if (is_ascii_space(c)) {
      space_ = !out_.empty();
    } else {
      add(kAsciiHashes[static_cast<unsigned char>(c)]);
    }
  }

  void code_points(const std::string& folded) {
    for (std::size_t i = 0; i < folded.size();) {
      const CodePoint c = decode_utf8(folded, i);
      i += c.length;
      if (is_white_space(c.value)) {
        space_ = !out_.empty();
      } else {
        add(hash_char(c.value));
      }
    }
  }

  void add(std::uint64_t hash) {
    if (space_) out_.push_back(kAsciiHashes[' ']);
    space_ = false;
    out_.push_back(hash);
  }

  std::vector<std::uint64_t>& out_;
  bool space_ = false;
};

// Four chains, because one would wait for its own multiplication at every token.
std::uint64_t hash_sequence(std::span<const std::uint64_t> tokens) {
  std::array<std::uint64_t, 4> h{tokens.size(), 1, 2, 3};
  std::size_t i = 0;
  for (; i + 4 <= tokens.size(); i += 4) {
    for (std::size_t j = 0; j < 4; ++j) h[j] = h[j] * kBase + tokens[i + j];
  }
  for (; i < tokens.size(); ++i) h[0] = h[0] * kBase + tokens[i];
  return mix64(h[0] + mix64(h[1] + mix64(h[2] + mix64(h[3]))));
}

}  // namespace

void roll_shingles(std::vector<std::uint64_t>& tokens, std::uint32_t k) {
  assert(k > 0);
  if (tokens.empty()) return;
  const std::size_t first = std::min<std::size_t>(k, tokens.size());
  std::uint64_t id = 0;
  for (std::size_t i = 0; i < first; ++i) id = id * kBase + tokens[i];
  const std::uint64_t leaving = power(kBase, k);
  // tokens[i] is read when it leaves the window and can be overwritten from then on.
  std::size_t written = 0;
  std::size_t i = first;
  // Two at once: else each step would wait for the multiplication of the one before.
  for (; i + 2 <= tokens.size(); i += 2, written += 2) {
    const std::uint64_t change = tokens[i] - tokens[written] * leaving;
    const std::uint64_t next = tokens[i + 1] - tokens[written + 1] * leaving;
    tokens[written] = id;
    tokens[written + 1] = id * kBase + change;
    id = id * (kBase * kBase) + (change * kBase + next);
  }
  for (; i < tokens.size(); ++i) {
    const std::uint64_t change = tokens[i] - tokens[written] * leaving;
    tokens[written++] = id;
    id = id * kBase + change;
  }
  tokens[written++] = id;
  tokens.resize(written);
}

Result<Shingler> Shingler::make_tfidf(std::string_view spec, std::string_view variant) {
  if (variant != "" && variant != "smooth" && variant != "paper") {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("\"{}\" is not a kind of features: use tfidf, tfidf:smooth or "
                             "tfidf:paper",
                             spec)};
  }
  TWINSIFT_TRY(auto terms, TermExtractor::make(""));
  Shingler shingler(Kind::kTfidf, 1, std::move(terms));
  if (variant == "paper") shingler.variant_ = IdfVariant::kPaper;
  return shingler;
}

Result<Shingler> Shingler::make(std::string_view spec) {
  const std::size_t colon = spec.find(':');
  const std::string_view kind = spec.substr(0, colon);
  const std::string_view value = colon == std::string_view::npos ? "" : spec.substr(colon + 1);
  TWINSIFT_TRY(auto terms, TermExtractor::make(kind == "terms" ? value : ""));
  if (kind == "terms") return Shingler(Kind::kTerms, 1, std::move(terms));
  if (kind == "tfidf") return make_tfidf(spec, value);
  std::uint32_t k = kind == "words" ? 5 : 9;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), k);
  const bool number = value.empty() ? colon == std::string_view::npos
                                    : error == std::errc() && end == value.data() + value.size();
  if ((kind != "words" && kind != "chars") || !number || k == 0 || k > 1000) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("\"{}\" is not a kind of features: use words:5, chars:9 (1 to 1000), "
                             "terms or tfidf",
                             spec)};
  }
  return Shingler(kind == "words" ? Kind::kWords : Kind::kChars, k, std::move(terms));
}

std::string Shingler::spec() const {
  if (kind_ == Kind::kTerms) return terms_.spec();
  if (kind_ == Kind::kTfidf) return variant_ == IdfVariant::kPaper ? "tfidf:paper" : "tfidf:smooth";
  return fmt::format("{}:{}", kind_ == Kind::kWords ? "words" : "chars", k_);
}

std::optional<IdfVariant> Shingler::weights() const {
  return kind_ == Kind::kTfidf ? std::optional(variant_) : std::nullopt;
}

std::uint32_t Shingler::passage_words() const { return kind_ == Kind::kWords ? k_ : 5; }

void Shingler::shingle(std::string_view text, Shingles& out) const {
  out.ids.clear();
  const bool terms = kind_ == Kind::kTerms || kind_ == Kind::kTfidf;
  if (terms) {
    std::vector<std::string> words;
    fold_words(text, words);
    const std::vector<std::string_view> views(words.begin(), words.end());
    terms_.ids(views, out.ids);
  } else if (kind_ == Kind::kWords) {
    hash_words(text, out.ids);
  } else {
    CharHasher(out.ids).text(text);
  }
  out.tokens = out.ids.size();
  out.order_hash = hash_sequence(out.ids);
  out.tiny = out.tokens < k_;
  if (!terms) roll_shingles(out.ids, k_);
}

}  // namespace twinsift
