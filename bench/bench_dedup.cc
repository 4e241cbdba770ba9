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
Result<Measured> measure(const Setup& setup, const WorkDirectory& directory, const Case& what) {
  const std::string output = directory.path("output.jsonl");
  std::vector<std::string> command = {
      setup.program, "dedup", what.input, "--threshold", "0.8",
      "--recall",    "0.99",  "--quiet",  "--threads",   std::to_string(what.threads),
      "-o",          output};
  if (!what.memory.empty()) command.insert(command.end(), {"--memory", std::string(what.memory)});
  Measured measured;
  bool first = true;
  const auto once = [&]() -> Result<Usage> {
    std::filesystem::remove(output);
    TWINSIFT_TRY(const Usage usage, run_program(command));
    TWINSIFT_TRY(const Content content, content_of(output, true));
    measured.steady &= first || content == measured.output;
    measured.output = content;
    first = false;
    return usage;
  };
  TWINSIFT_TRY(measured.runs, repeat(setup.runs, once));
  return measured;
}

struct Baselines {
  Runs hash;
  Runs sort;
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
  fmt::print("\nTwo threads against one: {:.2f}x.  Kept {} of {} documents.\n",
             one.runs.median().wall / two.runs.median().wall, one.output.lines, corpus.lines);
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

// 1x, 2x and 4x, the last of which is the whole corpus.  By processor time, the best of all runs,
// which other work on the machine disturbs least.
Status print_growth(const Setup& setup, const WorkDirectory& directory, const Content& corpus,
                    const Measured& whole) {
  fmt::print(
      "\n| Growth, one thread | documents | seconds: median (range) | CPU us per document |"
      " relative to 1x | peak MB |\n|---|---|---|---|---|---|\n");
  double first = 0;
  const auto row = [&](std::string_view name, std::uint64_t documents, const Runs& runs) {
    const double each = runs.cpu() * 1e6 / static_cast<double>(documents);
    if (first == 0) first = each;
    fmt::print("| {} | {} | {} | {:.2f} | {:.2f} | {:.1f} |\n", name, documents, runs.spread(),
               each, each / first, runs.resident() / 1e6);
  };
  for (const std::uint64_t step : {4U, 2U}) {
    const std::string part = directory.path("part.jsonl");
    TWINSIFT_TRY([[maybe_unused]] auto cut, interleave(setup.corpus, part, step));
    TWINSIFT_TRY(const Content content, content_of(part, true));
    TWINSIFT_TRY(const Measured measured, measure(setup, directory, {part, 1}));
    row(fmt::format("{}x", 4 / step), content.lines, measured.runs);
  }
  row("4x", corpus.lines, whole.runs);
  return ok();
}

Result<bool> run(const Setup& setup) {
  TWINSIFT_TRY(const WorkDirectory directory, WorkDirectory::make());
  TWINSIFT_TRY(const Content corpus, content_of(setup.corpus, true));
  fmt::print("## Dedup at threshold 0.8, recall 0.99, {} runs each\n\n", setup.runs);
  fmt::print("Corpus: {} documents, {:.1f} MB, XXH3-128 {:016x}{:016x}.\n\n", corpus.lines,
             static_cast<double>(corpus.bytes) / 1e6, corpus.high, corpus.low);
  TWINSIFT_TRY(const Baselines baselines, measure_baselines(setup, directory));
  TWINSIFT_TRY(const Measured one, measure(setup, directory, {setup.corpus, 1}));
  TWINSIFT_TRY(const Measured two, measure(setup, directory, {setup.corpus, 2}));
  TWINSIFT_TRY(const Measured small, measure(setup, directory, {setup.corpus, 2, kSmallMemory}));
  print_speed(corpus, baselines, one, two);
  print_memory(corpus, two, small);
  TWINSIFT_TRY([[maybe_unused]] auto grown, print_growth(setup, directory, corpus, one));
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
