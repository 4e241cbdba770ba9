// SPDX-License-Identifier: Apache-2.0
#include "feature/terms.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include <libstemmer.h>
#include <xxhash.h>

#include "feature/stopwords.h"

namespace twinsift {
namespace {

constexpr std::size_t kLanguages = std::tuple_size_v<decltype(kStopwordLists)>;

// For each stop-word the languages that have it, bit i for kStopwordLists[i], so that one
// look-up answers for all of them.
using Languages = std::uint32_t;
using StopwordTable = std::unordered_map<std::string_view, Languages>;

const StopwordTable& stopwords() {
  static const StopwordTable table = [] {
    StopwordTable made;
    for (std::size_t i = 0; i < kLanguages; ++i) {
      for (std::string_view rest = kStopwordLists[i].words; !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find(' '));
        made[word] |= Languages{1} << i;
        rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      }
    }
    return made;
  }();
  return table;
}

bool is_stopword(std::string_view word, std::size_t language) {
  const auto found = stopwords().find(word);
  return found != stopwords().end() && (found->second >> language & 1U) != 0;
}

std::optional<std::size_t> choose_language(std::span<const std::string_view> words) {
  std::array<std::size_t, kLanguages> covered = {};
  for (const std::string_view word : words) {
    const auto found = stopwords().find(word);
    if (found == stopwords().end()) continue;
    for (std::size_t i = 0; i < kLanguages; ++i) covered[i] += found->second >> i & 1U;
  }
  const auto best = std::ranges::max_element(covered);  // the first of equals
  if (*best == 0 || *best * 10 < words.size()) return std::nullopt;
  return static_cast<std::size_t>(best - covered.begin());
}

struct StemmerDeleter {
  void operator()(sb_stemmer* stemmer) const { sb_stemmer_delete(stemmer); }
};
using Stemmer = std::unique_ptr<sb_stemmer, StemmerDeleter>;

// A stemmer has a buffer of its own, hence one for each thread; null if libstemmer lacks it.
sb_stemmer* stemmer_of(std::size_t language) {
  thread_local std::array<Stemmer, kLanguages> stemmers;
  Stemmer& stemmer = stemmers[language];
  if (!stemmer) {
    stemmer.reset(sb_stemmer_new(std::string(kStopwordLists[language].language).c_str(), "UTF_8"));
  }
  return stemmer.get();
}

// The stem is valid until the next call in the same thread.
std::string_view stem(std::string_view word, sb_stemmer* stemmer) {
  constexpr std::size_t kLongest = 256;  // nothing longer is a word of a language
  if (stemmer == nullptr || word.size() > kLongest) return word;
  const sb_symbol* stemmed = sb_stemmer_stem(
      stemmer, reinterpret_cast<const sb_symbol*>(word.data()), static_cast<int>(word.size()));
  if (stemmed == nullptr) return word;  // out of memory
  return {reinterpret_cast<const char*>(stemmed),
          static_cast<std::size_t>(sb_stemmer_length(stemmer))};
}

// The letters of Latin up to U+024F take two bytes at most.
bool is_single_latin_letter(std::string_view word) {
  const auto lead = static_cast<unsigned char>(word.front());
  if (word.size() == 1) return lead >= 'a' && lead <= 'z';
  return word.size() == 2 && lead >= 0xC2 && lead <= 0xC9;
}

std::string known_languages() {
  std::string names;
  for (const StopwordList& list : kStopwordLists) {
    names.append(names.empty() ? "" : ", ").append(list.language);
  }
  return names;
}

}  // namespace

Result<TermExtractor> TermExtractor::make(std::string_view language) {
  for (std::size_t i = 0; i < kLanguages; ++i) {
    const std::string_view name = kStopwordLists[i].language;
    if (!language.empty() && name != language) continue;
    if (stemmer_of(i) == nullptr) {
      return Error{ErrorCode::kUnsupported,
                   std::string(name) + ": this libstemmer has no stemmer for it"};
    }
    if (!language.empty()) return TermExtractor(i);
  }
  if (language.empty()) return TermExtractor(std::nullopt);
  return Error{
      ErrorCode::kInvalidArgument,
      "terms:" + std::string(language) + ": unknown language; there are " + known_languages()};
}

std::string TermExtractor::spec() const {
  if (!language_) return "terms";
  return "terms:" + std::string(kStopwordLists[*language_].language);
}

void TermExtractor::ids(std::span<const std::string_view> words, TokenSet& out) const {
  const auto language = language_ ? language_ : choose_language(words);
  sb_stemmer* const stemmer = language ? stemmer_of(*language) : nullptr;
  for (const std::string_view word : words) {
    if (word.empty() || is_single_latin_letter(word)) continue;
    if (language && is_stopword(word, *language)) continue;
    const std::string_view term = stem(word, stemmer);
    out.push_back(XXH3_64bits(term.data(), term.size()));
  }
}

std::string_view guess_language(std::span<const std::string_view> words) {
  const auto language = choose_language(words);
  return language ? kStopwordLists[*language].language : std::string_view();
}

}  // namespace twinsift
