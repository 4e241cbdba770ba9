// SPDX-License-Identifier: Apache-2.0
#include "eval/data.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "feature/shingle.h"
#include "feature/token_set.h"
#include "ingest/corpus.h"

namespace twinsift {
namespace {

Result<EvalSets> read_sets(const EvalOptions& options, std::uint32_t most) {
  CorpusOptions corpus;
  corpus.stop = options.stop;
  TWINSIFT_TRY(CorpusReader reader, CorpusReader::open(options.corpus, corpus));
  TWINSIFT_TRY(const Shingler shingler, Shingler::make("words:5"));
  RecordParser parser(reader);
  EvalSets result;
  Block block;
  Shingles shingles;
  const auto take = [&](const Document& document) {
    if (result.sets.size() >= most) return;
    shingler.shingle(document.text, shingles);
    if (shingles.tiny) return;
    make_set(shingles.ids);
    result.sets.push_back(shingles.ids);
  };
  while (result.sets.size() < most) {
    TWINSIFT_TRY(const bool more, reader.next(block));
    if (!more) break;
    parser.parse(block, take, [](std::uint64_t, std::string_view) {});
  }
  result.description = fmt::format("{} documents of {}, runs of 5 words", result.sets.size(),
                                   std::filesystem::path(options.corpus).filename().string());
  return result;
}

// A document of its own: most of it unique, a few phrases of its subject.
TokenSet make_document(Rng& rng) {
  constexpr std::uint32_t kSubjects = 200;
  const std::uint32_t subject = rng.below(kSubjects);
  TokenSet ids(60 + rng.below(340));
  for (std::uint64_t& id : ids) {
    const bool phrase = rng.uniform() < 0.15;
    id = phrase ? mix64(std::uint64_t{subject} * 1000 + rng.below(300)) : rng.next();
  }
  return ids;
}

// Replaces so many elements that the Jaccard similarity becomes about s.
TokenSet make_copy(const TokenSet& original, double s, Rng& rng) {
  TokenSet copy = original;
  const double replaced = (1 - s) / (1 + s);
  for (std::uint64_t& id : copy) {
    if (rng.uniform() < replaced) id = rng.next();
  }
  return copy;
}

EvalSets make_sets(const EvalOptions& options, std::uint32_t count) {
  Rng rng(options.seed);
  EvalSets result;
  result.description = fmt::format("{} documents made with seed {}", count, options.seed);
  while (result.sets.size() < count) {
    if (!result.sets.empty() && rng.uniform() < 0.2) {
      const auto other = rng.below(static_cast<std::uint32_t>(result.sets.size()));
      const TokenSet original = result.sets[other];
      result.sets.push_back(make_copy(original, 0.3 + 0.7 * rng.uniform(), rng));
    } else {
      result.sets.push_back(make_document(rng));
    }
    make_set(result.sets.back());
  }
  return result;
}

}  // namespace

std::pair<TokenSet, TokenSet> make_pair_of_sets(std::uint32_t all, std::uint32_t common, Rng& rng) {
  std::pair<TokenSet, TokenSet> sets;
  for (std::uint32_t i = 0; i < all; ++i) {
    const std::uint64_t id = rng.next();
    if (i < common || i % 2 == 0) sets.first.push_back(id);
    if (i < common || i % 2 == 1) sets.second.push_back(id);
  }
  std::ranges::sort(sets.first);
  std::ranges::sort(sets.second);
  return sets;
}

Result<EvalSets> load_sets(const EvalOptions& options, std::uint32_t most) {
  if (options.corpus.empty()) return make_sets(options, most);
  return read_sets(options, most);
}

}  // namespace twinsift
