// SPDX-License-Identifier: Apache-2.0
// Indexes of 256-bit codes: building, memory, questions, recall, insertion and deletion, beside a
// scan of all codes in the same run.
//
// Half of the codes are random; the others are clusters of 2 to 40 codes, each within 0 to 40 bits
// of a random centre, as versions of a picture are.  Half of the questions are random codes, half
// are near stored ones.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "bench/timing.h"
#include "index/code_index.h"

namespace twinsift::bench {
namespace {

constexpr std::uint32_t kWords = 4;
constexpr std::uint32_t kBits = 64 * kWords;
constexpr std::uint32_t kRadius = 31;
constexpr std::uint32_t kQuestions = 1000;
constexpr std::uint32_t kChanges = 200'000;
constexpr double kTargetBytes = 100;
constexpr double kTargetP50 = 0.2;  // milliseconds
constexpr double kTargetRecall = 0.99;
constexpr double kTargetChanges = 200'000;  // a second

using Codes = std::vector<std::uint64_t>;
using Code = std::array<std::uint64_t, kWords>;

Code random_code(Rng& rng) {
  Code code{};
  for (auto& word : code) word = rng.next();
  return code;
}

Code flipped(Code code, std::uint32_t bits, Rng& rng) {
  for (std::uint32_t left = bits; left > 0;) {
    const std::uint32_t bit = rng.below(kBits);
    const std::uint64_t mask = std::uint64_t{1} << (bit % 64);
    code[bit / 64] ^= mask;
    --left;
  }
  return code;
}

void append(Codes& codes, const Code& code) { codes.insert(codes.end(), code.begin(), code.end()); }

Codes make_codes(std::uint32_t count, Rng& rng) {
  Codes codes;
  codes.reserve(std::size_t{count} * kWords);
  while (codes.size() < std::size_t{count} / 2 * kWords) {
    const Code centre = random_code(rng);
    for (std::uint32_t n = 2 + rng.below(39); n > 0; --n) {
      append(codes, flipped(centre, rng.below(41), rng));
    }
  }
  while (codes.size() < std::size_t{count} * kWords) append(codes, random_code(rng));
  codes.resize(std::size_t{count} * kWords);
  return codes;
}

Codes make_questions(const Codes& codes, Rng& rng) {
  Codes questions;
  const auto count = static_cast<std::uint32_t>(codes.size() / kWords);
  for (std::uint32_t i = 0; i < kQuestions; ++i) {
    Code code = random_code(rng);
    if (i % 2 == 0) {
      const std::size_t row = rng.below(count);
      std::copy_n(codes.begin() + static_cast<std::ptrdiff_t>(row * kWords), kWords, code.begin());
      code = flipped(code, rng.below(kRadius + 1), rng);
    }
    append(questions, code);
  }
  return questions;
}

struct Answers {
  double p50 = 0;  // milliseconds
  double p99 = 0;
  std::vector<std::vector<CodeMatch>> matches;
};

template <class Ask>
Answers ask_all(const Codes& questions, const Ask& ask) {
  Answers answers;
  std::vector<double> times;
  for (std::size_t q = 0; q < questions.size() / kWords; ++q) {
    std::vector<CodeMatch> matches;
    const double start = seconds(CLOCK_MONOTONIC);
    ask(CodeView(questions).subspan(q * kWords, kWords), matches);
    times.push_back(1e3 * (seconds(CLOCK_MONOTONIC) - start));
    answers.matches.push_back(std::move(matches));
  }
  std::ranges::sort(times);
  answers.p50 = times[times.size() / 2];
  answers.p99 = times[times.size() * 99 / 100];
  return answers;
}

Answers scan_all(const Codes& codes, const Codes& questions) {
  const auto count = static_cast<std::uint32_t>(codes.size() / kWords);
  std::vector<NearRow> room(count);
  return ask_all(questions, [&](CodeView code, std::vector<CodeMatch>& matches) {
    const std::size_t found = near_range(code, codes.data(), 0, count, kRadius, room.data());
    matches.assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(found));
  });
}

// The share of the true answers that were given.  Below 0 if one was given that is not true.
double recall_of(const Answers& given, const Answers& truth) {
  std::size_t all = 0;
  std::size_t found = 0;
  for (std::size_t q = 0; q < truth.matches.size(); ++q) {
    all += truth.matches[q].size();
    for (const CodeMatch& match : given.matches[q]) {
      if (std::ranges::find(truth.matches[q], match) == truth.matches[q].end()) return -1;
      ++found;
    }
  }
  return all == 0 ? 1 : static_cast<double>(found) / static_cast<double>(all);
}

// Erases and inserts the first codes again, and returns how many a second of either.
struct Changes {
  double erased = 0;
  double inserted = 0;
};
Result<Changes> change(CodeIndex& index, const Codes& codes) {
  const auto count =
      std::min<std::uint32_t>(kChanges, static_cast<std::uint32_t>(codes.size() / kWords));
  Changes changes;
  double start = seconds(CLOCK_MONOTONIC);
  for (ItemId id = 0; id < count; ++id) {
    TWINSIFT_TRY([[maybe_unused]] const auto done, index.erase(id));
  }
  changes.erased = count / (seconds(CLOCK_MONOTONIC) - start);
  start = seconds(CLOCK_MONOTONIC);
  for (ItemId id = 0; id < count; ++id) {
    TWINSIFT_TRY([[maybe_unused]] const auto done,
                 index.insert(id, CodeView(codes).subspan(std::size_t{id} * kWords, kWords)));
  }
  changes.inserted = count / (seconds(CLOCK_MONOTONIC) - start);
  return changes;
}

Result<bool> measure(const std::string& spec, const Codes& codes, const Codes& questions,
                     const Answers& truth) {
  TWINSIFT_TRY(const auto index, make_code_index(spec));
  const double start = seconds(CLOCK_MONOTONIC);
  TWINSIFT_TRY([[maybe_unused]] const auto built, index->insert_all(0, codes));
  const double took = seconds(CLOCK_MONOTONIC) - start;
  const auto ask = [&](CodeView code, std::vector<CodeMatch>& matches) {
    keep(index->near(code, kRadius, matches).has_value() ? 1 : 0);
  };
  const Answers first = ask_all(questions, ask);
  TWINSIFT_TRY(const Changes changes, change(*index, codes));
  const Answers again = ask_all(questions, ask);
  const double recall = recall_of(again, truth);
  const double bytes = static_cast<double>(index->bytes()) / static_cast<double>(index->size());
  const auto mark = [](bool good) { return good ? "" : " (!)"; };
  fmt::print(
      "| `{}` | {:.2f} s | {:.1f}{} | {:.3f}{} | {:.3f} | {:.4f}{} | {:.0f}{} | {:.0f}{} |\n",
      index->spec(), took, bytes, mark(bytes <= kTargetBytes), first.p50,
      mark(first.p50 <= kTargetP50), first.p99, recall, mark(recall >= kTargetRecall),
      changes.inserted, mark(changes.inserted >= kTargetChanges), changes.erased,
      mark(changes.erased >= kTargetChanges));
  return recall >= kTargetRecall && again.matches == first.matches;
}

Result<bool> run(std::uint32_t count, const std::vector<std::string>& specs) {
  Rng rng(1);
  const Codes codes = make_codes(count, rng);
  const Codes questions = make_questions(codes, rng);
  const Answers truth = scan_all(codes, questions);
  std::size_t all = 0;
  for (const auto& matches : truth.matches) all += matches.size();
  fmt::print(
      "## {} codes of {} bits, {} questions for distance <= {}\n\n"
      "{} answers; milliseconds on the wall; changes a second; (!) misses a target.\n\n"
      "| index | build | bytes/code | p50 | p99 | recall | insertions | deletions |\n"
      "|---|--:|--:|--:|--:|--:|--:|--:|\n"
      "| scan of all codes |  | {} | {:.3f} | {:.3f} | 1 |  |  |\n",
      count, kBits, kQuestions, kRadius, all, kBits / 8, truth.p50, truth.p99);
  bool good = true;
  for (const std::string& spec : specs) {
    TWINSIFT_TRY(const bool kept, measure(spec, codes, questions, truth));
    good &= kept;
  }
  return good;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  std::uint32_t count = 1'000'000;
  bool good = true;
  if (argc > 1) {
    const std::string_view text = argv[1];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
    good = error == std::errc() && end == text.data() + text.size() && count >= 1000;
  }
  if (!good) {
    fmt::print(stderr, "usage: bench_codes [CODES [SPEC...]], at least 1000\n");
    return 2;
  }
  std::vector<std::string> specs(argv + std::min(argc, 2), argv + argc);
  if (specs.empty()) {
    for (const std::string_view recall : {"0.99", "1"}) {
      specs.push_back(fmt::format("mih1:recall={},items={}", recall, count));
    }
    specs.emplace_back("hamming1:bits=256");
  }
  const auto kept = twinsift::bench::run(count, specs);
  if (!kept) {
    fmt::print(stderr, "bench_codes: {}\n", kept.error().message);
    return 2;
  }
  if (!*kept) fmt::print("\nThe promised recall was not kept.\n");
  return *kept ? 0 : 1;
}
