// SPDX-License-Identifier: Apache-2.0
// Codes of whole pictures beside each other: the shipped ones, PDQ, and those of networks.
//
// PHOTOS is a folder of photos, COPIES what `twinsift eval images PHOTOS -o COPIES` has left there.
// Each copy is looked up among all photos, in its eight orientations, and the nearest counts.  For
// the largest distance at which the precision of all pairs is .99 the recall is printed, of the 20
// standard and of the 7 hard versions, and what a look costs, without decoding.  Pairs of photos
// that SAME names (two paths below PHOTOS with a tab between) count neither way.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
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
struct Counts {
  std::array<std::uint64_t, kDistances> standard{}, hard{}, others{};
  std::array<std::vector<std::uint32_t>, kCopyVersions.size()> versions{};
};

void print(const std::string& name, const Counts& counts, double milliseconds) {
  double standard = 0, hard = 0;
  for (const CopyVersion& version : kCopyVersions) {
    const auto n = counts.versions[std::size_t(&version - kCopyVersions.data())].size();
    (version.hard ? hard : standard) += double(n);
  }
  std::uint64_t found_standard = 0, found_hard = 0, wrong = 0;
  double recall_standard = 0, recall_hard = 0;
  std::size_t at = 0;
  std::uint64_t wrong_at = 0;
  for (std::size_t d = 0; d + 1 < kDistances; ++d) {
    found_standard += counts.standard[d];
    found_hard += counts.hard[d];
    wrong += counts.others[d];
    const double right = double(found_standard + found_hard);
    if (right < 0.99 * (right + double(wrong))) continue;
    at = d;
    wrong_at = wrong;
    recall_standard = double(found_standard) / standard;
    recall_hard = double(found_hard) / hard;
  }
  fmt::print("{:<40} {:>8.2f} {:>8} {:>9.4f} {:>9.4f} {:>7}\n", name, milliseconds, at,
             recall_standard, recall_hard, wrong_at);
  for (const CopyVersion& version : kCopyVersions) {
    auto distances = counts.versions[std::size_t(&version - kCopyVersions.data())];
    if (distances.empty()) continue;
    std::ranges::sort(distances);
    const auto found = std::ranges::upper_bound(distances, at) - distances.begin();
    fmt::print("    {:<12} {:>5.3f}  median {:>3}, 95 % {:>3}, largest {:>3}\n", version.name,
               double(found) / double(distances.size()), distances[distances.size() / 2],
               distances[distances.size() * 95 / 100], distances.back());
  }
}

int run(const Task& task, const std::vector<std::string>& kinds) {
  fmt::print("{} photos, {} copies; recall at the largest distance with precision .99\n",
             task.photos.size(), task.copies.size());
  fmt::print("{:<40} {:>8} {:>8} {:>9} {:>9} {:>7}\n", "", "ms", "distance", "standard", "hard",
             "wrong");
  for (const std::string& kind : kinds) {
    const auto medium = make_image_media(kind);
    const auto detector = make_picture_detector(kind);
    if (!medium || !detector) {
      fmt::print(stderr, "{}: {}\n", kind, (medium ? detector.error() : medium.error()).message);
      return 2;
    }
    const Looks photos = look_at(task.photos, **medium, **detector);
    const Looks copies = look_at(task.copies, **medium, **detector);
    Counts counts;
    for (std::size_t c = 0; c < task.copies.size(); ++c) {
      const Item& copy = task.copies[c];
      const bool hard = kCopyVersions[copy.version].hard;
      for (std::size_t p = 0; p < task.photos.size(); ++p) {
        const std::uint32_t d = distance(copies.of[c], photos.of[p]);
        if (p == copy.original) {
          ++(hard ? counts.hard : counts.standard)[d];
          counts.versions[copy.version].push_back(d);
        } else if (!task.same.contains({p, copy.original})) {
          ++counts.others[d];
        }
      }
    }
    print(kind, counts, photos.milliseconds);
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
