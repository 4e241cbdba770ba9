// SPDX-License-Identifier: Apache-2.0
// How fast text becomes words, shingles, sets and sketches on one core, beside XXH3 over the same
// bytes: a hash that only has to read them.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "bench/corpus_texts.h"
#include "bench/timing.h"
#include "feature/shingle.h"
#include "feature/token_set.h"
#include "feature/words.h"
#include "tune/tune.h"
#include "twinsift/sketch.h"

namespace twinsift::bench {
namespace {

constexpr std::uint64_t kBytes = 64'000'000;  // about, and far more than any cache holds
constexpr int kRuns = 5;

// What is done with one text; gives back something that depends on all of it.
using Step = std::function<std::uint64_t(std::string_view text)>;
struct Row {
  std::string name;
  Step step;
  double target = 0;  // MB/s of ASCII; 0: none
};

// Every n-th text, so that the mix is that of the whole corpus, whose parts have an order.
std::vector<std::string_view> sample(const std::vector<std::string>& texts) {
  std::uint64_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  const std::uint64_t step = std::max<std::uint64_t>(1, (bytes + kBytes / 2) / kBytes);
  std::vector<std::string_view> chosen;
  for (std::size_t i = 0; i < texts.size(); i += step) chosen.emplace_back(texts[i]);
  return chosen;
}

Step shingling(const Shingler& shingler, Shingles& scratch, bool set) {
  return [&shingler, &scratch, set](std::string_view text) -> std::uint64_t {
    shingler.shingle(text, scratch);
    if (set) make_set(scratch.ids);
    return scratch.ids.empty() ? 0 : scratch.ids.back();
  };
}

Step sketching(const Shingler& shingler, const Sketcher& sketcher, Shingles& scratch) {
  return [&, sketch = Sketch(sketcher.k())](std::string_view text) mutable -> std::uint64_t {
    shingler.shingle(text, scratch);
    if (scratch.ids.empty()) return 0;
    sketcher.sketch_ids(scratch.ids, sketch);
    return sketch.back();
  };
}

void print_table(std::string_view title, const std::vector<std::string_view>& texts,
                 const std::vector<Row>& rows, bool targets) {
  std::uint64_t bytes = 0;
  for (const std::string_view text : texts) bytes += text.size();
  const double megabytes = static_cast<double>(bytes) / 1e6;
  fmt::print("\n### {}: {} documents, {:.1f} MB\n\n", title, texts.size(), megabytes);
  fmt::print("| Text to | MB/s per core | share of XXH3 | target MB/s |\n|---|---|---|---|\n");
  double baseline = 0;
  for (const Row& row : rows) {
    const double took = best_seconds(kRuns, [&] {
      for (const std::string_view text : texts) keep(row.step(text));
    });
    const double speed = megabytes / took;
    if (baseline == 0) baseline = speed;
    const bool has_target = targets && row.target > 0;
    fmt::print("| {} | {:.0f} | {:.4f} | {} |\n", row.name, speed, speed / baseline,
               has_target ? fmt::format(">= {:.0f}: {}", row.target,
                                        speed >= row.target ? "met" : "missed")
                          : "");
  }
}

Status run(const std::string& corpus) {
  TWINSIFT_TRY(const std::vector<std::string> texts, read_texts(corpus));
  TWINSIFT_TRY(const Shingler words, Shingler::make("words:5"));
  TWINSIFT_TRY(const Shingler chars, Shingler::make("chars:9"));
  TWINSIFT_TRY(const SketchPlan plan, choose_sketch_size(0.8, 0.99, 1024));
  Shingles scratch;
  std::vector<std::uint64_t> hashes;
  std::vector<Row> rows;
  rows.push_back({"XXH3, the baseline",
                  [](std::string_view text) { return XXH3_64bits(text.data(), text.size()); }});
  rows.push_back({"hashes of words", [&](std::string_view text) -> std::uint64_t {
                    hashes.clear();
                    hash_words(text, hashes);
                    return hashes.empty() ? 0 : hashes.back();
                  }});
  rows.push_back({"shingles, words:5", shingling(words, scratch, false), 600});
  rows.push_back({"set of shingles, words:5", shingling(words, scratch, true)});
  rows.push_back({"shingles, chars:9", shingling(chars, scratch, false)});
  // The first is what the program does at its defaults.
  std::vector<std::string> specs = {fmt::format("fss1:k={}", plan.k)};
  for (const char* spec : {"fss1:k=128", "fss1:k=256", "fss1:k=1024", "minhash1:k=128"}) {
    if (spec != specs.front()) specs.emplace_back(spec);
  }
  std::vector<std::unique_ptr<Sketcher>> sketchers;
  for (const std::string& spec : specs) {
    TWINSIFT_TRY(auto sketcher, make_sketcher(spec));
    const bool first = sketchers.empty();
    rows.push_back({fmt::format("sketch, words:5, {}{}", spec, first ? " (0.8 / 0.99)" : ""),
                    sketching(words, *sketcher, scratch), first ? 400.0 : 0.0});
    sketchers.push_back(std::move(sketcher));
  }

  const std::vector<std::string_view> all = sample(texts);
  std::vector<std::string_view> ascii;
  std::vector<std::string_view> other;
  for (const std::string_view text : all) {
    const bool plain =
        std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    (plain ? ascii : other).push_back(text);
  }
  fmt::print("## Text to sketch, one core, best of {} runs\n", kRuns);
  print_table("ASCII documents", ascii, rows, true);
  print_table("Documents with other characters", other, rows, false);
  print_table("All documents", all, rows, false);
  return ok();
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: bench_text CORPUS.jsonl\n");
    return 2;
  }
  const twinsift::Status status = twinsift::bench::run(argv[1]);
  if (status) return 0;
  fmt::print(stderr, "bench_text: {}\n", status.error().message);
  return 2;
}
