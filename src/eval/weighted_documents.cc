// SPDX-License-Identifier: Apache-2.0
#include "eval/weighted_documents.h"

#include <cmath>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "base/cancel.h"
#include "base/random.h"
#include "feature/shingle.h"
#include "feature/tfidf.h"
#include "feature/token_set.h"
#include "ingest/corpus.h"

namespace twinsift {
namespace {

constexpr std::uint32_t kRun = 5;  // words of a shingle

// Documents before they are weighed, which takes all of them.
struct RawDocuments {
  std::vector<TokenSet> shingles;
  std::vector<std::vector<TermCount>> terms;
  std::string description;
};

Result<RawDocuments> read_documents(const EvalOptions& options, std::uint32_t most) {
  CorpusOptions corpus;
  corpus.stop = options.stop;
  TWINSIFT_TRY(CorpusReader reader, CorpusReader::open(options.corpus, corpus));
  TWINSIFT_TRY(const Shingler runs, Shingler::make(fmt::format("words:{}", kRun)));
  TWINSIFT_TRY(const Shingler terms, Shingler::make("terms"));
  RecordParser parser(reader);
  RawDocuments result;
  Block block;
  Shingles shingles;
  const auto take = [&](const Document& document) {
    if (result.terms.size() >= most || options.stop.stop_requested()) return;
    runs.shingle(document.text, shingles);
    if (shingles.tiny) return;
    make_set(shingles.ids);
    result.shingles.push_back(shingles.ids);
    terms.shingle(document.text, shingles);
    result.terms.push_back(count_terms(shingles.ids));
  };
  while (result.terms.size() < most) {
    if (options.stop.stop_requested()) return cancelled_error();
    TWINSIFT_TRY(const bool more, reader.next(block));
    if (!more) break;
    parser.parse(block, take, [](std::uint64_t, std::string_view) {});
  }
  result.description =
      fmt::format("of {}", std::filesystem::path(options.corpus).filename().string());
  return result;
}

// Rank r of a vocabulary of 20,000 comes with a probability of about 1 / (r ln 20000).
std::uint64_t make_word(Rng& rng) {
  constexpr double kVocabulary = 20'000;
  return mix64(static_cast<std::uint64_t>(std::pow(kVocabulary, rng.uniform())));
}

// The words of one document: its own, and phrases that others of its subject have, too.
TokenSet make_words(Rng& rng) {
  constexpr std::uint32_t kSubjects = 50;
  constexpr std::uint32_t kPhrases = 40;
  const std::uint32_t subject = rng.below(kSubjects);
  const std::size_t length = 60 + rng.below(340);
  TokenSet words;
  while (words.size() < length) {
    if (rng.uniform() > 0.03) {
      words.push_back(make_word(rng));
      continue;
    }
    Rng phrase(mix64(std::uint64_t{subject} * kPhrases + rng.below(kPhrases)));
    for (int i = 0; i < 12; ++i) words.push_back(make_word(phrase));
  }
  return words;
}

RawDocuments make_documents(const EvalOptions& options, std::uint32_t count) {
  Rng rng(options.seed);
  std::vector<TokenSet> texts;
  RawDocuments result;
  result.description = fmt::format("made with seed {}", options.seed);
  while (texts.size() < count) {
    if (!texts.empty() && rng.uniform() < 0.2) {
      TokenSet copy = texts[rng.below(static_cast<std::uint32_t>(texts.size()))];
      const double edits = 0.4 * rng.uniform() * rng.uniform();
      for (std::uint64_t& word : copy) {
        if (rng.uniform() < edits) word = make_word(rng);
      }
      texts.push_back(std::move(copy));
    } else {
      texts.push_back(make_words(rng));
    }
    TokenSet shingles = texts.back();
    roll_shingles(shingles, kRun);
    make_set(shingles);
    result.shingles.push_back(std::move(shingles));
    result.terms.push_back(count_terms(texts.back()));
  }
  return result;
}

}  // namespace

Result<WeightedDocuments> load_weighted_documents(const EvalOptions& options, std::uint32_t most) {
  RawDocuments raw;
  if (options.corpus.empty()) {
    raw = make_documents(options, most);
  } else {
    TWINSIFT_TRY(raw, read_documents(options, most));
  }
  DocumentFrequencies frequencies;
  for (const auto& terms : raw.terms) frequencies.add(terms);
  const IdfTable idf = IdfTable::freeze(frequencies, IdfVariant::kPaper);
  WeightedDocuments result;
  for (std::size_t i = 0; i < raw.terms.size(); ++i) {
    WeightedSet weights = idf.weigh(raw.terms[i]);
    if (weights.tokens.empty()) continue;
    result.shingles.push_back(std::move(raw.shingles[i]));
    result.weights.push_back(std::move(weights));
  }
  if (result.weights.size() < 2) {
    return Error{ErrorCode::kInvalidArgument,
                 "the corpus has fewer than two documents with words of weight"};
  }
  result.description = fmt::format("{} documents {}", result.weights.size(), raw.description);
  return result;
}

}  // namespace twinsift
