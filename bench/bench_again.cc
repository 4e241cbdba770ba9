// SPDX-License-Identifier: Apache-2.0
// What it costs to look at a tree of files a second time, when nothing has changed, and what the
// memory that makes this possible costs the first time.
//
// Usage: bench_again TWINSIFT CORPUS.jsonl [FILES]
//
// Every document of the corpus becomes a file, 50 in a folder.  The program is run as a person
// would run it, its report going to standard error, and the clock on the wall counts: median of
// several runs for what is quick.  The baseline is a walk that looks at every name and the status
// of every file, and does nothing else.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"
#include "bench/corpus_texts.h"
#include "bench/process.h"
#include "bench/timing.h"

namespace twinsift::bench {
namespace {

constexpr int kRuns = 7;
constexpr double kTargetFaster = 20;   // times the first run
constexpr double kTargetWalk = 1.5;    // times the bare walk
constexpr double kTargetInsert = 0.5;  // of the speed without a collection

// A folder that is gone at the end.
class TempFolder {
 public:
  TempFolder()
      : path_(std::filesystem::temp_directory_path() / fmt::format("bench_again.{}", ::getpid())) {
    std::filesystem::create_directories(path_);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] std::string operator/(std::string_view name) const {
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

Result<std::uint64_t> write_tree(const std::string& root, const std::vector<std::string>& texts,
                                 std::size_t most) {
  constexpr std::size_t kFolder = 50;
  std::uint64_t files = 0;
  for (std::size_t i = 0; i < texts.size() && files < most; ++i) {
    if (texts[i].empty()) continue;
    const std::string folder =
        fmt::format("{}/{:03}/{:02}", root, files / (20 * kFolder), files / kFolder % 20);
    if (files % kFolder == 0) std::filesystem::create_directories(folder);
    const std::string path = fmt::format("{}/{:07}.txt", folder, files);
    const Fd fd(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666));
    if (!fd) return errno_error(path, errno);
    TWINSIFT_TRY([[maybe_unused]] auto written, write_all(fd.get(), texts[i], path));
    ++files;
  }
  return files;
}

// Bytes of all files below an open folder, and how many there are.
struct Seen {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};
void bare_walk(int folder, Seen& seen) {
  DIR* dir = ::fdopendir(folder);
  if (dir == nullptr) return;
  while (const dirent* entry = ::readdir(dir)) {
    if (entry->d_name[0] == '.') continue;
    if (entry->d_type == DT_DIR) {
      bare_walk(::openat(folder, entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), seen);
      continue;
    }
    struct stat status {};
    if (::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    ++seen.files;
    seen.bytes += static_cast<std::uint64_t>(status.st_size);
  }
  ::closedir(dir);
}

template <class Run>
Result<double> median_seconds(int runs, const Run& run) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    TWINSIFT_TRY(const double took, run());
    times.push_back(took);
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

Status run(const std::string& program, const std::string& corpus, std::size_t most) {
  const TempFolder temp;
  const std::string tree = temp / "tree";
  std::uint64_t files = 0;
  {
    TWINSIFT_TRY(const auto texts, read_texts(corpus));
    TWINSIFT_TRY(files, write_tree(tree, texts, most));
  }
  ::sync();
  ::sleep(1);  // files that have just changed are never taken for known
  const auto time_of = [](std::vector<std::string> words) -> Result<double> {
    TWINSIFT_TRY(const Usage usage, run_program(words));
    return usage.wall;
  };
  const std::string collection = temp / "collection";
  const std::vector<std::string> find = {program, "find", tree, "--no-progress"};
  const auto with = [](std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  TWINSIFT_TRY(const double without,
               median_seconds(3, [&] { return time_of(with(find, {"--no-index"})); }));
  const auto fresh = [&] { std::filesystem::remove_all(collection); };
  TWINSIFT_TRY(const double add, median_seconds(3, [&] {
                 fresh();
                 return time_of({program, "index", "add", tree, "--index", collection});
               }));
  TWINSIFT_TRY(const double first, median_seconds(3, [&] {
                 fresh();
                 return time_of(with(find, {"--index", collection}));
               }));
  // Side by side, so that both see the same machine.
  std::vector<double> walks;
  std::vector<double> seconds_runs;
  Seen seen;
  for (int i = 0; i < kRuns; ++i) {
    TWINSIFT_TRY(const double took, time_of(with(find, {"--index", collection})));
    seconds_runs.push_back(took);
    seen = {};
    const Stopwatch watch;
    bare_walk(::open(tree.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), seen);
    walks.push_back(watch.elapsed().wall);
  }
  std::ranges::sort(walks);
  std::ranges::sort(seconds_runs);
  const double walk = walks[kRuns / 2];
  const double second = seconds_runs[kRuns / 2];
  const auto mark = [](bool good) { return good ? "" : " (!)"; };
  fmt::print(
      "## A second look at {} files, {:.0f} MB\n\n"
      "Time on the wall, medians, everything in the cache of the system; (!) misses a target.\n\n"
      "| | seconds | |\n|---|--:|---|\n",
      seen.files, 1e-6 * static_cast<double>(seen.bytes));
  fmt::print("| bare walk with stat, one thread | {:.3f} | |\n", walk);
  fmt::print("| find, no collection | {:.3f} | {:.1f} MB/s |\n", without,
             1e-6 * static_cast<double>(seen.bytes) / without);
  fmt::print("| index add, a new collection | {:.3f} | {:.0f} % of the speed of find{} |\n", add,
             100 * without / add, mark(without / add >= kTargetInsert));
  fmt::print("| find, the first time | {:.3f} | {:.0f} % of the speed without{} |\n", first,
             100 * without / first, mark(without / first >= kTargetInsert));
  fmt::print(
      "| find, the second time | {:.3f} | {:.1f} times faster than the first{}, {:.2f} times "
      "the bare walk{} |\n",
      second, first / second, mark(first / second >= kTargetFaster), second / walk,
      mark(second / walk <= kTargetWalk));
  if (seen.files == files) return ok();
  return Error{ErrorCode::kIo, "the tree is not as it was written"};
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  std::size_t most = 100'000;
  bool good = argc == 3 || argc == 4;
  if (argc == 4) {
    const std::string_view text = argv[3];
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), most);
    good = error == std::errc() && end == text.data() + text.size();
  }
  if (!good) {
    fmt::print(stderr, "usage: bench_again TWINSIFT CORPUS.jsonl [FILES]\n");
    return 2;
  }
  const auto done = twinsift::bench::run(argv[1], argv[2], most);
  if (done) return 0;
  fmt::print(stderr, "bench_again: {}\n", done.error().message);
  return 2;
}
