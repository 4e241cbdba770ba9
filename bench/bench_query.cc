// SPDX-License-Identifier: Apache-2.0
// What it costs to ask a collection of a million documents which of them resemble a text.
//
// Usage: bench_query CORPUS.jsonl [DOCUMENTS [SKETCH]]
//
// Documents beyond those of the corpus are made of its lines: as many as a document of the corpus
// has, in runs of three that follow one another somewhere.  So words and boilerplate are as
// frequent as in real text, and few documents resemble one another as wholes.  Half of the
// questions are a version of a stored document in which some words are others, half are new.
//
// A question is timed on the wall from its text to the exact scores and the names of what it finds:
// decoding, shingling, sketching, searching, reading features; and, on its own, with opening the
// collection each time, as the command does.  The truth is counted: the shingles of all questions
// are looked up in all documents.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/random.h"
#include "bench/corpus_texts.h"
#include "bench/timing.h"
#include "feature/shingle.h"
#include "feature/token_set.h"
#include "store/collection.h"
#include "twinsift/media.h"
#include "twinsift/store.h"

namespace twinsift::bench {
namespace {

constexpr double kThreshold = 0.8;
constexpr std::uint64_t kStep = 1'000'003;  // a prime
constexpr std::uint32_t kQuestions = 1000;
constexpr double kTargetP50 = 2;     // ms
constexpr double kTargetP99 = 10;    // ms
constexpr double kTargetOpen = 100;  // ms
constexpr double kTargetRecall = 0.99;
constexpr double kTargetGrowth = 2;
constexpr double kTargetBytes = 1500;

class Texts {
 public:
  explicit Texts(std::vector<std::string> real) : real_(std::move(real)) {
    std::erase_if(real_, [](const std::string& text) { return text.empty(); });
    for (const std::string& text : real_) {
      for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        if (end > begin) lines_.emplace_back(text.data() + begin, end - begin);
        begin = end + 1;
      }
    }
  }

  // Document i, always the same.
  [[nodiscard]] std::string document(std::uint64_t i) const {
    // Kinds of documents stand together in the corpus: any number of them is to be a mixture.
    const std::string& like = real_[i * kStep % real_.size()];
    if (i < real_.size()) return like;
    Rng rng(mix64(i));
    std::string text;
    while (text.size() < like.size()) {
      const std::size_t first = rng.below(static_cast<std::uint32_t>(lines_.size() - 3));
      for (std::size_t line = first; line < first + 3; ++line) text.append(lines_[line]) += '\n';
    }
    return text;
  }

  // With a share of its words replaced, in runs, as people edit.
  [[nodiscard]] std::string version(std::uint64_t i, double share, Rng& rng) const {
    const std::string text = document(i);
    std::string out;
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t end = std::min(text.find(' ', begin), text.size());
      if (rng.uniform() < share / 8) {
        for (int skipped = 0; skipped < 8 && end < text.size(); ++skipped) {
          end = std::min(text.find(' ', end + 1), text.size());
        }
        for (int word = 0; word < 8; ++word) out += fmt::format("w{} ", rng.next() % 100'000);
      } else {
        out.append(text, begin, end - begin) += ' ';
      }
      begin = end + 1;
    }
    return out;
  }

 private:
  std::vector<std::string> real_;
  std::vector<std::string_view> lines_;  // of real_
};

Status write_corpus(const Texts& texts, std::uint64_t count, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return Error{ErrorCode::kIo, path + ": cannot be written"};
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string line = "{\"text\":";
    json_string(texts.document(i), line);
    line += "}\n";
    std::fwrite(line.data(), 1, line.size(), file);
  }
  if (std::fclose(file) != 0) return Error{ErrorCode::kIo, path + ": cannot be written"};
  return ok();
}

struct Question {
  std::string text;
  TokenSet set;
};

std::vector<Question> make_questions(const Texts& texts, std::uint64_t count,
                                     const Shingler& shingler) {
  Rng rng(99);
  std::vector<Question> questions(kQuestions);
  for (std::uint32_t q = 0; q < kQuestions; ++q) {
    if (q % 2 == 0) {
      questions[q].text = texts.version(rng.next() % count, 0.25 * rng.uniform(), rng);
    } else {
      questions[q].text = texts.document(count + q);
    }
    Shingles shingles;
    shingler.shingle(questions[q].text, shingles);
    if (!shingles.tiny) questions[q].set = std::move(shingles.ids);
    make_set(questions[q].set);
  }
  return questions;
}

// The numbers of the documents at or above the threshold, for each question.
std::vector<std::vector<std::uint64_t>> brute_force(const Texts& texts, std::uint64_t count,
                                                    const std::vector<Question>& questions,
                                                    const Shingler& shingler) {
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> asked_by;
  for (std::uint32_t q = 0; q < questions.size(); ++q) {
    for (const std::uint64_t id : questions[q].set) asked_by[id].push_back(q);
  }
  // Most ids are in no question: one bit tells.
  std::vector<bool> filter(std::size_t{1} << 24U);
  for (const auto& [id, unused] : asked_by) filter[id >> 40U] = true;
  std::vector<std::vector<std::uint64_t>> truth(questions.size());
  std::vector<std::uint32_t> shared(questions.size());
  std::vector<std::uint32_t> touched;
  Shingles shingles;
  for (std::uint64_t d = 0; d < count; ++d) {
    shingler.shingle(texts.document(d), shingles);
    if (shingles.tiny) continue;
    make_set(shingles.ids);
    touched.clear();
    for (const std::uint64_t id : shingles.ids) {
      if (!filter[id >> 40U]) continue;
      const auto found = asked_by.find(id);
      if (found == asked_by.end()) continue;
      for (const std::uint32_t q : found->second) {
        if (shared[q]++ == 0) touched.push_back(q);
      }
    }
    for (const std::uint32_t q : touched) {
      const double both = std::exchange(shared[q], 0);
      const double all = static_cast<double>(shingles.ids.size() + questions[q].set.size()) - both;
      if (both / all >= kThreshold) truth[q].push_back(d);
    }
  }
  return truth;
}

struct Percentiles {
  double p50 = 0;
  double p99 = 0;
};
Percentiles percentiles(std::vector<double> times) {
  std::ranges::sort(times);
  return {times[times.size() / 2], times[times.size() * 99 / 100]};
}

double milliseconds(double start) { return 1e3 * (seconds(CLOCK_MONOTONIC) - start); }

// A collection that stays open, and the medium that reads questions.
struct Library {
  std::unique_ptr<MediaType> medium;
  std::unique_ptr<Collection> collection;
  DetectorId detector = 0;
};

// The parts, from 1, of everything that resembles the text.
Result<std::vector<std::uint64_t>> ask(const Library& library, const std::string& text,
                                       SearchStats& stats) {
  TWINSIFT_TRY(const Description description,
               library.medium->extract({"question", std::as_bytes(std::span(text))}));
  std::vector<std::uint64_t> parts;
  if (description.features.empty()) return parts;
  const auto& set = std::get<TokenSet>(description.features.front().value);
  TWINSIFT_TRY(
      const auto found,
      library.collection->search(
          SetView(set),
          {.detector = library.detector, .threshold = kThreshold, .recall = kTargetRecall}, stats));
  for (const Neighbour& neighbour : found) {
    TWINSIFT_TRY([[maybe_unused]] auto listed,
                 library.collection->files_with(neighbour.digest, [&](const FileView& file) {
                   parts.push_back(file.part);
                   return ok();
                 }));
  }
  return parts;
}

struct Measured {
  Percentiles warm;
  bool kept = true;
};

Result<Measured> measure(const Texts& texts, std::uint64_t count, const std::string& temp,
                         const std::string& sketch) {
  const std::string corpus = temp + "/corpus.jsonl";
  IndexOptions options;
  options.sketch = sketch;
  options.collection = fmt::format("{}/collection-{}", temp, count);
  TWINSIFT_TRY([[maybe_unused]] auto written, write_corpus(texts, count, corpus));
  const double begin = seconds(CLOCK_MONOTONIC);
  TWINSIFT_TRY(const IndexSummary summary, index_corpora({corpus}, options));
  const double took = seconds(CLOCK_MONOTONIC) - begin;
  TWINSIFT_TRY(const IndexStat stat, index_stat(options.collection));
  TWINSIFT_TRY(const Shingler shingler, Shingler::make(options.match.features));
  const auto questions = make_questions(texts, count, shingler);
  const auto truth = brute_force(texts, count, questions, shingler);

  const double open_begin = seconds(CLOCK_MONOTONIC);
  Library library;
  TWINSIFT_TRY(library.collection,
               Collection::open(options.collection, {.mode = CollectionOptions::Mode::kRead}));
  const double open_ms = milliseconds(open_begin);
  TWINSIFT_TRY(library.medium, make_text_media(options.match.features));
  library.detector = library.collection->detector(library.medium->spec()).value_or(0);

  std::vector<double> warm;
  std::uint64_t found = 0;
  std::uint64_t all = 0;
  std::uint64_t candidates = 0;
  for (const bool again : {false, true}) {
    for (std::uint32_t q = 0; q < kQuestions; ++q) {
      const double start = seconds(CLOCK_MONOTONIC);
      SearchStats one;
      TWINSIFT_TRY(auto parts, ask(library, questions[q].text, one));
      if (!again) continue;
      warm.push_back(milliseconds(start));
      candidates += one.candidates;
      std::ranges::sort(parts);
      all += truth[q].size();
      for (const std::uint64_t document : truth[q]) {
        found += std::ranges::binary_search(parts, document + 1) ? 1U : 0U;
      }
    }
  }
  std::vector<double> alone;
  QueryOptions query_options;
  query_options.collection = options.collection;
  query_options.limit = 0;
  for (std::uint32_t q = 0; q < kQuestions; ++q) {
    const double start = seconds(CLOCK_MONOTONIC);
    TWINSIFT_TRY(const auto answer,
                 query({"question", std::as_bytes(std::span(questions[q].text))}, query_options));
    keep(answer.matches.size());
    alone.push_back(milliseconds(start));
  }
  const Percentiles w = percentiles(warm);
  const Percentiles a = percentiles(alone);
  const auto mark = [](bool good) { return good ? "" : " (!)"; };
  const double n = static_cast<double>(count);
  const double recall = all == 0 ? 1 : static_cast<double>(found) / static_cast<double>(all);
  const double index_bytes = static_cast<double>(stat.segment_bytes) / n;
  fmt::print(
      "| {} | {:.0f} s, {:.0f} MB/s | {:.0f}{} | {:.0f} | {:.1f} ms{} | {:.1f} | {:.4f}{} of {} | "
      "{:.2f}{} | {:.2f}{} | {:.2f} | {:.2f} |\n",
      count, took, 1e-6 * static_cast<double>(summary.bytes) / took, index_bytes,
      mark(index_bytes <= kTargetBytes), static_cast<double>(stat.data_bytes) / n, open_ms,
      mark(open_ms <= kTargetOpen), static_cast<double>(candidates) / kQuestions, recall,
      mark(recall >= kTargetRecall), all, w.p50, mark(w.p50 <= kTargetP50), w.p99,
      mark(w.p99 <= kTargetP99), a.p50, a.p99);
  std::filesystem::remove_all(options.collection);
  const double missed = static_cast<double>(all - found);
  const double allowed = (1 - kTargetRecall) * static_cast<double>(all);
  return Measured{.warm = w, .kept = missed <= allowed + 4 * std::sqrt(allowed) + 1};
}

Result<bool> run(const std::string& corpus, std::uint64_t count, const std::string& sketch) {
  TWINSIFT_TRY(auto real, read_texts(corpus));
  const Texts texts(std::move(real));
  const std::filesystem::path temp =
      std::filesystem::temp_directory_path() / fmt::format("bench_query.{}", ::getpid());
  std::filesystem::create_directories(temp);
  fmt::print(
      "## Asking a collection for a text, T = {}{}{}\n\n"
      "{} questions, milliseconds on the wall; \"alone\" opens the collection for each; (!) misses "
      "a target.\n\n"
      "| documents | indexing | index bytes/doc | features bytes/doc | open | candidates | recall "
      "| p50 | p99 | alone p50 | alone p99 |\n"
      "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
      kThreshold, sketch.empty() ? "" : ", ", sketch, kQuestions);
  const auto tenth = measure(texts, count / 10, temp.string(), sketch);
  const auto whole = tenth ? measure(texts, count, temp.string(), sketch) : tenth;
  std::filesystem::remove_all(temp);
  if (!whole) return whole.error();
  const double growth = whole->warm.p50 / tenth->warm.p50;
  fmt::print("\nTen times the documents: p50 {:.2f} times{}, p99 {:.2f} times.\n", growth,
             growth < kTargetGrowth ? "" : " (!)", whole->warm.p99 / tenth->warm.p99);
  return tenth->kept && whole->kept;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  std::uint64_t count = 1'000'000;
  bool good = argc >= 2 && argc <= 4;
  if (argc > 2) {
    const std::string_view text = argv[2];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    good = error == std::errc() && end == text.data() + text.size() && count >= 1000;
  }
  if (!good) {
    fmt::print(stderr, "usage: bench_query CORPUS.jsonl [DOCUMENTS [SKETCH]], at least 1000\n");
    return 2;
  }
  const auto kept = twinsift::bench::run(argv[1], count, argc == 4 ? argv[3] : "");
  if (!kept) {
    fmt::print(stderr, "bench_query: {}\n", kept.error().message);
    return 2;
  }
  if (!*kept) fmt::print("\nThe promised recall was not kept.\n");
  return *kept ? 0 : 1;
}
