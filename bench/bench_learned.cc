// SPDX-License-Identifier: Apache-2.0
// Codes of whole pictures beside each other: the shipped ones, PDQ, and those of networks.
//
// PHOTOS is a folder of photos, COPIES what `twinsift eval images PHOTOS -o COPIES` has left there.
// Each copy is looked up among all photos, in its eight orientations, and the nearest counts.  For
// the largest distance at which the precision of all pairs is .99 the recall is printed, of the 20
// standard and of the 7 hard versions, and what a look costs, without decoding.  Pairs of photos
// that SAME names (two paths below PHOTOS with a tab between) count neither way.  Last come the
// shipped codes and those of each network together: for the sum of both distances, and for a pair
// that is near by either (all pairs of limits are tried, and those with the best recall of hard
// versions at a precision of .99 are taken).
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/bit_code.h"
#include "bench/picture_folder.h"
#include "bench/timing.h"
#include "eval/copies/versions.h"
#include "media/picture.h"
#include "twinsift/media.h"
#include "verify/picture_detector.h"

namespace twinsift::bench {
namespace {

struct Item {
  std::string path;
  std::size_t version = 0;   // of a copy
  std::size_t original = 0;  // among the photos
};

struct Task {
  std::vector<Item> photos, copies;
  std::set<std::pair<std::size_t, std::size_t>> same;  // photos
};

std::vector<std::vector<std::string>> lines_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::vector<std::string>> lines;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    auto& row = lines.emplace_back();
    for (std::string cell; std::getline(cells, cell, '\t');) row.push_back(cell);
  }
  return lines;
}

Task read_task(const std::string& photos, const std::string& copies, const std::string& same) {
  Task task;
  std::map<std::string, std::size_t> numbers;
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(photos)) {
    if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::ranges::sort(paths);
  for (const std::string& path : paths) {
    std::ifstream in(path, std::ios::binary);
    std::array<char, 4096> head{};
    in.read(head.data(), head.size());
    if (recognise_picture(std::as_bytes(std::span(head).first(std::size_t(in.gcount())))) ==
        PictureKind::kNone) {
      continue;
    }
    numbers[path] = task.photos.size();
    task.photos.push_back({.path = path});
  }
  for (const auto& line : lines_of(copies + "/manifest.tsv")) {
    const auto* const version = std::ranges::find(kCopyVersions, line.at(1), &CopyVersion::name);
    if (version == kCopyVersions.end()) continue;  // the header
    task.copies.push_back({.path = copies + "/copies/" + line[0],
                           .version = std::size_t(version - kCopyVersions.begin()),
                           .original = numbers.at(line.at(2))});
  }
  if (same != "-") {
    for (const auto& line : lines_of(same)) {
      const std::size_t a = numbers.at(photos + "/" + line.at(0));
      const std::size_t b = numbers.at(photos + "/" + line.at(1));
      task.same.insert({a, b});
      task.same.insert({b, a});
    }
  }
  return task;
}

struct Looks {
  std::vector<PictureLook> of;
  double milliseconds = 0;  // a picture, this process alone
};

double own_seconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  double sum = 0;
  for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
    sum += double(time.tv_sec) + 1e-6 * double(time.tv_usec);
  }
  return sum;
}

Looks look_at(const std::vector<Item>& items, MediaType& medium, const PictureDetector& detector) {
  Looks looks;
  double seconds = 0;
  for (const Item& item : items) {
    std::ifstream in(item.path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    const double start = own_seconds();
    const auto description = medium.extract({item.path, std::as_bytes(std::span(bytes))});
    seconds += own_seconds() - start;
    auto look = description ? detector.look(std::get<Packed>(description->features.at(0).value))
                            : Result<PictureLook>(description.error());
    if (!look) {
      fmt::print(stderr, "{}: {}\n", item.path, look.error().message);
      look = PictureLook{.plain = true};
    }
    looks.of.push_back(*look);
  }
  looks.milliseconds = 1e3 * seconds / double(items.size());
  return looks;
}

std::uint32_t distance(const PictureLook& copy, const PictureLook& photo) {
  std::uint32_t least = 257;
  if (copy.plain || photo.plain) return least;
  for (const auto& code : copy.codes) {
    least = std::min(least, hamming_distance(code, photo.codes[0]));
  }
  return least;
}

constexpr std::size_t kDistances = 258;
constexpr double kPrecision = 0.99;

// The distance of every copy to every photo.
struct Distances {
  std::vector<std::uint16_t> of;  // copy after copy
  double milliseconds = 0;        // a picture
};

Distances measure(const Task& task, const std::string& kind) {
  const auto medium = make_image_media(kind);
  const auto detector = make_picture_detector(kind);
  if (!medium || !detector) {
    fmt::print(stderr, "{}: {}\n", kind, (medium ? detector.error() : medium.error()).message);
    std::exit(2);
  }
  const Looks photos = look_at(task.photos, **medium, **detector);
  const Looks copies = look_at(task.copies, **medium, **detector);
  Distances distances{.of = {}, .milliseconds = photos.milliseconds};
  for (const PictureLook& copy : copies.of) {
    for (const PictureLook& photo : photos.of) {
      distances.of.push_back(static_cast<std::uint16_t>(distance(copy, photo)));
    }
  }
  return distances;
}

// use(copy, photo, place, whether it is its original), for each pair that counts.
template <class Use>
void each_pair(const Task& task, const Use& use) {
  std::size_t at = 0;
  for (const Item& copy : task.copies) {
    for (std::size_t p = 0; p < task.photos.size(); ++p, ++at) {
      const bool original = p == copy.original;
      if (original || !task.same.contains({p, copy.original})) use(copy, at, original);
    }
  }
}

struct Found {
  std::uint64_t standard = 0, hard = 0, others = 0;
  Found& operator+=(const Found& more) {
    standard += more.standard;
    hard += more.hard;
    others += more.others;
    return *this;
  }
  [[nodiscard]] bool precise() const {
    const double right = double(standard + hard);
    return right >= kPrecision * (right + double(others));
  }
};
void count(const Item& copy, bool original, Found& found) {
  ++(!original ? found.others : kCopyVersions[copy.version].hard ? found.hard : found.standard);
}
Found all_of(const Task& task) {
  Found all;
  for (const Item& copy : task.copies) count(copy, true, all);
  return all;
}

void print_row(const std::string& name, double milliseconds, const std::string& limit,
               const Found& found, const Found& all) {
  fmt::print("{:<40} {:>8.2f} {:>8} {:>9.4f} {:>9.4f} {:>7}\n", name, milliseconds, limit,
             double(found.standard) / double(all.standard), double(found.hard) / double(all.hard),
             found.others);
}

// Of one distance: by the largest limit that is precise.
template <class Distance>
std::uint32_t print_one(const Task& task, const std::string& name, double milliseconds,
                        const Distance& distance_at) {
  std::array<Found, 2 * kDistances> at_distance{};
  each_pair(task, [&](const Item& copy, std::size_t at, bool original) {
    count(copy, original, at_distance[distance_at(at)]);
  });
  Found found, best;
  std::uint32_t limit = 0;
  for (std::uint32_t d = 0; d < 512; ++d) {
    found += at_distance[d];
    if (!found.precise()) continue;
    best = found;
    limit = d;
  }
  print_row(name, milliseconds, std::to_string(limit), best, all_of(task));
  return limit;
}

void print_versions(const Task& task, const Distances& distances, std::uint32_t limit) {
  std::array<std::vector<std::uint32_t>, kCopyVersions.size()> versions{};
  each_pair(task, [&](const Item& copy, std::size_t at, bool original) {
    if (original) versions[copy.version].push_back(distances.of[at]);
  });
  for (std::size_t v = 0; v < versions.size(); ++v) {
    auto& of = versions[v];
    if (of.empty()) continue;
    std::ranges::sort(of);
    const auto found = std::ranges::upper_bound(of, limit) - of.begin();
    fmt::print("    {:<12} {:>5.3f}  median {:>3}, 95 % {:>3}, largest {:>3}\n",
               kCopyVersions[v].name, double(found) / double(of.size()), of[of.size() / 2],
               of[of.size() * 95 / 100], of.back());
  }
}

// Near by either of two distances.
void print_either(const Task& task, const std::string& name, const Distances& a,
                  const Distances& b) {
  std::vector<Found> table(kDistances * kDistances);
  each_pair(task, [&](const Item& copy, std::size_t at, bool original) {
    count(copy, original, table[a.of[at] * kDistances + b.of[at]]);
  });
  Found best;
  std::string limits;
  for (std::size_t limit_b = 0; limit_b < kDistances - 1; ++limit_b) {
    // Of pairs beyond limit_a, those that b finds; and all those within it.
    std::vector<Found> by_b(kDistances), by_any(kDistances);
    for (std::size_t d = 0; d < kDistances; ++d) {
      for (std::size_t e = 0; e < kDistances; ++e) {
        if (e <= limit_b) by_b[d] += table[d * kDistances + e];
        by_any[d] += table[d * kDistances + e];
      }
    }
    Found beyond, within;
    for (const Found& found : by_b) beyond += found;
    for (std::size_t limit_a = 0; limit_a < kDistances - 1; ++limit_a) {
      beyond.standard -= by_b[limit_a].standard;
      beyond.hard -= by_b[limit_a].hard;
      beyond.others -= by_b[limit_a].others;
      within += by_any[limit_a];
      Found found = within;
      found += beyond;
      if (!found.precise() || found.hard < best.hard) continue;
      if (found.hard == best.hard && found.standard <= best.standard) continue;
      best = found;
      limits = fmt::format("{}/{}", limit_a, limit_b);
    }
  }
  print_row(name, a.milliseconds + b.milliseconds, limits, best, all_of(task));
}

int run(const Task& task, const std::vector<std::string>& kinds) {
  fmt::print("{} photos, {} copies; recall at the largest distance with precision .99\n",
             task.photos.size(), task.copies.size());
  fmt::print("{:<40} {:>8} {:>8} {:>9} {:>9} {:>7}\n", "", "ms", "distance", "standard", "hard",
             "wrong");
  Distances shipped;
  for (const std::string& kind : kinds) {
    const Distances distances = measure(task, kind);
    const auto one = [&](std::size_t at) { return distances.of[at]; };
    const std::uint32_t limit = print_one(task, kind, distances.milliseconds, one);
    print_versions(task, distances, limit);
    if (kind == kinds.front()) shipped = distances;
    if (!kind.starts_with("siamese:")) continue;
    print_one(task, "  sum with the shipped codes", shipped.milliseconds + distances.milliseconds,
              [&](std::size_t at) { return std::min(511, shipped.of[at] + distances.of[at]); });
    print_either(task, "  or the shipped codes", shipped, distances);
  }
  return 0;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fputs("usage: bench_learned PHOTOS COPIES SAME|- [MODEL]...\n", stderr);
    return 2;
  }
  std::vector<std::string> kinds = {"gist", "pdq"};
  for (int i = 4; i < argc; ++i) kinds.push_back(fmt::format("siamese:{}", argv[i]));
  return twinsift::bench::run(twinsift::bench::read_task(argv[1], argv[2], argv[3]), kinds);
}
