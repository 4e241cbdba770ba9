// SPDX-License-Identifier: Apache-2.0
// How many of the pairs that are there the index finds, and whether those it reports are right.
//
// The truth is an exact join of the documents' sets, equal sets collapsed.  Against it stands what
// sketches and banding find.  Recall is promised for each pair over the choice of the seed, so
// several seeds are tried.  Every reported score is computed again in the plainest way.
//
// --pairs FILE checks the exact join itself against pairs that another program found: records of
// {u32 a, u32 b, f32 J}, little-endian, lines of the corpus, a < b, each document standing for
// the first one with its set; sets of five words each, a word being [0-9A-Za-z_\x80-\xff]+ in
// lower case.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "bench/corpus_texts.h"
#include "feature/set_arena.h"
#include "feature/shingle.h"
#include "feature/token_set.h"
#include "group/matcher.h"
#include "group/star.h"
#include "index/buckets.h"
#include "index/generator.h"
#include "index/prefix.h"
#include "verify/verify.h"

namespace twinsift::bench {
namespace {

constexpr std::array kThresholds = {0.7, 0.8, 0.9};
constexpr double kRecall = 0.99;
constexpr std::uint64_t kSeeds = 3;

unsigned threads() { return std::max(std::thread::hardware_concurrency(), 1U); }

// The different sets of a corpus; set i is first seen on line lines[i].
struct Sets {
  SetArena arena;
  std::vector<std::uint32_t> lines;
};

// The set of a text, sorted and unique; empty if the text is too short to be compared.
using Tokeniser = std::function<TokenSet(std::string_view text)>;

Result<Sets> make_sets(const std::vector<std::string>& texts, const Tokeniser& tokenise) {
  Sets sets;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint32_t> seen;
  for (std::uint32_t line = 0; line < texts.size(); ++line) {
    const TokenSet set = tokenise(texts[line]);
    if (set.empty()) continue;
    const XXH128_hash_t hash = XXH3_128bits(set.data(), set.size() * sizeof(std::uint64_t));
    if (!seen.emplace(std::pair(hash.low64, hash.high64), line).second) continue;
    TWINSIFT_TRY([[maybe_unused]] auto done, sets.arena.add(set));
    sets.lines.push_back(line);
  }
  return sets;
}

// The tokens of the file of pairs, made with nothing of the library's.
TokenSet plain_word_runs(std::string_view text) {
  constexpr std::size_t kRun = 5;
  std::vector<std::uint64_t> words;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const auto c = static_cast<unsigned char>(i < text.size() ? text[i] : ' ');
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c >= 0x80) {
      word += static_cast<char>(upper ? c - 'A' + 'a' : c);
    } else if (!word.empty()) {
      words.push_back(XXH3_64bits(word.data(), word.size()));
      word.clear();
    }
  }
  TokenSet set;
  for (std::size_t i = 0; i + kRun <= words.size(); ++i) {
    set.push_back(XXH3_64bits(words.data() + i, kRun * sizeof(std::uint64_t)));
  }
  std::ranges::sort(set);
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

Result<std::vector<Match>> exact_join(const Sets& sets, double threshold) {
  std::vector<std::span<const std::uint64_t>> spans;
  for (std::uint32_t i = 0; i < sets.arena.size(); ++i) spans.push_back(sets.arena.set(i).ids);
  std::vector<std::uint32_t> rows(spans.size());
  std::iota(rows.begin(), rows.end(), 0);
  StoredSets stored(sets.arena, rows);
  const Verifier verifier({.threshold = threshold}, stored);
  const auto items = static_cast<std::uint32_t>(spans.size());
  BucketTable buckets =
      BucketTable::build({.items = items, .cap = UINT32_MAX}, prefix_postings(spans, threshold));
  TWINSIFT_TRY(
      AllPairs all,
      find_all_pairs(
          {.candidates = &buckets, .verifier = &verifier, .items = items, .threads = threads()}));
  return std::move(all.matches);
}

Result<Matcher::Outcome> sketched_join(const Sets& sets, const GeneratorOptions& generator,
                                       double threshold, std::uint64_t seed) {
  TWINSIFT_TRY(Matcher matcher, Matcher::make({.threshold = threshold,
                                               .recall = kRecall,
                                               .sketch = fmt::format("fss1:seed={}", seed),
                                               .generator = generator,
                                               .store_features = false,
                                               .threads = threads(),
                                               .temp_dir = {}}));
  const auto set_of = [&](DocId document) {
    const auto ids = sets.arena.set(document).ids;
    return TokenSet(ids.begin(), ids.end());
  };
  for (DocId document = 0; document < sets.arena.size(); ++document) {
    Shingles shingles{.ids = set_of(document), .tokens = 0, .order_hash = document, .tiny = false};
    Matcher::Batch batch(matcher);
    batch.add(shingles, "");
    TWINSIFT_TRY([[maybe_unused]] auto done, matcher.append(batch));
  }
  Matcher::Task task;
  task.all_pairs = true;
  task.remake = [&](DocId document) -> Result<WeightedSet> {
    return WeightedSet{set_of(document), {}};
  };
  return matcher.match(task);
}

double plain_jaccard(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  TokenSet both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  const auto shared = static_cast<double>(both.size());
  return shared / (static_cast<double>(a.size() + b.size()) - shared);
}

bool before(const Match& a, const Match& b) { return std::pair(a.a, a.b) < std::pair(b.a, b.b); }

double share(std::size_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

// One line of the table; false if something was reported that is not so.
bool print_row(const Sets& sets, double threshold, std::uint64_t seed,
               const std::vector<Match>& truth, const Matcher::Outcome& outcome) {
  constexpr double kNear = 0.02;
  std::vector<Match> found;
  std::ranges::set_intersection(truth, outcome.pairs, std::back_inserter(found), before);
  const auto near = [&](const Match& m) { return m.score < threshold + kNear; };
  const auto right = std::ranges::count_if(outcome.pairs, [&](const Match& m) {
    const double score = plain_jaccard(sets.arena.set(m.a).ids, sets.arena.set(m.b).ids);
    return score >= threshold && std::abs(score - m.score) < 1e-12;
  });
  const auto precise = static_cast<std::size_t>(right) == outcome.pairs.size();
  const double recall = share(found.size(), truth.size());
  const auto near_truth = static_cast<std::size_t>(std::ranges::count_if(truth, near));
  const auto near_found = static_cast<std::size_t>(std::ranges::count_if(found, near));
  fmt::print("| {} | {} | {} | {} | {:.5f} | {:.4f} of {} | {} | {:.5f} | {} | {} | {} |\n",
             threshold, seed, truth.size(), found.size(), recall, share(near_found, near_truth),
             near_truth, outcome.pairs.size(),
             share(static_cast<std::size_t>(right), outcome.pairs.size()), outcome.stats.candidates,
             outcome.stats.survivors, outcome.stats.capped.size());
  return precise && recall >= kRecall;
}

// Everything about one family of sets; false if a promise was not kept.
Result<bool> print_recall(const Sets& sets, const GeneratorOptions& generator) {
  fmt::print("{} different sets, {:.1f} shingles each on average; recall {} asked for.\n\n",
             sets.lines.size(), share(sets.arena.tokens(), sets.lines.size()), kRecall);
  fmt::print(
      "| T | seed | pairs | found | recall | recall below T + 0.02 | reported | precision |"
      " candidates | survivors | capped |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
  bool good = true;
  std::string guarantees;
  for (const double threshold : kThresholds) {
    TWINSIFT_TRY(const std::vector<Match> truth, exact_join(sets, threshold));
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      TWINSIFT_TRY(const Matcher::Outcome outcome, sketched_join(sets, generator, threshold, seed));
      good &= print_row(sets, threshold, seed, truth, outcome);
      if (seed == 1) guarantees += fmt::format("* {}\n", outcome.guarantee);
    }
  }
  fmt::print("\nPromised:\n\n{}\n", guarantees);
  return good;
}

Result<std::vector<Match>> read_pairs(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  constexpr std::size_t kRecord = 12;
  if (!file || bytes.empty() || bytes.size() % kRecord != 0) {
    return Error{ErrorCode::kCorrupt, path + " is not a file of pairs"};
  }
  std::vector<Match> pairs;
  for (std::size_t at = 0; at < bytes.size(); at += kRecord) {
    Match pair;
    float score = 0;
    std::memcpy(&pair.a, bytes.data() + at, sizeof pair.a);
    std::memcpy(&pair.b, bytes.data() + at + 4, sizeof pair.b);
    std::memcpy(&score, bytes.data() + at + 8, sizeof score);
    pair.score = static_cast<double>(score);
    pairs.push_back(pair);
  }
  std::ranges::sort(pairs, before);
  return pairs;
}

// The exact join against what somebody else found; false if they differ.
Result<bool> print_check(const Sets& sets, const std::vector<Match>& theirs) {
  fmt::print(
      "| T | pairs in the file | in the exact join | only file | only join | largest"
      " difference of J |\n|---|---|---|---|---|---|\n");
  bool same = true;
  for (const double threshold : kThresholds) {
    TWINSIFT_TRY(std::vector<Match> ours, exact_join(sets, threshold));
    for (Match& m : ours) m = {sets.lines[m.a], sets.lines[m.b], m.score};
    std::vector<Match> expected;
    // The file has rounded its scores; a threshold that is rounded as well cuts at the same place.
    std::ranges::copy_if(theirs, std::back_inserter(expected), [&](const Match& m) {
      return m.score >= static_cast<double>(static_cast<float>(threshold));
    });
    std::vector<Match> only_file;
    std::vector<Match> only_join;
    std::vector<Match> both_file;
    std::vector<Match> both_join;
    std::ranges::set_difference(expected, ours, std::back_inserter(only_file), before);
    std::ranges::set_difference(ours, expected, std::back_inserter(only_join), before);
    std::ranges::set_intersection(expected, ours, std::back_inserter(both_file), before);
    std::ranges::set_intersection(ours, expected, std::back_inserter(both_join), before);
    double difference = 0;
    for (std::size_t i = 0; i < both_file.size(); ++i) {
      difference = std::max(difference, std::abs(both_file[i].score - both_join[i].score));
    }
    fmt::print("| {} | {} | {} | {} | {} | {:.1e} |\n", threshold, expected.size(), ours.size(),
               only_file.size(), only_join.size(), difference);
    same &= only_file.empty() && only_join.empty() && difference < 1e-6;
  }
  fmt::print("\n");
  return same;
}

Result<bool> run(const std::string& corpus, const std::string& pairs, std::string_view candidates) {
  TWINSIFT_TRY(const GeneratorOptions generator, parse_generator(candidates));
  if (generator.kind == GeneratorKind::kPrefix) {
    return Error{ErrorCode::kInvalidArgument, "prefix1 is what the others are measured against"};
  }
  TWINSIFT_TRY(const std::vector<std::string> texts, read_texts(corpus));
  bool good = true;
  if (!pairs.empty()) {
    TWINSIFT_TRY(const std::vector<Match> theirs, read_pairs(pairs));
    TWINSIFT_TRY(const Sets sets, make_sets(texts, plain_word_runs));
    fmt::print("## The exact join against a file of pairs\n\n");
    TWINSIFT_TRY(const bool same, print_check(sets, theirs));
    fmt::print("## Recall of {} on these sets\n\n", candidates);
    TWINSIFT_TRY(const bool kept, print_recall(sets, generator));
    good = same && kept;
  }
  TWINSIFT_TRY(const Shingler shingler, Shingler::make("words:5"));
  Shingles scratch;
  const auto tokenise = [&](std::string_view text) {
    shingler.shingle(text, scratch);
    if (scratch.tiny) return TokenSet();
    make_set(scratch.ids);
    return scratch.ids;
  };
  TWINSIFT_TRY(const Sets sets, make_sets(texts, tokenise));
  fmt::print("## Recall of {}, words:5\n\n", candidates);
  TWINSIFT_TRY(const bool kept, print_recall(sets, generator));
  return good && kept;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  std::string pairs;
  std::string candidates = "banding1";
  bool good_usage = argc >= 2 && argc % 2 == 0;
  for (int i = 2; good_usage && i < argc; i += 2) {
    const std::string_view option = argv[i];
    if (option == "--pairs") {
      pairs = argv[i + 1];
    } else if (option == "--candidates") {
      candidates = argv[i + 1];
    } else {
      good_usage = false;
    }
  }
  if (!good_usage) {
    fmt::print(stderr, "usage: bench_recall CORPUS.jsonl [--pairs FILE] [--candidates SPEC]\n");
    return 2;
  }
  const auto good = twinsift::bench::run(argv[1], pairs, candidates);
  if (!good) {
    fmt::print(stderr, "bench_recall: {}\n", good.error().message);
    return 2;
  }
  fmt::print("{}\n", *good ? "All promises kept." : "A promise was NOT kept.");
  return *good ? 0 : 1;
}
