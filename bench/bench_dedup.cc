// SPDX-License-Identifier: Apache-2.0
// The program itself on a whole corpus: speed on one core and two, memory, growth, and whether the
// output depends on any of it.  Beside it, in the same run: reading the corpus and hashing it with
// XXH3, and `sort -u`, which finds equal lines only.
//
// This program stays small on purpose: Linux counts the memory of whoever starts a process among
// that process's peak.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "bench/process.h"
#include "bench/timing.h"
#include "twinsift/result.h"

namespace twinsift::bench {
namespace {

constexpr std::string_view kSmallMemory = "64M";
constexpr double kSmallMemoryBytes = 64.0 * 1024 * 1024;

class WorkDirectory {
 public:
  static Result<WorkDirectory> make() {
    std::string name = (std::filesystem::temp_directory_path() / "twinsift-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      return Error{ErrorCode::kIo, "cannot make a directory for temporary files"};
    }
    return WorkDirectory(name);
  }
  WorkDirectory(WorkDirectory&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  WorkDirectory& operator=(WorkDirectory&&) = delete;
  ~WorkDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string path(std::string_view name) const {
    return fmt::format("{}/{}", path_, name);
  }

 private:
  explicit WorkDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// What a file holds.
struct Content {
  std::uint64_t bytes = 0;
  std::uint64_t lines = 0;
  std::uint64_t low = 0;  // XXH3-128
  std::uint64_t high = 0;
  friend bool operator==(const Content&, const Content&) = default;
};

Result<Content> content_of(const std::string& path, bool count_lines) {
  std::ifstream file(path, std::ios::binary);
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(),
                                                                       &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  std::vector<char> buffer(std::size_t{1} << 20U);
  Content content;
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    const std::string_view part(buffer.data(), static_cast<std::size_t>(file.gcount()));
    XXH3_128bits_update(state.get(), part.data(), part.size());
    content.bytes += part.size();
    if (count_lines) content.lines += static_cast<std::uint64_t>(std::ranges::count(part, '\n'));
  }
  if (content.bytes == 0) return Error{ErrorCode::kIo, "cannot read " + path};
  const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
  content.low = hash.low64;
  content.high = hash.high64;
  return content;
}

// Every `step`-th line, so that the mix of documents stays the same.
Status interleave(const std::string& from, const std::string& to, std::uint64_t step) {
  std::ifstream in(from, std::ios::binary);
  std::ofstream out(to, std::ios::binary);
  std::string line;
  for (std::uint64_t number = 0; std::getline(in, line); ++number) {
    if (number % step == 0) out << line << '\n';
  }
  out.flush();
  if (!out) return Error{ErrorCode::kIo, "cannot write " + to};
  return ok();
}

// The text of a line in another alphabet: every letter moved on by `shift`, so that its words are
// as long as before and nobody else's.  False for lines that have other letters than ASCII.
bool change_alphabet(std::string& line, unsigned shift) {
  constexpr std::string_view kField = "\"text\":";
  const std::size_t field = line.find(kField);
  if (field == std::string::npos) return false;
  std::size_t i = line.find('"', field + kField.size());
  if (i == std::string::npos) return false;
  for (++i; i < line.size() && line[i] != '"'; ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    if (c >= 0x80U || (c == '\\' && line[i + 1] == 'u')) return false;
    if (c == '\\') {
      ++i;
      continue;
    }
    const unsigned lower = c | 0x20U;
    if (lower < 'a' || lower > 'z') continue;
    line[i] = static_cast<char>((c & ~0x1FU) | ((lower - 'a' + shift) % 26 + 1));
  }
  return true;
}

// The ASCII documents of a corpus in `copies` alphabets: so many times the documents, with the same
// share of duplicates.  A sample of a corpus has fewer, since a pair needs both its halves.
Status multiply(const std::string& from, const std::string& to, unsigned copies) {
  std::ofstream out(to, std::ios::binary);
  for (unsigned copy = 0; copy < copies; ++copy) {
    std::ifstream in(from, std::ios::binary);
    std::string line;
    while (std::getline(in, line)) {
      if (change_alphabet(line, 5 * copy)) out << line << '\n';
    }
  }
  out.flush();
  if (!out) return Error{ErrorCode::kIo, "cannot write " + to};
  return ok();
}

// Several runs of the same thing, sorted by the clock on the wall.
struct Runs {
  std::vector<Usage> all;
  [[nodiscard]] const Usage& median() const { return all[all.size() / 2]; }
  [[nodiscard]] double cpu() const { return std::ranges::min(all, {}, &Usage::cpu).cpu; }
  [[nodiscard]] double resident() const {
    return std::ranges::max(all, {}, &Usage::resident).resident;
  }
  [[nodiscard]] std::string spread() const {
    return fmt::format("{:.2f} ({:.2f}-{:.2f})", median().wall, all.front().wall, all.back().wall);
  }
};

Result<Runs> repeat(int runs, const std::function<Result<Usage>()>& work) {
  Runs result;
  for (int i = 0; i < runs; ++i) {
    TWINSIFT_TRY(const Usage usage, work());
    result.all.push_back(usage);
  }
  std::ranges::sort(result.all, {}, &Usage::wall);
  return result;
}

struct Setup {
  std::string program;
  std::string corpus;
  int runs = 3;
};

struct Case {
  std::string input;
  unsigned threads = 1;
  std::string_view memory{};  // empty: the program's default
};

// Dedups as often as asked for; what comes out must be the same every time.
struct Measured {
  Runs runs;
  Content output;
  bool steady = true;
};

Result<Usage> dedup_once(const Setup& setup, const WorkDirectory& directory, const Case& what,
                         Content& output) {
  const std::string path = directory.path("output.jsonl");
  std::vector<std::string> command = {
      setup.program, "dedup", what.input, "--threshold", "0.8",
      "--recall",    "0.99",  "--quiet",  "--threads",   std::to_string(what.threads),
      "-o",          path};
  if (!what.memory.empty()) command.insert(command.end(), {"--memory", std::string(what.memory)});
  std::filesystem::remove(path);
  TWINSIFT_TRY(const Usage usage, run_program(command));
  TWINSIFT_TRY(output, content_of(path, true));
  return usage;
}

// All cases in turn, as often as asked for: what else the machine does then hits all of them.
Result<std::vector<Measured>> measure(const Setup& setup, const WorkDirectory& directory,
                                      const std::vector<Case>& cases) {
  std::vector<Measured> measured(cases.size());
  for (int run = 0; run < setup.runs; ++run) {
    for (std::size_t i = 0; i < cases.size(); ++i) {
      Content output;
      TWINSIFT_TRY(const Usage usage, dedup_once(setup, directory, cases[i], output));
      measured[i].steady &= run == 0 || output == measured[i].output;
      measured[i].output = output;
      measured[i].runs.all.push_back(usage);
    }
  }
  for (Measured& m : measured) std::ranges::sort(m.runs.all, {}, &Usage::wall);
  return measured;
}

struct Baselines {
  Runs hash;
  Runs sort;
  Runs pair;  // two dedups of one thread each at once: what the machine's second core is worth
};
Result<Baselines> measure_baselines(const Setup& setup, const WorkDirectory& directory) {
  Baselines baselines;
  TWINSIFT_TRY(baselines.hash, repeat(setup.runs, [&]() -> Result<Usage> {
                 const Stopwatch watch;
                 TWINSIFT_TRY(const Content content, content_of(setup.corpus, false));
                 keep(content.low);
                 const Times took = watch.elapsed();
                 return Usage{.wall = took.wall, .cpu = took.cpu};
               }));
  const std::vector<std::string> sort = {
      "sort", "-u", "-T", directory.path(""), "-o", directory.path("sorted"), setup.corpus};
  TWINSIFT_TRY(baselines.sort, repeat(setup.runs, [&] { return run_program(sort); }));
  std::filesystem::remove(directory.path("sorted"));
  const auto command = [&](std::string_view output) -> std::vector<std::string> {
    return {setup.program, "dedup",   setup.corpus, "--threshold", "0.8", "--recall",
            "0.99",        "--quiet", "--threads",  "1",           "-o",  directory.path(output)};
  };
  TWINSIFT_TRY(baselines.pair, repeat(setup.runs, [&]() -> Result<Usage> {
                 const Stopwatch watch;
                 Result<Usage> other = Usage{};
                 std::jthread thread([&] { other = run_program(command("other.jsonl")); });
                 TWINSIFT_TRY([[maybe_unused]] auto one, run_program(command("one.jsonl")));
                 thread.join();
                 TWINSIFT_TRY([[maybe_unused]] auto two, std::move(other));
                 return Usage{.wall = watch.elapsed().wall};
               }));
  return baselines;
}

void print_speed(const Content& corpus, const Baselines& baselines, const Measured& one,
                 const Measured& two) {
  const double megabytes = static_cast<double>(corpus.bytes) / 1e6;
  const double base = baselines.hash.median().wall;
  fmt::print(
      "| What | seconds: median (range) | CPU seconds | MB/s of input | times the baseline |\n"
      "|---|---|---|---|---|\n");
  const auto row = [&](std::string_view name, const Runs& runs) {
    const Usage& median = runs.median();
    fmt::print("| {} | {} | {:.2f} | {:.0f} | {:.1f} |\n", name, runs.spread(), median.cpu,
               megabytes / median.wall, median.wall / base);
  };
  row("read and XXH3, the baseline", baselines.hash);
  row("`LC_ALL=C sort -u`, equal lines only", baselines.sort);
  row("dedup, one thread", one.runs);
  row("dedup, two threads", two.runs);
  const double alone = one.runs.median().wall;
  fmt::print(
      "\nTwo threads against one: {:.2f}x.  Two runs of one thread each, at once, against one "
      "after the other: {:.2f}x.\nKept {} of {} documents.\n",
      alone / two.runs.median().wall, 2 * alone / baselines.pair.median().wall, one.output.lines,
      corpus.lines);
}

void print_memory(const Content& corpus, const Measured& plain, const Measured& small) {
  fmt::print(
      "\n| Memory, two threads | peak MB | bytes per document | seconds: median (range) |\n"
      "|---|---|---|---|\n");
  const auto row = [&](std::string_view name, const Measured& measured) {
    fmt::print("| {} | {:.1f} | {:.0f} | {} |\n", name, measured.runs.resident() / 1e6,
               measured.runs.resident() / static_cast<double>(corpus.lines),
               measured.runs.spread());
  };
  row("default", plain);
  row(fmt::format("`--memory {}`", kSmallMemory), small);
  const double over = small.runs.resident() / kSmallMemoryBytes;
  fmt::print("\nPeak with `--memory {}`: {:.2f} of what was allowed.\n", kSmallMemory, over);
}

// By processor time, the best of all runs, which other work on the machine disturbs least.
class GrowthTable {
 public:
  explicit GrowthTable(std::string_view what) {
    fmt::print(
        "\n| {} | documents | dropped | seconds: median (range) | CPU us per document |"
        " relative to 1x | peak MB |\n|---|---|---|---|---|---|---|\n",
        what);
  }
  void row(unsigned times, std::uint64_t documents, const Measured& measured) {
    const double each = measured.runs.cpu() * 1e6 / static_cast<double>(documents);
    if (first_ == 0) first_ = each;
    fmt::print(
        "| {}x | {} | {:.1f} % | {} | {:.2f} | {:.2f} | {:.1f} |\n", times, documents,
        100 - 100.0 * static_cast<double>(measured.output.lines) / static_cast<double>(documents),
        measured.runs.spread(), each, each / first_, measured.runs.resident() / 1e6);
  }

 private:
  double first_ = 0;
};

// The inputs, 1x, 2x and 4x of the first.
Status print_growth(const Setup& setup, const WorkDirectory& directory, std::string_view what,
                    const std::array<std::string, 3>& inputs) {
  TWINSIFT_TRY(const std::vector<Measured> measured,
               measure(setup, directory, {{inputs[0]}, {inputs[1]}, {inputs[2]}}));
  GrowthTable table(what);
  for (unsigned i = 0; i < 3; ++i) {
    TWINSIFT_TRY(const Content content, content_of(inputs[i], true));
    table.row(1U << i, content.lines, measured[i]);
  }
  return ok();
}

Status print_growths(const Setup& setup, const WorkDirectory& directory) {
  std::array<std::string, 3> inputs = {directory.path("1"), directory.path("2"),
                                       directory.path("4")};
  for (unsigned i = 0; i < 3; ++i) {
    TWINSIFT_TRY([[maybe_unused]] auto made, multiply(setup.corpus, inputs[i], 1U << i));
  }
  TWINSIFT_TRY([[maybe_unused]] auto even,
               print_growth(setup, directory, "Growth, the same share of duplicates", inputs));
  for (unsigned i = 0; i < 2; ++i) {
    TWINSIFT_TRY([[maybe_unused]] auto cut, interleave(setup.corpus, inputs[i], 4U >> i));
  }
  inputs[2] = setup.corpus;
  return print_growth(setup, directory, "Growth, samples of the corpus", inputs);
}

Result<bool> run(const Setup& setup) {
  TWINSIFT_TRY(const WorkDirectory directory, WorkDirectory::make());
  TWINSIFT_TRY(const Content corpus, content_of(setup.corpus, true));
  fmt::print("## Dedup at threshold 0.8, recall 0.99, {} runs each\n\n", setup.runs);
  fmt::print("Corpus: {} documents, {:.1f} MB, XXH3-128 {:016x}{:016x}.\n\n", corpus.lines,
             static_cast<double>(corpus.bytes) / 1e6, corpus.high, corpus.low);
  TWINSIFT_TRY(const Baselines baselines, measure_baselines(setup, directory));
  TWINSIFT_TRY(const std::vector<Measured> measured,
               measure(setup, directory,
                       {{setup.corpus, 1}, {setup.corpus, 2}, {setup.corpus, 2, kSmallMemory}}));
  const Measured& one = measured[0];
  const Measured& two = measured[1];
  const Measured& small = measured[2];
  print_speed(corpus, baselines, one, two);
  print_memory(corpus, two, small);
  TWINSIFT_TRY([[maybe_unused]] auto grown, print_growths(setup, directory));
  const bool steady = one.steady && two.steady && small.steady;
  const bool threads = one.output == two.output;
  const bool memory = two.output == small.output;
  fmt::print(
      "\nOutput equal (size and XXH3-128): in all runs {}; one thread and two {}; default memory "
      "and"
      " {} {}.\n",
      steady ? "yes" : "NO", threads ? "yes" : "NO", kSmallMemory, memory ? "yes" : "NO");
  return steady && threads && memory;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  twinsift::bench::Setup setup;
  if (argc == 4) setup.runs = std::atoi(argv[3]);
  if (argc < 3 || argc > 4 || setup.runs < 1) {
    fmt::print(stderr, "usage: bench_dedup TWINSIFT_PROGRAM CORPUS.jsonl [RUNS]\n");
    return 2;
  }
  setup.program = argv[1];
  setup.corpus = argv[2];
  ::setenv("LC_ALL", "C", 1);
  const auto good = twinsift::bench::run(setup);
  if (!good) {
    fmt::print(stderr, "bench_dedup: {}\n", good.error().message);
    return 2;
  }
  return *good ? 0 : 1;
}
