// SPDX-License-Identifier: Apache-2.0
// What level edited takes for many pictures once their key points are known: time and memory of
// finding all pairs that share some.
//
// The pictures are made up: each has 400 key points, and as many of its mirror image, drawn from
// those of the pictures in a folder, so that words are as frequent as in reality, at random places
// and with the signature of another one: no two of them show the same.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/random.h"
#include "bench/picture_folder.h"
#include "bench/timing.h"
#include "feature/local_print.h"
#include "group/picture_local.h"
#include "media/image_media.h"

namespace twinsift::bench {
namespace {

constexpr std::uint32_t kPoints = 400;

std::vector<LocalWord> real_words(const std::string& folder) {
  const auto media = make_local_media();
  std::vector<LocalWord> words;
  for (const PictureFile& file : read_pictures(folder)) {
    const auto described = media->extract(file.input());
    if (!described || described->features.empty()) continue;
    const auto print = unpack_local_print(std::get<Packed>(described->features.front().value));
    if (print) words.insert(words.end(), print->words.words.begin(), print->words.words.end());
  }
  return words;
}

LocalWords drawn(const std::vector<LocalWord>& real, Rng& rng) {
  LocalWords made{.width = 640, .height = 480, .words = {}};
  for (std::uint32_t i = 0; i < kPoints; ++i) {
    LocalWord word = real[rng.below(static_cast<std::uint32_t>(real.size()))];
    word.signature = real[rng.below(static_cast<std::uint32_t>(real.size()))].signature;
    word.x = static_cast<std::uint16_t>(rng.below(65536));
    word.y = static_cast<std::uint16_t>(rng.below(65536));
    word.angle = static_cast<std::uint16_t>(rng.below(65536));
    made.words.push_back(word);
  }
  std::ranges::sort(made.words, {}, &LocalWord::word);
  return made;
}

double peak_megabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

int run(std::uint32_t count, const std::string& folder) {
  const std::vector<LocalWord> real = real_words(folder);
  if (real.empty()) {
    fmt::print(stderr, "no key points in {}\n", folder);
    return 2;
  }
  const LocalPictures pictures{.count = count, .print = [&](std::uint32_t i) -> Result<LocalPrint> {
                                 Rng rng(i + 1);
                                 LocalPrint print;
                                 print.words = drawn(real, rng);
                                 print.mirrored = drawn(real, rng);
                                 return print;
                               }};
  const double drawing = best_seconds(3, [&] { keep(pictures.print(1)->words.words.size()); });
  const double before = peak_megabytes();
  const Stopwatch watch;
  const auto found = find_local_pairs(pictures, {});
  const double took = watch.elapsed().cpu;
  if (!found) return 2;
  const double blocks = std::ceil(count / double{LocalPairsOptions{}.block});
  const double drawn_for = drawing * count * (blocks + 1) / 2;
  fmt::print(
      "{} pictures of {} key points, {} real ones: {:.1f} s of processor time, of which {:.1f} "
      "s made them up; {} candidates, {} pairs; {:.0f} MB more than the {:.0f} before\n",
      count, kPoints, real.size(), took, drawn_for, found->candidates, found->pairs.size(),
      peak_megabytes() - before, before);
  return 0;
}

}  // namespace
}  // namespace twinsift::bench

int main(int argc, char** argv) {
  std::uint32_t count = 0;
  const std::string_view number = argc == 3 ? argv[1] : "";
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), count);
  if (argc != 3 || error != std::errc{} || end != number.data() + number.size() || count < 2) {
    std::fputs("usage: bench_local COUNT FOLDER\n", stderr);
    return 2;
  }
  return twinsift::bench::run(count, argv[2]);
}
